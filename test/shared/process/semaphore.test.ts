import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createSemaphore } from '../../../shared/process/semaphore.ts';

describe('a semaphore', () => {
  it('runs at most as many tasks at the same time as its limit, in order, also after a failure', async () => {
    const withSlot = createSemaphore(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const tasks = [0, 1, 2, 3].map((index) =>
      withSlot(async () => {
        started.push(index);
        await new Promise<void>((resolve) => {
          ends[index] = resolve;
        });
        if (index === 0) throw new Error('failed');
        return index;
      }),
    );
    const outcomes = Promise.allSettled(tasks);
    await turn();
    expect(started).to.deep.equal([0, 1]);
    ends[0]?.();
    await turn();
    expect(started).to.deep.equal([0, 1, 2]);
    ends[2]?.();
    await turn();
    expect(started).to.deep.equal([0, 1, 2, 3]);
    ends[1]?.();
    ends[3]?.();
    const statuses = (await outcomes).map(({ status }) => status);
    expect(statuses).to.deep.equal(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(await withSlot(async () => 'free again')).to.equal('free again');
  });
});
