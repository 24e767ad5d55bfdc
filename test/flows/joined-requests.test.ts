import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Account, createAccount } from '../support/accounts.ts';
import { createRunningScenario, expectError, getMetrics, ingest, processAll, successOf } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/jobs';

describe('requests whose entries share a row', () => {
  const service = startTestService({ workers: false });
  let admin: Account;
  before(async () => {
    admin = await createAccount(service);
  });
  const rowsOf = (scenarioId: string) => service.app.models.logBatch.find({ scenarioId }).lean();
  const hashOf = (message: string) => createHash('sha256').update(message).digest('hex');
  const hashesOf = ({ body }: TestResponse): string[] =>
    (body.results ?? [body]).map((entry: { message_hash?: string }) => entry.message_hash ?? 'rejected');

  /** Sends requests at the same time until some share a row. How many do depends on the machine. */
  async function sendJoined<Response>(send: (id: string) => Promise<Response>[]) {
    let found: { id: string; responses: Response[] } | undefined;
    await waitUntil('requests to share a row', async () => {
      const { id } = await createRunningScenario(service);
      const responses = await Promise.all(send(id));
      found = { id, responses };
      return (await rowsOf(id)).some(({ requests }) => (requests?.length ?? 0) > 1);
    });
    return found as { id: string; responses: Response[] };
  }

  it('requests get their own entries, errors and totals, beside those with a key and of another caller', async () => {
    await service.startWorkers();
    const { headers: other } = await createAccount(service);
    const singles = Array.from({ length: 8 }, (_, index) => `single ${index}`);
    const lists = Array.from({ length: 6 }, (_, index) => [
      { message: `list ${index}` },
      { message: `second of ${index}` },
    ]);
    const { id, responses } = await sendJoined((scenarioId) => [
      ...singles.map((message) => ingest(service, scenarioId, { message })),
      ...lists.map((list) => ingest(service, scenarioId, list)),
      ingest(service, scenarioId, [{ text: 'bad' }, { message: 'good' }], { query: '?partial=true' }),
      ingest(service, scenarioId, [{ text: 'bad' }]),
      ingest(service, scenarioId, { message: 'keyed' }, { headers: { 'Idempotency-Key': scenarioId } }),
      ingest(service, scenarioId, { message: 'keyed' }, { headers: { 'Idempotency-Key': scenarioId } }),
      ingest(service, scenarioId, { message: 'of another caller' }, { headers: other }),
    ]);
    const expected = [
      ...singles.map((message) => [message]),
      ...lists.map((list) => list.map(({ message }) => message)),
      [null, 'good'],
      null,
      ['keyed'],
      ['keyed'],
      ['of another caller'],
    ];
    for (const [at, messages] of expected.entries()) {
      const response = responses[at] as TestResponse;
      if (!messages) {
        expectError(response, 400, 'VALIDATION_ERROR');
        continue;
      }
      expect(response.status, response.text).to.equal(messages.includes(null) ? 207 : 200);
      expect(hashesOf(response)).to.deep.equal(messages.map((one) => (one === null ? 'rejected' : hashOf(one))));
      const accepted = messages.filter((one) => one !== null).length;
      if (response.body.totals)
        expect([response.body.accepted, response.body.totals.logs]).to.deep.equal([accepted, accepted]);
    }
    const ids = responses.flatMap(({ body }) => (body.results ?? [body]).map((entry: { id?: string }) => entry.id));
    const unique = new Set(ids.filter((one) => one !== undefined));
    const stored = 8 + 12 + 1 + 1 + 1;
    expect(unique.size, 'ids of entries').to.equal(stored);
    expect((await getMetrics(service, id)).totals.logs).to.equal(stored);
    await service.stopWorkers();
  });

  it('requests without a worker get 202 and the state of their own entries, and jobs are found by each', async () => {
    const lists = Array.from({ length: 8 }, (_, index) =>
      Array.from({ length: index + 1 }, (_one, at) => ({ message: `entry ${at} of ${index}` })),
    );
    const headers = { Prefer: 'respond-async' };
    const { id, responses } = await sendJoined((scenarioId) =>
      lists.map((list) => ingest(service, scenarioId, list, { headers })),
    );
    for (const [index, { status, body }] of responses.entries()) {
      expect([status, body.accepted]).to.deep.equal([202, index + 1]);
      expect((await service.request('GET', body.status_url)).body).to.include({
        status: 'queued',
        accepted: index + 1,
      });
    }
    const joined = (await rowsOf(id)).find(({ requests }) => requests);
    for (const request of joined?.requests ?? []) {
      const { body } = await service.request('GET', `/api/v1/jobs?request_id=${request.id}`, admin);
      expect(body.items.map(({ id: job }: { id: string }) => job)).to.deep.equal([joined?._id]);
    }
    await processAll(service);
    for (const [index, { body }] of responses.entries()) {
      const { body: job } = await service.request('GET', body.status_url);
      expect([job.job_id, job.status, job.accepted]).to.deep.equal([body.job_id, 'completed', index + 1]);
      const hashes = job.results.map((entry: { message_hash: string }) => entry.message_hash);
      expect(hashes).to.deep.equal(lists[index]?.map(({ message }) => hashOf(message)));
    }
    expect((await getMetrics(service, id)).totals.logs).to.equal(36);
    const [last] = responses.slice(-1) as [TestResponse];
    const between = `${(last.body.job_id as string).slice(0, 32)}ffff`;
    expectError(await service.request('GET', `/api/v1/ingest-jobs/${between}`), 404, 'NOT_FOUND');
  });

  describe('jobs, for admins', () => {
    before(() => service.startWorkers());
    after(() => service.stopWorkers());
    const list = async (query: string) => (await successOf(service.request('GET', `${path}?${query}`, admin))).body;

    it('jobs are found by the id of their request and by scenario, without the text of messages', async () => {
      const { id } = await createRunningScenario(service);
      const requestId = randomUUID();
      await ingest(service, id, { message: 'a secret text' }, { headers: { 'X-Request-ID': requestId } });
      const byRequest = await list(`request_id=${requestId}&queue=ingest-entries`);
      expect(byRequest.items).to.have.length(1);
      expect(byRequest.items[0]).to.include({
        queue: 'ingest-entries',
        name: 'process log entries',
        state: 'completed',
        request_id: requestId,
        scenario_id: id,
        notebook_id: null,
        attempts: 1,
        error: null,
      });
      const byScenario = await list(`scenario_id=${id}`);
      expect(byScenario.items.map(({ queue }: { queue: string }) => queue)).to.include.members(['ingest-entries']);
      expect(JSON.stringify([byRequest, byScenario])).not.to.contain('secret');
      expect((await list(`request_id=${randomUUID()}`)).items).to.deep.equal([]);
    });

    it('jobs are listed by queue and state, page by page, of which a request reads a bounded number', async () => {
      await service.stopWorkers();
      const { queue } = service.app.queues['delete-scenario'];
      const job = (scenarioId: string) => ({ name: 'x', data: { scenarioId, requestId: randomUUID() } });
      const sought = randomUUID();
      await queue.addBulk([job(sought), ...Array.from({ length: 1100 }, () => job(randomUUID()))]);
      const first = await list(`queue=delete-scenario&state=waiting&scenario_id=${sought}`);
      expect(first).to.deep.equal({ items: [], scanned: 1000, next: 'delete-scenario:waiting:1000' });
      const second = await list(`queue=delete-scenario&state=waiting&scenario_id=${sought}&cursor=${first.next}`);
      expect(second.items).to.have.length(1);
      expect(second).to.include({ scanned: 101, next: null });
      const found = new Set<string>();
      for (let cursor: string | null = 'delete-scenario:waiting:0'; cursor !== null; ) {
        const page = await list(`queue=delete-scenario&state=waiting&limit=100&cursor=${cursor}`);
        for (const { id } of page.items) found.add(id);
        cursor = page.next;
      }
      expect(found.size).to.equal(1101);
      await queue.drain();
      await service.startWorkers();
    });
  });
});
