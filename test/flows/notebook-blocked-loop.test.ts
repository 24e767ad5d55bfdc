import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createNotebookFixture, startHttpBackend } from '../support/notebook-backends.ts';

const path = '/api/v1/notebooks';

/** Blocks the event loop of this process, in which the workers run. */
function blockEventLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('calls of the notebook backend while the event loop is blocked', () => {
  // Half of it is less than the five seconds after which the servers of the test close an idle
  // connection.
  const deadlineMs = 8000;
  const fixture = createNotebookFixture('http', startHttpBackend, { NOTEBOOK_DEADLINE_MS: String(deadlineMs) });
  const { service, create } = fixture;
  const blockOnce = (ms: number) => {
    let isFirst = true;
    fixture.proxy.received.length = 0;
    fixture.proxy.faultFor = () => {
      if (isFirst) blockEventLoop(ms);
      isFirst = false;
      return undefined;
    };
  };
  const failures = async () => (await service.app.notebookBreaker.state()).failures;

  it('calls get their response, although the time of an attempt has passed', async () => {
    const { id } = await create();
    blockOnce(deadlineMs / 2 + 300);
    const read = await service.request('GET', `${path}/${id}`);
    expect(read.status, read.text).to.equal(200);
    expect(fixture.proxy.received).to.have.length(1);
    expect(await failures()).to.equal(0);
  });

  /** Adds a call with a deadline, past the routes. */
  const callUntil = async (deadlineAt: number) => {
    const jobId = randomUUID();
    const payload = { operation: 'read', notebookId: randomUUID(), requestId: randomUUID(), deadlineAt } as const;
    return service.app.waitForJob('notebook-calls', jobId, 30_000, () =>
      service.app.queues['notebook-calls'].add(payload, { jobId }),
    );
  };

  it('calls end as unavailable after their deadline, which is not a failure of the backend', async () => {
    blockOnce(3500);
    const outcome = await callUntil(Date.now() + 3000);
    expect(outcome.state === 'failed' && outcome.error.code).to.equal('SERVICE_UNAVAILABLE');
    expect(await failures()).to.equal(0);
  });

  it('calls end as unavailable if the deadline passed before the backend was called', async () => {
    fixture.proxy.received.length = 0;
    const outcome = await callUntil(Date.now() - 1);
    expect(outcome.state === 'failed' && outcome.error.code).to.equal('SERVICE_UNAVAILABLE');
    expect(fixture.proxy.received).to.have.length(0);
  });
});
