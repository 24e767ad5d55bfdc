import { Writable } from 'node:stream';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { expect } from 'chai';
import { pino } from 'pino';
import winston from 'winston';
import { requestOf } from '../support/otlp.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const model = 'us.anthropic.claude-sonnet-4-6';
const number = '4111 1111 1111 1111';
const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };
/** In USD per token, by the geographic profile: input, read and written for 5 minutes, output. */
const costOfCall = (40 * 3.3e-6 + 1000 * 0.33e-6 + 30 * 4.125e-6 + 7 * 16.5e-6).toFixed(12);
const card = (...fields: string[]) => ({ type: 'payment_card', count: 1, fields });
const email = (...fields: string[]) => ({ type: 'email', count: 1, fields });

/** An entry of a response, in the parts that the tests name. */
interface Shown {
  message_preview: string;
  level: string | null;
  pii: object[];
  cost: { inference: string };
}

describe('records that real programs write', () => {
  const service = startTestService();

  /** Sends lines of records. @returns the response, and its entries. */
  async function send(lines: readonly string[]) {
    const { id } = await createRunningScenario(service);
    const response = await service.request('POST', `/ingest/${id}?answer=full`, {
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: Buffer.from(lines.join('')),
    });
    expect(response.status, response.text).to.equal(200);
    return { results: response.body.results as Shown[], body: response.body };
  }

  it('reads usage and nested objects that pino writes', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => lines.push(line) });
    logger.warn({ user: { email: 'mia.k@example.org', roles: ['a'] }, err: new Error('no funds') }, 'payment failed');
    logger.info({ usage: call, model }, 'llm call');
    const { results, body } = await send(lines);
    expect(body).to.include({ accepted: 2, timed: 2, usage_unread: 0 });
    expect(results[0]).to.deep.include({
      message_preview: 'payment failed',
      level: 'warn',
      pii: [email('user.email')],
    });
    expect(results[1]).to.deep.include({ level: 'info', pii: [] });
    expect(results[1]?.cost.inference).to.equal(costOfCall);
  });

  it('reads usage and nested objects that winston writes', async () => {
    const lines: string[] = [];
    const { combine, timestamp, json } = winston.format;
    const stream = new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line));
        done();
      },
    });
    const logger = winston.createLogger({
      format: combine(timestamp(), json()),
      transports: [new winston.transports.Stream({ stream })],
    });
    logger.error('payment failed', { payment: { card: { number }, attempts: [{ to: 'mia.k@example.org' }] } });
    logger.info('llm call', { response: { model, usage: call } });
    const { results, body } = await send(lines);
    expect(body).to.include({ accepted: 2, timed: 2, usage_unread: 0 });
    expect(results[0]).to.deep.include({
      message_preview: 'payment failed',
      level: 'error',
      pii: [email('payment.attempts.to'), card('payment.card.number')],
    });
    expect(results[1]?.cost.inference).to.equal(costOfCall);
  });

  it('reads a GenAI log record of the SDK of OpenTelemetry, and its personal data', async () => {
    const { id } = await createRunningScenario(service);
    const exporter = new OTLPLogExporter({ url: `${service.url}/ingest/${id}/v1/logs` });
    const provider = new LoggerProvider({
      resource: resourceFromAttributes({ 'service.name': 'assistant', 'service.owner': 'ops@example.org' }),
      processors: [new BatchLogRecordProcessor({ exporter })],
    });
    provider.getLogger('genai', '1.0').emit({
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 1070,
        'gen_ai.usage.cache_read.input_tokens': 1000,
        'gen_ai.usage.cache_write.input_tokens': 30,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: `my card is ${number}` }] }],
      },
    });
    await provider.shutdown();
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    const { totals, cost_breakdown: breakdown } = await getMetrics(service, id);
    expect(totals).to.deep.include({
      logs: 1,
      input_tokens: 40,
      output_tokens: 7,
      usage_unread: 0,
      pii_logs: 1,
      pii: { email: 1, national_id: 0, payment_card: 1 },
    });
    expect(breakdown[2]).to.deep.include({ service: 'inference', cost: costOfCall });
  });

  it('personal data is found in the attributes and the source of strict entries', async () => {
    const { id } = await createRunningScenario(service);
    const { status, body } = await ingest(
      service,
      id,
      `[{"message": "a", "source": "web", "attributes": {"card": "${number}"}},
        {"message": "b", "attributes": {"card_no": 6222021234567890003}},
        {"message": "c", "source": "mia.k@example.org"},
        {"message": "d mia.k@example.org", "attributes": {"to": "mia.k@example.org"}}]`,
    );
    expect(status).to.equal(200);
    expect(body.results.map(({ pii }: { pii: object[] }) => pii)).to.deep.equal([
      [card('attributes.card')],
      [card('attributes.card_no')],
      [email('source')],
      [{ type: 'email', count: 2, fields: ['attributes.to'] }],
    ]);
    expect(body.totals.pii_logs).to.equal(4);
    expect((await getMetrics(service, id)).totals).to.deep.include({
      pii_logs: 4,
      pii: { email: 3, national_id: 0, payment_card: 2 },
    });
  });

  it('personal data is found in records of any form, and redacted in the preview of one that is its own message', async () => {
    const { id } = await createRunningScenario(service);
    const rows: [body: string, type: string, pii: object[]][] = [
      ['{"msg": "paid", "card_no": 6222021234567890003}', 'application/json', [card('card_no')]],
      [`2026-05-01T10:00:00Z stdout F {"msg":"paid","card":"${number}"}\n`, 'text/plain', [card('card')]],
      [
        JSON.stringify({ log: `{"msg":"paid","card":"${number}"}`, _p: 'F', kubernetes: { owner: 'ops@example.org' } }),
        'application/json',
        [card('card'), email('kubernetes.owner')],
      ],
      [`{"user":"mia.k@example.org","card":"${number}"}`, 'application/json', [card('card'), email('user')]],
    ];
    let preview = '';
    for (const [body, type, pii] of rows) {
      const sent = { headers: { 'Content-Type': type }, body: Buffer.from(body) };
      const { body: shown, text } = await service.request('POST', `/ingest/${id}?answer=full`, sent);
      const result = shown.results?.[0] ?? shown;
      expect(result.pii, text).to.have.deep.members(pii);
      preview = result.message_preview;
    }
    expect(preview).to.equal('{"user":"[EMAIL]","card":"[PAYMENT_CARD]"}');
  });

  it('personal data is found in attributes of records, scopes and resources of OpenTelemetry', async () => {
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const body = requestOf(
      [
        { body: { stringValue: 'a' }, attributes: [attribute('card', number)] },
        { body: { stringValue: 'b' } },
        { attributes: [attribute('to', 'mia.k@example.org')] },
      ],
      { attributes: [attribute('service.owner', 'ops@example.org')] },
      { attributes: [attribute('author', 'dev@example.org')] },
    );
    const { id } = await createRunningScenario(service);
    expect((await service.request('POST', `/ingest/${id}/v1/logs`, { body })).status).to.equal(200);
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    const { totals } = await getMetrics(service, id);
    expect(totals).to.deep.include({ logs: 3, pii_logs: 3, pii: { email: 7, national_id: 0, payment_card: 1 } });
  });
});
