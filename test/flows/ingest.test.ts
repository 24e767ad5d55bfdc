import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { requestOf } from '../support/otlp.ts';
import { createRunningScenario, expectError, flush, getMetrics, ingest, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

interface Result {
  id: string;
  message_preview?: string;
  metrics: { input_tokens: number };
}

const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };
const model = 'us.anthropic.claude-sonnet-4-6';
/** In USD per token, by the geographic profile: input, read and written for 5 minutes, output. */
const costOfCall = (40 * 3.3e-6 + 1000 * 0.33e-6 + 30 * 4.125e-6 + 7 * 16.5e-6).toFixed(12);
const number = '4111 1111 1111 1111';
const card = (...fields: string[]) => ({ type: 'payment_card', count: 1, fields });
const email = (...fields: string[]) => ({ type: 'email', count: 1, fields });

describe('ingest', () => {
  const service = startTestService();

  it('responds to one entry with its hash, preview, usage and cost', async () => {
    const { id } = await createRunningScenario(service, {
      region: 'eu-central-1',
      assumptions: { function: { memory_mb: 512, duration_ms: 127.4 }, inference: { model: 'amazon.nova-lite-v1:0' } },
    });
    const message = 'GET /checkout 200 für 😀';
    const body = { message, source: 'web-1', level: 'info', usage: { input_tokens: 17_500, output_tokens: 200 } };
    const response = await ingest(service, id, body);
    expect(response.status, response.text).to.equal(200);
    const { id: entryId, received_at: receivedAt, ...entry } = response.body;
    expect(entryId).to.match(uuid);
    expect(Date.parse(receivedAt)).to.be.closeTo(Date.now(), 60_000);
    expect(entry).to.deep.equal({
      scenario_id: id,
      message_hash: createHash('sha256').update(message).digest('hex'),
      message_preview: message,
      source: 'web-1',
      level: 'info',
      size_bytes: Buffer.byteLength(message),
      has_pii: false,
      pii: [],
      metrics: {
        queue_requests: 1,
        function_invocations: 1,
        function_gb_seconds: '0.064000000000',
        input_tokens: 17_500,
        output_tokens: 200,
      },
      // The function and inference parts of example M1 of the cost model; one queue request instead
      // of two.
      cost: {
        queue: '0.000000400000',
        function: '0.000001266669',
        inference: '0.001427400000',
        total: '0.001429066669',
      },
    });
  });

  it('responds with 202 to Prefer: respond-async, and has the result at the status address', async () => {
    const { id } = await createRunningScenario(service);
    const headers = { Prefer: 'wait=9, Respond-Async; soon=yes' };
    const response = await ingest(service, id, [{ message: 'later' }], { headers });
    expect(response.status).to.equal(202);
    expect(response.headers.get('Preference-Applied')).to.equal('respond-async');
    expect(response.body).to.include({ status: 'queued', accepted: 1 });
    expect(response.body.status_url).to.equal(`/api/v1/ingest-jobs/${response.body.job_id}`);
    const job = await waitUntil('the job to be done', async () => {
      const { body } = await service.request('GET', response.body.status_url);
      return body.status === 'completed' && body;
    });
    expect(job).to.include({ job_id: response.body.job_id, scenario_id: id, accepted: 1, error: null });
    expect(job.results[0].message_preview).to.equal('later');
    expect(job.totals.logs).to.equal(1);
    expectError(await service.request('GET', `/api/v1/ingest-jobs/${randomUUID()}`), 404, 'NOT_FOUND');
    expectError(await service.request('GET', '/api/v1/ingest-jobs/1'), 400, 'VALIDATION_ERROR', ['id']);
  });

  it('accepts the valid entries of a partial batch, and lists the errors of the others', async () => {
    const { id } = await createRunningScenario(service);
    const entries = [{ message: 'good' }, { message: '' }, { message: 'also good' }, { message: 'x', level: 3 }];
    const { status, body } = await ingest(service, id, entries, { query: '?partial=true' });
    expect(status).to.equal(207);
    expect(body).to.include({ accepted: 2, rejected: 2 });
    const previews = (body.results as Result[]).map((result) => result.message_preview);
    expect(previews).to.deep.equal(['good', undefined, 'also good', undefined]);
    // The end of an id is the position in the request.
    expect([body.results[0].id.slice(-4), body.results[2].id.slice(-4)]).to.deep.equal(['0000', '0002']);
    expect(body.results[1]).to.deep.include({ index: 1, status: 400 });
    expect(body.results[1].error.details[0].field).to.equal('message');
    expect(body.results[3].error.details[0].field).to.equal('level');
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
    const none = await ingest(service, id, [{}, 5], { query: '?partial=true' });
    expect([none.status, none.body.accepted, none.body.rejected]).to.deep.equal([207, 0, 2]);
    const all = await ingest(service, id, [{ message: 'fine' }], { query: '?partial=true' });
    expect(all.status).to.equal(200);
  });

  it('flush responds when all previously accepted entries are processed', async () => {
    const { id } = await createRunningScenario(service);
    const headers = { Prefer: 'respond-async' };
    const batch = Array.from({ length: 100 }, (_, index) => ({ message: `line ${index}` }));
    await Promise.all(Array.from({ length: 10 }, () => ingest(service, id, batch, { headers })));
    const flush = (sent: Record<string, string>) => service.request('POST', '/flush', { headers: sent });
    const flushed = await flush({ 'X-Scenario-ID': id });
    expect([flushed.status, flushed.body]).to.deep.equal([200, { status: 'flushed', pending: 0 }]);
    expect((await getMetrics(service, id)).totals.logs).to.equal(1000);
    expect((await flush({})).body).to.deep.equal({ status: 'flushed', pending: 0 });
    expectError(await flush({ 'X-Scenario-ID': 'nonsense' }), 400, 'VALIDATION_ERROR', ['X-Scenario-ID']);
    expectError(await flush({ 'X-Scenario-ID': randomUUID() }), 404, 'NOT_FOUND');
  });

  it('counts by level are read by hour and by day, a page at a time', async () => {
    const { id } = await createRunningScenario(service);
    const levels = ['INFO', 'warning', undefined, '50', 'audit', 'info'];
    const start = Date.UTC(2026, 2, 5, 10);
    const entries = Array.from({ length: 600 }, (_, index) => ({
      message: 'x',
      timestamp: start + Math.floor(index / 300) * 3_600_000,
      level: levels[index % 6],
    }));
    expect((await ingest(service, id, entries)).status).to.equal(200);
    const path = `/api/v1/scenarios/${id}/metrics/levels`;
    const read = async (query: string) => (await successOf(service.request('GET', path + query))).body;
    const logs = { info: 100, warn: 50, error: 50, other: 50, none: 50 };
    const [first, second] = ['2026-03-05T10:00:00.000Z', '2026-03-05T11:00:00.000Z'];
    const hours = [
      { start: first, logs },
      { start: second, logs },
    ];
    expect(await read('')).to.deep.equal({ scenario_id: id, interval: 'hour', rows: hours, next: null });
    expect(await read('?limit=1')).to.deep.include({ rows: hours.slice(0, 1), next: second });
    expect(await read(`?limit=1&from=${second}`)).to.deep.include({ rows: hours.slice(1), next: null });
    expect(await read(`?to=${second}`)).to.deep.include({ rows: hours.slice(0, 1), next: null });
    const sum = { info: 200, warn: 100, error: 100, other: 100, none: 100 };
    const day = { start: '2026-03-05T00:00:00.000Z', logs: sum };
    expect(await read('?interval=day')).to.deep.include({ interval: 'day', rows: [day] });
    expect(await read('?from=2027-01-01')).to.deep.include({ rows: [], next: null });
  });

  describe('entries at every address', () => {
    /** Sends entries as programs write them. @returns the response, the metrics and remarks. */
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
});
