import { expect } from 'chai';
import { countByLevel } from '../../../api/cost/level-counts.routes.ts';
import { emptyUsage, type HourUsage } from '../../../shared/usage/usage.ts';
import { secondsOf } from '../../shared/cost/build-usage.ts';

const hour = (start: number, logs: bigint, errors: bigint): HourUsage => ({
  ...emptyUsage(),
  hour: new Date(start),
  logs,
  levels: [
    { level: 'error', entries: errors, sizeBytes: 0n, chunks: 0n, functions: [], inference: [], seconds: secondsOf(0) },
  ],
});

async function* daysOf(...days: HourUsage[][]) {
  yield* days;
}

describe('entries by level', () => {
  it('entries are counted by level', async () => {
    const days = daysOf([hour(0, 2n, 2n), hour(3_600_000, 3n, 3n)]);
    const { rows } = await countByLevel(days, { interval: 'day', limit: 10 });
    expect(rows.map(({ start, logs }) => [start, [...logs]])).to.deep.equal([[0, [['error', 5n]]]]);
  });

  it('hours without entries are left out, and the rows stop at the limit', async () => {
    const at = (index: number) => index * 3_600_000;
    const days = daysOf([hour(at(0), 1n, 1n), hour(at(1), 0n, 0n), hour(at(2), 1n, 1n)], [hour(at(24), 1n, 1n)]);
    const { rows, next } = await countByLevel(days, { interval: 'hour', limit: 2 });
    expect(rows.map(({ start }) => start)).to.deep.equal([at(0), at(2)]);
    expect(next).to.equal(at(24));
  });
});
