import { Writable } from 'node:stream';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { expect } from 'chai';
import { pino } from 'pino';
import winston from 'winston';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
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
  source: string | null;
  pii: object[];
  metrics: { input_tokens: number; output_tokens: number };
  cost: { inference: string };
}

describe('records that real programs write', () => {
  const service = startTestService();

  async function send(text: string, { type = 'application/x-ndjson', query = '', assumptions = {} } = {}) {
    const { id } = await createRunningScenario(service, { assumptions });
    const response = await service.request('POST', `/ingest/${id}?answer=full${query}`, {
      headers: { 'Content-Type': type },
      body: Buffer.from(text),
    });
    expect(response.status, response.text).to.equal(200);
    const results: Shown[] = response.body.results ?? [response.body];
    return { id, results, body: response.body };
  }

  it('counts three lines of which one has no clock in this hour', async () => {
    const lines = '{"msg":"a","time":0}\n{"msg":"b"}\n{"msg":"c"}\n';
    const { id, body } = await send(lines, { assumptions: { pipeline: { queue: { pollers: 5 } } } });
    expect(body.timed).to.equal(0);
    const { totals, timeseries } = await getMetrics(service, id);
    expect(totals).to.include({ logs: 3, untimed: 3 });
    // An hour at most passes while the test runs.
    expect(timeseries.length).to.be.at.most(2);
    expect(totals.queue_requests).to.be.below(2000);
  });

  const usages: [what: string, record: object, shown: object][] = [
    [
      'OpenAI',
      {
        msg: 'llm call',
        usage: { prompt_tokens: 10240, completion_tokens: 310, total_tokens: 10550 },
        model: 'gpt-5.6-sol',
      },
      { input_tokens: 10240, output_tokens: 310 },
    ],
    ['Anthropic', { msg: 'llm call', usage: { ...call, model } }, { input_tokens: 40, output_tokens: 7 }],
  ];
  for (const [vendor, record, shown] of usages) {
    it(`counts the tokens that ${vendor} reports`, async () => {
      const { results } = await send(JSON.stringify(record));
      expect(results[0]?.metrics).to.include(shown);
      if (vendor === 'Anthropic') expect(results[0]?.cost.inference).to.equal(costOfCall);
    });
  }

  const findings: [record: string, pii: object[]][] = [
    [JSON.stringify({ msg: 'paid', card: number }), [card('card')]],
    [JSON.stringify({ msg: 'paid', user: { email: 'mia.k@example.org' } }), [email('user.email')]],
    ['{"msg": "paid", "card_no": 6222021234567890003}', [card('card_no')]],
    ['{"msg": "paid", "card_no": "6222021234567890003"}', [card('card_no')]],
    ['{"card_no": 6222021234567890003}', [card('card_no')]],
    ['{"msg": "paid card_no=6222021234567890003"}', [{ type: 'payment_card', count: 1 }]],
  ];
  for (const [record, pii] of findings) {
    it(`finds the personal data of ${record}`, async () => {
      expect((await send(record)).results.map((result) => result.pii)).to.deep.equal([pii]);
    });
  }

  it('reads two parts of a line of a container as one entry', async () => {
    const start = '2026-10-06T00:17:09.669794202Z stdout P paid by 4111 1111';
    const end = '2026-10-06T00:17:09.669794202Z stdout F  1111 1111';
    const { results } = await send(`${start}\n${end}\n`, { type: 'text/plain' });
    const shown = results.map(({ message_preview: message, source, pii }) => ({ message, source, pii }));
    expect(shown).to.deep.equal([
      { message: 'paid by [PAYMENT_CARD]', source: 'stdout', pii: [{ type: 'payment_card', count: 1 }] },
    ]);
  });

  it('counts both passes of an hour that clocks show twice', async () => {
    const minutes = ['10', '30', '50'];
    const pass = minutes.map((minute) => `2026-10-25 02:${minute}:00 INFO a\n`).join('');
    const { id } = await send(pass + pass, { type: 'text/plain', query: '&zone=Europe/Berlin' });
    const { timeseries } = await getMetrics(service, id);
    const hours = timeseries.map(({ hour, logs }: { hour: string; logs: number }) => [hour.slice(0, 13), logs]);
    expect(hours).to.deep.equal([
      ['2026-10-25T00', 3],
      ['2026-10-25T01', 3],
    ]);
  });

  it('reads usage and nested objects that pino writes', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => lines.push(line) });
    logger.warn({ user: { email: 'mia.k@example.org', roles: ['a'] }, err: new Error('no funds') }, 'payment failed');
    logger.info({ usage: call, model }, 'llm call');
    const { results, body } = await send(lines.join(''));
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
    const { results, body } = await send(lines.join(''));
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
});
