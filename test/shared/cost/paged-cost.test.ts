import { expect } from 'chai';
import { createBucketPage, type PageOptions, priceByPage } from '../../../shared/cost/paged-cost.ts';
import { CostSum } from '../../../shared/cost/price-month.ts';
import { day } from '../../../shared/durations.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { type Interval, intervalLength } from '../../../shared/usage/periods.ts';
import { emptyUsage, type HourCounters } from '../../../shared/usage/stored-hour.ts';
import { randomInteger } from '../../support/random-choices.ts';
import { buildHour, byDay, defaultPricing, firstHour, hourMs, priceOf } from './build-usage.ts';

const maxHours = 40;
const priceByPageOf = (
  hours: HourCounters[],
  page: Partial<PageOptions> = {},
  period: { from?: Date; to?: Date } = {},
) => priceByPage(byDay(hours), { ...defaultPricing, ...period }, { maxHours, limit: 1_000, ...page });

describe('the cost by page', () => {
  it('is that of all buckets, with the rows of one page', async () => {
    const random = seededRandom(21);
    for (let round = 0; round < 150; round += 1) {
      const span = round % 2 === 0 ? 60 : 2_000;
      const hours = Array.from({ length: randomInteger(random, 0, 30) }, () =>
        buildHour({ at: randomInteger(random, 0, span), queue: BigInt(randomInteger(random, 0, 9_000_000)) }),
      );
      const at = (hour: number) => new Date(firstHour + hour * hourMs);
      const period =
        round % 3 === 0 ? { from: at(randomInteger(random, 0, 30)), to: at(randomInteger(random, 31, span)) } : {};
      const interval = (['hour', 'day', undefined] as const)[round % 3];
      const limit = randomInteger(random, 1, 12);
      const cursor = round % 4 === 0 ? Math.floor(at(randomInteger(random, 0, 50)).getTime() / day) * day : undefined;

      const paged = await priceByPageOf(hours, { interval, limit, cursor }, period);
      const chosen: Interval = interval ?? (priceOf(hours, period).buckets.length <= maxHours ? 'hour' : 'day');
      const { buckets, ...cost } = priceOf(hours, { interval: chosen, ...period });
      const page = createBucketPage({ limit, cursor }, intervalLength(chosen));
      for (const bucket of buckets) if (bucket.usage.logs > 0) page.add(bucket);
      expect(paged).to.deep.equal({ ...cost, interval: chosen, rows: page.rows, next: page.next });
    }
  });

  it('has hours by default as long as they do not exceed the limit, and days beyond it', async () => {
    const upTo = (last: number) => [buildHour({ at: 3 }), buildHour({ at: 3 + last })];
    expect((await priceByPageOf(upTo(maxHours - 1))).interval).to.equal('hour');
    expect((await priceByPageOf(upTo(maxHours))).interval).to.equal('day');
    expect((await priceByPageOf(upTo(maxHours), { interval: 'hour' })).rows).to.have.length(maxHours + 1);
    expect((await priceByPageOf([])).interval).to.equal('hour');
    const empty = [...upTo(5), buildHour({ at: 500, logs: 0n })];
    expect((await priceByPageOf(empty)).interval, 'hours without entries').to.equal('hour');
    const to = new Date(firstHour + 50 * hourMs);
    expect((await priceByPageOf([...upTo(5), buildHour({ at: 60 })], {}, { to })).interval).to.equal('hour');
  });

  it('counts the hours before the period for its free amounts only', async () => {
    const hours = [buildHour({ at: 0, queue: 5n }), buildHour({ at: 100, queue: 5n })];
    const { interval, rows, usage } = await priceByPageOf(hours, {}, { from: new Date(firstHour + 90 * hourMs) });
    expect({ interval, rows: rows.length, logs: usage.logs }).to.deep.equal({ interval: 'hour', rows: 1, logs: 1n });
  });
});

/** Starts of the buckets with entries; a bucket is 10 long. */
function pageOf(starts: number[], limit: number, cursor?: number) {
  const page = createBucketPage({ cursor, limit }, 10);
  for (const start of starts) page.add({ start, usage: { ...emptyUsage(), logs: 1n }, cost: new CostSum().cost() });
  return { rows: page.rows.map(({ start, usage }) => (usage.logs === 0 ? `${start} empty` : start)), next: page.next };
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
