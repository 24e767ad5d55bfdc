import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { discardJobId } from '../../../shared/queues/notebook-calls.queue.ts';
import {
  notebookFixture,
  type RunningBackend,
  startHttpBackend,
  startOpenNotebook,
} from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { waitUntil } from '../../support/wait-until.ts';

const path = '/api/v1/notebooks';

for (const [kind, start] of [
  ['http', startHttpBackend],
  ['open-notebook', startOpenNotebook],
] as [string, () => Promise<RunningBackend>][]) {
  describe(`a create that was given up (${kind})`, () => {
    const all = notebookFixture(kind, start, { NOTEBOOK_DEADLINE_MS: '1000' });

    it('leaves nothing at the backend', async () => {
      const { service } = all;
      all.proxy.fault = (method) => (method === 'GET' ? { status: 503 } : 'reset after');
      expectError(await service.request('POST', path, { body: { title: 'given up' } }), 502, 'UPSTREAM_ERROR');
      expect(await all.backend.count()).to.be.above(0);
      all.proxy.fault = () => undefined;
      const { queue } = service.app.queues['notebook-calls'];
      const [discard] = await queue.getJobs(['delayed']);
      if (!discard) throw new Error('no discard was added');
      expect(discard.data).to.include({ operation: 'discard' });
      expect(discard.id).to.equal(discardJobId((discard.data as { notebookId: string }).notebookId));
      await discard.promote();
      await waitUntil('the leftover to be removed', async () => (await all.backend.count()) === 0);
    });

    it('does not remove a notebook that is there after all', async () => {
      const { service } = all;
      const { id } = await all.create();
      const jobId = discardJobId(id);
      const payload = { operation: 'discard', notebookId: id, requestId: randomUUID() } as const;
      const calls = service.app.queues['notebook-calls'];
      await calls.add({ ...payload, deadlineAt: Date.now() + 5000 }, { jobId });
      await waitUntil('the job to end', async () => (await calls.queue.getJob(jobId))?.finishedOn !== undefined);
      expect((await service.request('GET', `${path}/${id}`)).status).to.equal(200);
    });
  });
}
