import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { QueueName } from '../../shared/all-queues.ts';
import { AppError, type ErrorCode } from '../../shared/errors.ts';
import { encodeFailure } from '../../shared/queues/job-failure.ts';
import { createAccount } from '../support/accounts.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const path = '/api/v1/jobs';

describe('jobs, for admins', () => {
  const service = startTestService();
  let headers: Record<string, string>;
  before(async () => {
    ({ headers } = await createAccount(service));
  });
  const list = async (query: string) => {
    const response = await service.request('GET', `${path}?${query}`, { headers });
    expect(response.status, response.text).to.equal(200);
    return response.body;
  };

  /** Puts a failed job into a queue, as a worker would have left it. */
  const addFailed = async (name: QueueName, payload: object, code: ErrorCode, jobId = randomUUID()) => {
    const { queue } = service.app.queues[name];
    const { redis } = service.app;
    await queue.add('a job', payload, { jobId, delay: 3_600_000 });
    await redis.zrem(queue.toKey('delayed'), jobId);
    await redis.hset(queue.toKey(jobId), 'failedReason', encodeFailure(new AppError(code, 'It failed.')));
    await redis.zadd(queue.toKey('failed'), Date.now(), jobId);
    return jobId;
  };

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
    // As after a failed attempt and one that succeeded.
    const { queue } = service.app.queues['ingest-entries'];
    const reason = encodeFailure(new AppError('SERVICE_UNAVAILABLE', 'Not yet.'));
    await service.app.redis.hset(queue.toKey(byRequest.items[0].id), 'failedReason', reason);
    expect((await list(`request_id=${requestId}&queue=ingest-entries`)).items).to.deep.equal(byRequest.items);
    const byScenario = await list(`scenario_id=${id}`);
    expect(byScenario.items.map(({ queue }: { queue: string }) => queue)).to.include.members(['ingest-entries']);
    expect(JSON.stringify([byRequest, byScenario])).not.to.contain('secret');
    expect((await list(`request_id=${randomUUID()}`)).items).to.deep.equal([]);
  });

  it('jobs are listed by queue and state, page by page', async () => {
    await service.stopWorkers();
    const scenarioId = randomUUID();
    for (let added = 0; added < 5; added += 1) {
      await addFailed('roll-up-usage', { scenarioId, requestId: randomUUID() }, 'SERVICE_UNAVAILABLE');
    }
    const pages: string[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `queue=roll-up-usage&state=failed&scenario_id=${scenarioId}&limit=2`;
      const page = await list(cursor === '' ? query : `${query}&cursor=${encodeURIComponent(cursor)}`);
      pages.push(page.items.map(({ id }: { id: string }) => id));
      cursor = page.next;
    }
    expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 1]);
    expect(new Set(pages.flat()).size).to.equal(5);
    await service.startWorkers();
  });

  it('a request reads a bounded number of jobs', async () => {
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
    await queue.drain();
    await service.startWorkers();
  });

  it('bad input is refused by the name of the field', async () => {
    const bad = {
      'queue=unknown': 'queue',
      'state=broken': 'state',
      'request_id=1': 'request_id',
      'scenario_id=x': 'scenario_id',
      'limit=0': 'limit',
      'limit=101': 'limit',
      'cursor=1': 'cursor',
      'cursor=none:failed:0': 'cursor',
      'queue=roll-up-usage&cursor=delete-scenario:failed:0': 'cursor',
      'state=failed&cursor=delete-scenario:active:0': 'cursor',
      'page=1': 'page',
    };
    for (const [query, field] of Object.entries(bad)) {
      expectError(await service.request('GET', `${path}?${query}`, { headers }), 400, 'VALIDATION_ERROR', [field]);
    }
  });
});
