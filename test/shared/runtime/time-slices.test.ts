import { expect } from 'chai';
import { mapInSlices } from '../../../shared/runtime/time-slices.ts';

/** Keeps the thread busy. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('work in slices', () => {
  it('gives the results in order, and other work its turn', async () => {
    let turns = 0;
    let running = true;
    const count = () => {
      turns += 1;
      if (running) setImmediate(count);
    };
    count();
    const items = Array.from({ length: 20 }, (_, index) => index);
    const work = (item: number, index: number) => {
      spin(6);
      return [item, index];
    };
    const results = await Promise.all([mapInSlices(items, work), mapInSlices(items, work)]);
    running = false;
    for (const result of results) expect(result).to.deep.equal(items.map((item) => [item, item]));
    // Two pieces of 6 ms use up a slice, also where they belong to different computations.
    expect(turns).to.be.at.least(15);
  });

  it('of nothing ends', async () => {
    expect(await mapInSlices([], spin)).to.deep.equal([]);
  });
});
