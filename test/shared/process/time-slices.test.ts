import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { isSliceOver, nextSlice } from '../../../shared/process/time-slices.ts';

/** Keeps the processor busy for longer than a slice. */
function work(): void {
  const end = performance.now() + 15;
  while (performance.now() < end);
}

async function turnsDuring(computation: Promise<unknown>): Promise<number> {
  let turns = 0;
  const counting = new AbortController();
  const count = async () => {
    for (;;) {
      await setImmediate(undefined, { signal: counting.signal });
      turns += 1;
    }
  };
  const counted = count().catch(() => {});
  await computation;
  counting.abort();
  await counted;
  return turns;
}

describe('a computation in slices', () => {
  it('lets other work proceed between the slices', async () => {
    const computation = async () => {
      for (let step = 0; step < 4; step += 1) {
        if (isSliceOver()) await nextSlice();
        work();
      }
    };
    expect(await turnsDuring(computation())).to.be.at.least(2);
  });
});
