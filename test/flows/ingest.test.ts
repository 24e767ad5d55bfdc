import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

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
    expect(response.body).to.have.all.keys(
      'id',
      'scenario_id',
      'received_at',
      'message_hash',
      'message_preview',
      'source',
      'level',
      'size_bytes',
      'has_pii',
      'pii',
      'metrics',
      'cost',
    );
    expect(response.body.id).to.match(uuid);
    expect(response.body).to.deep.include({
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

  it('responds to a batch in the order of its entries, with their sums as totals', async () => {
    const { id } = await createRunningScenario(service);
    const messages = Array.from({ length: 250 }, (_, index) => `line ${index} of a batch`);
    const { status, body } = await ingest(
      service,
      id,
      messages.map((message) => ({ message })),
    );
    expect(status).to.equal(200);
    expect(body.accepted).to.equal(250);
    expect(body.results.map((result: { message_preview: string }) => result.message_preview)).to.deep.equal(messages);
    expect(new Set(body.results.map((result: { id: string }) => result.id)).size).to.equal(250);
    expect(body.totals.logs).to.equal(250);
    expect(body.totals.size_bytes).to.equal(Buffer.byteLength(messages.join('')));
    expect(body.totals.metrics.queue_requests).to.equal(250);
    expect(body.totals.cost.queue).to.equal('0.000100000000');
    const tokens = body.results.reduce(
      (sum: number, { metrics }: { metrics: { input_tokens: number } }) => sum + metrics.input_tokens,
      0,
    );
    expect(body.totals.metrics.input_tokens).to.equal(tokens).and.to.be.greaterThan(250);
    const { totals } = await getMetrics(service, id);
    expect(totals).to.include({
      logs: 250,
      size_bytes: body.totals.size_bytes,
      input_tokens: tokens,
      status: 'estimated',
    });
  });

  it('redacts the preview and counts the findings', async () => {
    const { id } = await createRunningScenario(service);
    const message = 'user jane.roe@example.com paid with 4111 1111 1111 1111, SSN 536-22-8726';
    const { body } = await ingest(service, id, { message });
    expect(body.message_preview).to.equal('user [EMAIL] paid with [PAYMENT_CARD], SSN [NATIONAL_ID:US]');
    expect(body.has_pii).to.equal(true);
    expect(body.pii).to.have.deep.members([
      { type: 'email', count: 1 },
      { type: 'payment_card', count: 1 },
      { type: 'national_id', count: 1, country: 'US' },
    ]);
    const { totals } = await getMetrics(service, id);
    expect(totals.pii_logs).to.equal(1);
    expect(totals.pii).to.deep.equal({ email: 1, national_id: 1, payment_card: 1 });
  });

  it('counts an entry in the hour of its timestamp, in every accepted format', async () => {
    const { id } = await createRunningScenario(service);
    const timestamps = [
      '2026-05-01T10:59:59.999Z',
      '2026-05-01T12:30:00+02:00',
      '2026-05-01 10:00:00',
      1_777_629_600,
      1_777_629_600_123,
      '2026-05-01T13:00:00Z',
    ];
    const { status, text } = await ingest(
      service,
      id,
      timestamps.map((timestamp) => ({ message: 'x', timestamp })),
    );
    expect(status, text).to.equal(200);
    const { timeseries, period } = await getMetrics(service, id);
    expect(timeseries.map(({ hour, logs }: { hour: string; logs: number }) => [hour, logs])).to.deep.equal([
      ['2026-05-01T10:00:00.000Z', 5],
      ['2026-05-01T11:00:00.000Z', 0],
      ['2026-05-01T12:00:00.000Z', 0],
      ['2026-05-01T13:00:00.000Z', 1],
    ]);
    expect(period).to.deep.equal({ from: '2026-05-01T10:00:00.000Z', to: '2026-05-01T14:00:00.000Z' });
    const limited = await getMetrics(service, id, '?from=2026-05-01T11:00:00Z&to=2026-05-02&interval=day');
    expect(limited.totals.logs).to.equal(1);
    expect(limited.timeseries).to.have.length(1);
  });

  it('accepts messages from 1 byte to 256 KiB, and a thousand entries', async () => {
    const { id } = await createRunningScenario(service);
    const largest = 'é'.repeat(128 * 1024);
    const { status, body, text } = await ingest(service, id, [{ message: 'x' }, { message: largest }]);
    expect(status, text).to.equal(200);
    expect(body.results[1].message_preview).to.equal('é'.repeat(200));
    expect(body.results[1].metrics.queue_requests).to.equal(4);
    const thousand = await ingest(
      service,
      id,
      Array.from({ length: 1000 }, () => ({ message: 'y' })),
    );
    expect(thousand.body.accepted).to.equal(1000);
    expect((await getMetrics(service, id)).totals.logs).to.equal(1002);
  });

  it('takes the same entries in every spelling of JSON', async () => {
    const { id } = await createRunningScenario(service);
    const entries = [
      { message: 'größer, "quoted"', level: 'info' },
      { message: ' b ', usage: { output_tokens: 3 } },
    ];
    const [first, second] = entries.map((entry) => JSON.stringify(entry));
    const time = '2026-05-01T00:00:00Z';
    const responses = [];
    for (const text of [
      `[${first},${second}]`,
      `\ufeff[\n  ${first} ,\n\t${second}\n]\n`,
      `{"logs":[${first}, ${second}]}`,
      `${first}\n${second}`,
      `[${first}] [${second}]`,
      `[${first}],${second}`,
      JSON.stringify([entries[0], { ...entries[1], message: undefined, log: ' b ' }]),
      `[${first},${second?.replace('{', `{"timestamp":"${time}",`)}]`,
      `[{"message":"first name counts least",${first?.slice(1)},${second}]`,
    ]) {
      const response = await ingest(service, id, text, { headers: { 'Content-Type': 'application/json' } });
      expect(response.status, text).to.equal(200);
      responses.push(response.body.results.map((result: object) => ({ ...result, id: null, received_at: null })));
    }
    expect(responses[0]).to.have.length(2);
    for (const response of responses) expect(response).to.deep.equal(responses[0]);
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
  });

  it('responds with the same results as the status address, whether or not the worker has sent them', async () => {
    for (const count of [1, 20, 21]) {
      const { id } = await createRunningScenario(service);
      const entries = Array.from({ length: count }, (_, at) => ({
        message: `${at} mail to jane@example.com`,
        ...(at % 2 ? { level: 'info', attributes: { at }, usage: { output_tokens: at } } : {}),
      }));
      const responded = await ingest(service, id, entries);
      expect(responded.status, responded.text).to.equal(200);
      const stored = await service.app.models.logBatch.findOne({ scenarioId: id }, { _id: 1 }).lean();
      const { body } = await service.request('GET', `/api/v1/ingest-jobs/${stored?._id}`);
      expect(responded.body.results).to.have.length(count).and.deep.equal(body.results);
      expect(responded.body.totals).to.deep.equal(body.totals);
    }
  });

  it('has daily metrics if hourly rows would not fit on a page, and pages of the requested interval', async () => {
    const { id } = await createRunningScenario(service);
    await ingest(service, id, [
      { message: 'first', timestamp: '1990-01-01T00:30:00Z' },
      { message: 'last', timestamp: '2026-04-30T23:30:00Z' },
    ]);
    const { timeseries, period, interval, next } = await getMetrics(service, id);
    expect(interval).to.equal('day');
    expect(timeseries).to.have.length(744);
    expect(timeseries[1].hour).to.equal('1990-01-02T00:00:00.000Z');
    expect(period.to).to.equal('2026-05-01T00:00:00.000Z');
    expect(next).to.equal('day:2026-04-30T00:00:00.000Z');
    const rest = await getMetrics(service, id, `?cursor=${next}`);
    expect(rest.timeseries.map(({ hour, logs }: { hour: string; logs: number }) => [hour, logs])).to.deep.equal([
      ['2026-04-30T00:00:00.000Z', 1],
    ]);
    expect(rest.next).to.equal(null);
    expect((await getMetrics(service, id, '?limit=2000')).timeseries).to.have.length(2_000);
    const hours = await getMetrics(service, id, '?interval=hour&limit=3');
    expect(hours.timeseries).to.have.length(3);
    expect(hours.next).to.equal('hour:2026-04-30T23:00:00.000Z');
    const bad = await service.request('GET', `/api/v1/scenarios/${id}/metrics?cursor=x&limit=2001`);
    expectError(bad, 400, 'VALIDATION_ERROR', ['cursor', 'limit']);
    const lastDay = await getMetrics(service, id, `?from=2026-04-30&to=${period.to}`);
    expect(lastDay.totals.logs, 'the period of a response is a valid query').to.equal(1);
  });

  it('responds with 404 for an unknown ingest job, and 400 for a malformed id', async () => {
    expectError(await service.request('GET', `/api/v1/ingest-jobs/${randomUUID()}`), 404, 'NOT_FOUND');
    expectError(await service.request('GET', '/api/v1/ingest-jobs/1'), 400, 'VALIDATION_ERROR', ['id']);
  });

  it('accepts the valid entries of a partial batch, and lists the errors of the others', async () => {
    const { id } = await createRunningScenario(service);
    const entries = [{ message: 'good' }, { message: '' }, { message: 'also good' }, { message: 'x', level: 3 }];
    const { status, body } = await ingest(service, id, entries, { query: '?partial=true' });
    expect(status).to.equal(207);
    expect(body).to.include({ accepted: 2, rejected: 2 });
    expect(body.results.map((result: { message_preview?: string }) => result.message_preview)).to.deep.equal([
      'good',
      undefined,
      'also good',
      undefined,
    ]);
    // The end of an id is the position in the request.
    expect([body.results[0].id, body.results[2].id].map((entryId: string) => entryId.slice(-4))).to.deep.equal([
      '0000',
      '0002',
    ]);
    expect(body.results[1]).to.deep.include({ index: 1, status: 400 });
    expect(body.results[1].error.details[0].field).to.equal('message');
    expect(body.results[3].error.details[0].field).to.equal('level');
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
    const nul = await ingest(service, id, [{ message: 'a\0b' }, { message: 'good' }], { query: '?partial=true' });
    expect(nul.status).to.equal(207);
    expect(nul.body.results[0].error.details[0].field).to.equal('message');
    expect(nul.body.results[1].message_preview).to.equal('good');
    const none = await ingest(service, id, [{}, 5], { query: '?partial=true' });
    expect(none.status).to.equal(207);
    expect(none.body).to.include({ accepted: 0, rejected: 2 });
    const all = await ingest(service, id, [{ message: 'fine' }], { query: '?partial=true' });
    expect(all.status).to.equal(200);
  });

  it('removes logs and usage of a deleted scenario', async () => {
    const { id } = await createRunningScenario(service);
    await ingest(service, id, [{ message: 'a' }, { message: 'b' }]);
    await service.request('DELETE', `/api/v1/scenarios/${id}`);
    const { models } = service.app;
    const ofScenario = { _id: { $gt: id, $lt: `${id}~` } as never };
    await waitUntil('the data to be removed', async () => {
      const counts = await Promise.all([
        models.scenario.countDocuments({ _id: id }),
        models.logBatch.countDocuments({ scenarioId: id }),
        models.usagePlan.countDocuments({ _id: id }),
        models.usageHour.collection.countDocuments(ofScenario),
        models.usageDay.collection.countDocuments(ofScenario),
      ]);
      return counts.every((count) => count === 0);
    });
  });

  describe('flush', () => {
    it('responds when all previously accepted entries are processed', async () => {
      const { id } = await createRunningScenario(service);
      const headers = { Prefer: 'respond-async' };
      const batch = Array.from({ length: 100 }, (_, index) => ({ message: `line ${index}` }));
      await Promise.all(Array.from({ length: 10 }, () => ingest(service, id, batch, { headers })));
      const response = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.equal({ status: 'flushed', pending: 0 });
      expect((await getMetrics(service, id)).totals.logs).to.equal(1000);
      expect((await service.request('POST', '/flush')).body).to.deep.equal({ status: 'flushed', pending: 0 });
    });

    it('refuses a malformed or unknown scenario id', async () => {
      const flush = (id: string) => service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
      expectError(await flush('nonsense'), 400, 'VALIDATION_ERROR', ['X-Scenario-ID']);
      expectError(await flush(randomUUID()), 404, 'NOT_FOUND');
    });
  });

  it('refuses metrics of an unknown scenario and of an invalid period', async () => {
    expectError(await service.request('GET', `/api/v1/scenarios/${randomUUID()}/metrics`), 404, 'NOT_FOUND');
    const { id } = await createScenario(service);
    const metrics = (query: string) => service.request('GET', `/api/v1/scenarios/${id}/metrics${query}`);
    expectError(await metrics('?from=yesterday'), 400, 'VALIDATION_ERROR', ['from']);
    expectError(await metrics('?to=2026-02-30'), 400, 'VALIDATION_ERROR', ['to']);
    expectError(await metrics('?from=2026-05-02&to=2026-05-01'), 400, 'VALIDATION_ERROR', ['from']);
    expectError(await metrics('?interval=week'), 400, 'VALIDATION_ERROR', ['interval']);
    const empty = await getMetrics(service, id);
    expect(empty.totals.logs).to.equal(0);
    expect(empty.timeseries).to.deep.equal([]);
  });
});
