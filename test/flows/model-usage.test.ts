import { expect } from 'chai';
import { pino } from 'pino';
import { requestOf } from '../support/otlp.ts';
import { createRunningScenario, flush, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };
const model = 'us.anthropic.claude-sonnet-4-6';
/** In USD per token, by the geographic profile: input, read and written for 5 minutes, output. */
const costOfCall = (40 * 3.3e-6 + 1000 * 0.33e-6 + 30 * 4.125e-6 + 7 * 16.5e-6).toFixed(12);
const number = '4111 1111 1111 1111';
const card = (...fields: string[]) => ({ type: 'payment_card', count: 1, fields });
const email = (...fields: string[]) => ({ type: 'email', count: 1, fields });

describe('entries at every address', () => {
  const service = startTestService();

  /** Sends entries in the form of programs. @returns the response, the metrics and their remarks. */
  async function sendLoose(...entries: object[]) {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, entries, { query: '?fields=loose&answer=summary' });
    await flush(service, id);
    const { body: explained } = await service.request('GET', `/api/v1/scenarios/${id}/metrics/explain`);
    return { body, totals: (await getMetrics(service, id)).totals, remark: explained.remarks[0] };
  }

  it('a usage is counted as not understood in a loose request, with the tokens of the message', async () => {
    const unread = { msg: 'llm call', usage: { input_tokens: -1, output_tokens: 7 } };
    const { body, totals, remark } = await sendLoose(unread, { msg: 'llm call', usage: call, model });
    expect(body).to.include({ accepted: 2, usage_unread: 1 });
    expect(totals).to.deep.include({ logs: 2, untimed: 2, usage_unread: 1, unpriced: [], incomplete: false });
    expect(totals.input_tokens).to.be.within(41, 50);
    expect(remark).to.match(/^1 entry had a usage that was not understood: /);
  });

  it('a usage is counted under the name of a model without a price', async () => {
    const unknown = { msg: 'llm call', usage: { input_tokens: 5, output_tokens: 6 }, model: 'gpt-4o' };
    const { totals, remark } = await sendLoose(unknown, unknown);
    const unpriced = [{ model: 'gpt-4o', calls: 2, input_tokens: 10, output_tokens: 12 }];
    expect(totals).to.deep.include({ input_tokens: 0, unpriced, incomplete: true });
    expect(remark).to.equal('2 calls are of models without a price, which the cost leaves out: gpt-4o.');
  });

  it('a usage is a warning of an export if it is not understood', async () => {
    const { id } = await createRunningScenario(service);
    const attributes = [{ key: 'gen_ai.usage.input_tokens', value: { intValue: -1 } }];
    const body = requestOf([{ body: { stringValue: 'llm call' }, attributes }]);
    const response = await service.request('POST', `/ingest/${id}/v1/logs`, { body });
    const errorMessage = 'log records with a usage that is not understood: 1.';
    expect(response.body).to.deep.equal({ partialSuccess: { rejectedLogRecords: '0', errorMessage } });
  });

  it('usage and nested objects are read that pino writes', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => lines.push(line) });
    logger.error({ user: { email: 'mia.k@example.org', roles: ['a'] }, err: new Error('no') }, 'payment failed');
    logger.info({ usage: call, model }, 'llm call');
    const { id } = await createRunningScenario(service);
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const sent = { headers, body: lines.join('') };
    const { body, text } = await service.request('POST', `/ingest/${id}?answer=full`, sent);
    expect(body, text).to.include({ accepted: 2, timed: 2, usage_unread: 0 });
    const pii = [email('user.email')];
    expect(body.results[0]).to.deep.include({ message_preview: 'payment failed', level: 'error', pii });
    expect(body.results[1]).to.deep.include({ level: 'info', pii: [] });
    expect(body.results[1].cost.inference).to.equal(costOfCall);
  });

  it('personal data is found in every part of entries, and redacted in the preview of one that is its own message', async () => {
    const { id } = await createRunningScenario(service);
    const strict = `[{"message": "a", "source": "web", "attributes": {"card": "${number}"}},
      {"message": "b", "attributes": {"card_no": 6222021234567890003}},
      {"message": "c", "source": "mia.k@example.org"},
      {"message": "d mia.k@example.org", "attributes": {"to": "mia.k@example.org"}},
      {"message": "SSN 536-22-8726"}]`;
    const container = { log: `{"msg":"paid","card":"${number}"}`, _p: 'F', kubernetes: { owner: 'ops@example.org' } };
    const own = { user: 'mia.k@example.org', card: number };
    const rows: [address: string, body: string, ...pii: object[][]][] = [
      [
        '/ingest',
        strict,
        [card('attributes.card')],
        [card('attributes.card_no')],
        [email('source')],
        [{ type: 'email', count: 2, fields: ['attributes.to'] }],
        [{ type: 'national_id', count: 1, country: 'US' }],
      ],
      [`/ingest/${id}`, JSON.stringify(container), [card('card'), email('kubernetes.owner')]],
      [`/ingest/${id}`, JSON.stringify(own), [card('card'), email('user')]],
    ];
    let preview = '';
    for (const [address, body, ...pii] of rows) {
      const headers = { 'X-Scenario-ID': id, 'Content-Type': 'application/json' };
      const { body: shown, text } = await service.request('POST', `${address}?answer=full`, { headers, body });
      const results: { pii: object[]; message_preview: string }[] = shown.results ?? [shown];
      expect(results.length, text).to.equal(pii.length);
      for (const [index, result] of results.entries()) expect(result.pii, text).to.have.deep.members(pii[index]!);
      preview = results[0]!.message_preview;
    }
    expect(preview).to.equal('{"user":"[EMAIL]","card":"[PAYMENT_CARD]"}');
    await flush(service, id);
    const { totals } = await getMetrics(service, id);
    expect(totals).to.deep.include({ logs: 7, pii_logs: 7, pii: { email: 5, national_id: 1, payment_card: 4 } });
  });

  it('personal data is found in attributes of records, scopes and resources of OpenTelemetry', async () => {
    const { id } = await createRunningScenario(service);
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const records = [
      { body: { stringValue: 'a' }, attributes: [attribute('card', number)] },
      { body: { stringValue: 'b' } },
      { attributes: [attribute('to', 'mia.k@example.org')] },
    ];
    const resource = { attributes: [attribute('service.owner', 'ops@example.org')] };
    const body = requestOf(records, resource, { attributes: [attribute('author', 'dev@example.org')] });
    expect((await service.request('POST', `/ingest/${id}/v1/logs`, { body })).status).to.equal(200);
    await flush(service, id);
    const { totals } = await getMetrics(service, id);
    expect(totals).to.deep.include({ logs: 3, pii_logs: 3, pii: { email: 7, national_id: 0, payment_card: 1 } });
  });
});
