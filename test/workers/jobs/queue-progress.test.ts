import { expect } from 'chai';
import { createQueueProgress } from '../../../workers/jobs/start-workers.ts';

const start = Date.UTC(2026, 4, 1);

describe('the progress of queues', () => {
  let now = start;
  let jobs = 0;
  const create = () => {
    now = start;
    jobs = 0;
    return createQueueProgress({ names: ['ingest-entries'], countJobs: async () => jobs, now: () => now });
  };

  it('the progress of a stalled queue counts from when it has jobs, not from its last job', async () => {
    const progress = create();
    progress.record('ingest-entries');
    now += 3_600_000;
    const lastProgress = new Date(start).toISOString();
    expect(await progress.report()).to.deep.equal([{ name: 'ingest-entries', lastProgress, stalledMs: 0, stuckMs: 0 }]);
    jobs = 2;
    now += 1_000;
    expect(await progress.report()).to.deep.equal([
      { name: 'ingest-entries', lastProgress, stalledMs: 1_000, stuckMs: 0 },
    ]);
    now += 59_000;
    expect((await progress.report())[0]?.stalledMs).to.equal(60_000);
  });

  it('counts from the start of a worker that finds jobs', async () => {
    const progress = create();
    jobs = 1;
    now += 70_000;
    expect(await progress.report()).to.deep.equal([
      { name: 'ingest-entries', lastProgress: null, stalledMs: 70_000, stuckMs: 0 },
    ]);
    jobs = 0;
    expect((await progress.report())[0]?.stalledMs).to.equal(0);
  });

  it('shows a job that hangs, but not one that waits, ends or makes steps', async () => {
    const progress = create();
    jobs = 1;
    const stuckMs = async () => (await progress.report())[0]?.stuckMs;
    now += 70_000;
    expect(await stuckMs()).to.equal(0);
    let end = () => {};
    const hanging = progress.during('ingest-entries', () => new Promise<void>((resolve) => (end = resolve)));
    now += 30_000;
    expect(await stuckMs()).to.equal(30_000);
    progress.record('ingest-entries');
    now += 10_000;
    expect(await stuckMs()).to.equal(10_000);
    const failing = progress.during('ingest-entries', () => Promise.reject(new Error('failed')));
    expect(await failing.catch(() => 'failed')).to.equal('failed');
    expect(await stuckMs()).to.equal(0);
    now += 50_000;
    expect(await stuckMs()).to.equal(50_000);
    end();
    await hanging;
    now += 50_000;
    expect(await stuckMs()).to.equal(0);
  });
});
