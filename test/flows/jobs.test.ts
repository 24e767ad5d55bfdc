import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createAccount } from '../support/accounts.ts';
import { createRunningScenario, ingest, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const path = '/api/v1/jobs';

describe('jobs, for admins', () => {
  const service = startTestService();
  let headers: Record<string, string>;
  before(async () => {
    ({ headers } = await createAccount(service));
  });
  const list = async (query: string) => (await successOf(service.request('GET', `${path}?${query}`, { headers }))).body;

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
