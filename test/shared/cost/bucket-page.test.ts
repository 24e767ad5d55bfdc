import { expect } from 'chai';
import { BucketPage, zeroCost } from '../../../shared/cost/paged-cost.ts';
import { emptyUsage } from '../../../shared/usage/usage.ts';

/** Starts of the buckets with entries; a bucket is 10 long. */
function pageOf(starts: number[], limit: number, cursor?: number) {
  const page = new BucketPage({ cursor, limit }, 10, ({ start, usage }) =>
    usage.logs === 0n ? `${start} empty` : start,
  );
  for (const start of starts) page.add({ start, usage: { ...emptyUsage(), logs: 1n }, cost: zeroCost });
  return { rows: page.rows, next: page.next };
}

describe('a page of buckets', () => {
  it('has a row for each bucket between the first and the last with entries', () => {
    expect(pageOf([20, 50, 60], 10)).to.deep.equal({ rows: [20, '30 empty', '40 empty', 50, 60], next: null });
    expect(pageOf([], 10)).to.deep.equal({ rows: [], next: null });
  });

  it('is followed by the row after its last one', () => {
    expect(pageOf([20, 50, 60], 2)).to.deep.equal({ rows: [20, '30 empty'], next: 40 });
    expect(pageOf([20, 50, 60], 2, 40)).to.deep.equal({ rows: ['40 empty', 50], next: 60 });
    expect(pageOf([20, 50, 60], 2, 60)).to.deep.equal({ rows: [60], next: null });
  });

  it('leaves out pages without entries', () => {
    expect(pageOf([0, 30], 2)).to.deep.equal({ rows: [0, '10 empty'], next: 20 });
    expect(pageOf([0, 40], 2)).to.deep.equal({ rows: [0, '10 empty'], next: 40 });
    expect(pageOf([0, 1_000_000], 2)).to.deep.equal({ rows: [0, '10 empty'], next: 1_000_000 });
  });

  it('is empty after the last bucket, and begins with the first one before it', () => {
    expect(pageOf([20, 50], 10, 60)).to.deep.equal({ rows: [], next: null });
    expect(pageOf([20, 30], 10, 0)).to.deep.equal({ rows: [20, 30], next: null });
  });

  it('follows the pages to every bucket with entries, each once', () => {
    const starts = [0, 10, 40, 50, 500, 510, 530, 9_000];
    for (const limit of [1, 2, 3, 7]) {
      const seen: number[] = [];
      let cursor: number | undefined;
      do {
        const { rows, next } = pageOf(starts, limit, cursor);
        expect(rows).to.have.length.within(1, limit);
        for (const row of rows) if (typeof row === 'number') seen.push(row);
        cursor = next ?? undefined;
      } while (cursor !== undefined);
      expect(seen).to.deep.equal(starts);
    }
  });
});
