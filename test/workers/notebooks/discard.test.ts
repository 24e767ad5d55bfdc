import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { minute } from '../../../shared/durations.ts';
import { discardJobId } from '../../../shared/notebooks/notebook-calls.queue.ts';
import { PermanentFailure } from '../../../shared/queues/job-failure.ts';
import { chooseBackend } from '../../../workers/notebooks/backends/choose-backend.ts';
import { notebookCallsProcessor } from '../../../workers/notebooks/notebook-calls.processor.ts';
import { notebookLock } from '../../../workers/notebooks/notebook-lock.ts';
import {
  createNotebookFixture,
  type RunningBackend,
  startHttpBackend,
  startOpenNotebook,
} from '../../support/notebook-backends.ts';
import type { Fault } from '../../support/proxy.ts';
import { expectError } from '../../support/requests.ts';
import { waitUntil } from '../../support/wait-until.ts';

const path = '/api/v1/notebooks';

/**
 * A Retry-After beyond every deadline, so that the service gives up at once, after the notebook was
 * created.
 */
const busy = { status: 503, headers: { 'Retry-After': '3600' } };
const failAfterWork = (method: string): Fault => (method === 'GET' ? busy : { ...busy, afterWork: true });

for (const [kind, start] of [
  ['http', startHttpBackend],
  ['open-notebook', startOpenNotebook],
] as [string, () => Promise<RunningBackend>][]) {
  describe(`an abandoned create (${kind})`, () => {
    const fixture = createNotebookFixture(kind, start);

    it('leaves no notebook at the backend', async () => {
      const { service } = fixture;
      fixture.proxy.faultFor = failAfterWork;
      expectError(await service.request('POST', path, { body: { title: 'abandoned' } }), 502, 'UPSTREAM_ERROR');
      expect(await fixture.backend.count()).to.equal(1);
      fixture.proxy.faultFor = () => undefined;
      const { queue } = service.app.queues['notebook-calls'];
      const [discard] = await queue.getJobs(['delayed']);
      if (!discard) throw new Error('No discard job was added.');
      expect(discard.data).to.include({ operation: 'discard' });
      expect(discard.id).to.contain((discard.data as { notebookId: string }).notebookId);
      await discard.promote();
      await waitUntil('the leftover to be removed', async () => (await fixture.backend.count()) === 0);
    });

    it('adds no discard job if the backend was not called or rejected the request', async () => {
      const { service } = fixture;
      const { app, config } = service;
      const { queue } = app.queues['notebook-calls'];
      const discards = async () => (await queue.getJobs(['delayed'])).length;
      const before = await discards();
      fixture.proxy.faultFor = () => ({ status: 401 });
      expectError(await service.request('POST', path, { body: { title: 'refused' } }), 502, 'UPSTREAM_ERROR');
      expect(await discards()).to.equal(before);
      fixture.proxy.faultFor = () => ({ status: 503 });
      // The circuit opens only after failures over some seconds.
      await app.redis.hset(`${config.redisPrefix}:notebook-breaker`, 'since', 0);
      await waitUntil('the circuit to open', () => app.notebookBreaker.recordFailure('it is unreachable'));
      expectError(await service.request('POST', path, { body: { title: 'never sent' } }), 502, 'UPSTREAM_ERROR');
      expect(await discards()).to.equal(before);
      fixture.proxy.faultFor = () => undefined;
      await waitUntil('the circuit to close', async () => !(await app.notebookBreaker.state()).open);
    });

    it('leaves no notebook if its worker died and another took the job over after the deadline', async () => {
      const { app, config } = fixture.service;
      const notebookBackend = chooseBackend(config.notebooks, notebookLock(app));
      const deps = { ...app, notebookBackend };
      const before = await fixture.backend.count();
      const notebook = {
        notebookId: randomUUID(),
        title: 'abandoned',
        description: null,
        createdAt: '2026-05-01T12:00:00.000Z',
      };
      const requestId = randomUUID();
      const call = { requestId, signal: AbortSignal.timeout(5000), repeated: false };
      await notebookBackend.create({ id: notebook.notebookId, ...notebook }, call);
      const deadlineAt = Date.now() - 1;
      const payload = { operation: 'create', ...notebook, attemptedBefore: false, requestId, deadlineAt } as const;
      const discard = () => app.queues['notebook-calls'].queue.getJob(discardJobId(payload));
      const take = async (first: boolean) => {
        const failure = await notebookCallsProcessor
          .run(payload, deps as never, {
            number: 1,
            first,
            last: false,
            reportProgress: () => {},
            announceResult: () => {},
          })
          .catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(PermanentFailure);
      };
      await take(true);
      expect(await discard()).to.equal(undefined);
      await take(false);
      const added = await discard();
      expect(added?.data).to.include({ operation: 'discard', notebookId: notebook.notebookId });
      await added?.promote();
      await waitUntil('the leftover to be removed', async () => (await fixture.backend.count()) === before);
    });

    it('does not remove a notebook that has a record', async () => {
      const { service } = fixture;
      const { id } = await fixture.create();
      const deadlineAt = Date.now() + minute;
      const payload = { operation: 'discard', notebookId: id, requestId: randomUUID(), deadlineAt } as const;
      const jobId = discardJobId(payload);
      const calls = service.app.queues['notebook-calls'];
      await calls.add(payload, { jobId });
      const result = async () => (await calls.queue.getJob(jobId))?.returnvalue ?? undefined;
      expect(await waitUntil('the job to be done', result)).to.deep.equal({ outcome: 'absent' });
      expect((await service.request('GET', `${path}/${id}`)).status).to.equal(200);
    });

    it('is completed by the same POST with its Idempotency-Key; abandoned again, it is removed again', async () => {
      const { service } = fixture;
      const { queue } = service.app.queues['notebook-calls'];
      const before = await fixture.backend.count();
      const discards = async () => (await queue.getJobs(['delayed'])).filter(({ id }) => id?.startsWith('discard-'));
      const post = (key: string) =>
        service.request('POST', path, { headers: { 'Idempotency-Key': key }, body: { title: 'once more' } });
      const abandon = async (key: string) => {
        fixture.proxy.faultFor = failAfterWork;
        expectError(await post(key), 502, 'UPSTREAM_ERROR');
        fixture.proxy.faultFor = () => undefined;
      };
      const runDiscards = async () => {
        for (const discard of await discards()) {
          await discard.promote();
          await waitUntil('the discard', async () => (await queue.getJob(discard.id ?? ''))?.finishedOn !== undefined);
        }
      };
      const [completedKey, abandonedKey] = [randomUUID(), randomUUID()];
      await abandon(completedKey);
      const created = await post(completedKey);
      expect(created.status, created.text).to.equal(201);
      await runDiscards();
      expect((await service.request('GET', `${path}/${created.body.data.id}`)).status).to.equal(200);
      expect(await fixture.backend.count()).to.equal(before + 1);

      for (const _ of [1, 2]) {
        await abandon(abandonedKey);
        expect(await discards()).to.have.length(1);
        await runDiscards();
        expect(await fixture.backend.count()).to.equal(before + 1);
      }
    });
  });
}
