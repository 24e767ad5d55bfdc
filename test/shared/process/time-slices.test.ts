import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { mapInSlices } from '../../../shared/process/time-slices.ts';

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
  it('maps a list in order', async () => {
    const mapped = mapInSlices([1, 2, 3, 4], (item, index) => {
      work();
      return item * 10 + index;
    });
    expect(await turnsDuring(mapped)).to.be.at.least(2);
    expect(await mapped).to.deep.equal([10, 21, 32, 43]);
  });

  it('ends with the error of a step', async () => {
    const failed = await mapInSlices([1], () => {
      throw new Error('no');
    }).catch((error: Error) => error.message);
    expect(failed).to.equal('no');
  });
});
