import { expect } from 'chai';
import { detailOfMonths, MonthSums, priceMonths } from '../../../shared/cost/scenario-cost.ts';
import { daySpan, monthSpan, type Period } from '../../../shared/usage/periods.ts';
import { emptyUsage, type HourCounters } from '../../../shared/usage/stored-hour.ts';
import { buildHour, defaultPricing, firstHour, hourMs } from './build-usage.ts';

const at = (hours: number) => new Date(firstHour + hours * hourMs);
const june = 31 * 24;
const period: Period = { from: at(10), to: at(june + 5) };

function sumsOf(hours: readonly HourCounters[], within: Period = {}) {
  const sums = new MonthSums(within);
  for (const hour of hours) sums.add(hour);
  return sums.finish();
}

describe('usage by month', () => {
  const hours = [0, 9, 10, june - 1, june, june + 4, june + 5].map((start) => buildHour({ at: start, queue: 1n }));

  it('has two records of a month that the period begins in, and none after its end', () => {
    const { months } = sumsOf(hours, period);
    expect(months.map(({ first, last, logs }) => [first, last, logs])).to.deep.equal([
      [at(0), at(9), 2n],
      [at(10), at(june - 1), 2n],
      [at(june), at(june + 4), 2n],
    ]);
  });

  it('does not depend on the order of the parts', () => {
    expect(sumsOf([...hours].reverse(), period)).to.deep.equal(sumsOf(hours, period));
  });

  it('has one record of each month if the period has no bounds', () => {
    const { months } = sumsOf(hours);
    expect(months.map(({ first, last, logs }) => [first, last, logs])).to.deep.equal([
      [at(0), at(june - 1), 4n],
      [at(june), at(june + 5), 3n],
    ]);
  });

  it('has no record of hours without entries', () => {
    const empty: HourCounters = { hour: at(0), ...emptyUsage() };
    expect(sumsOf([empty])).to.deep.equal({ period: {}, months: [] });
    expect(sumsOf([empty, buildHour({ at: 3 })]).months[0]!.first).to.deep.equal(at(3));
  });

  it('leaves the hours as they are', () => {
    const both = [buildHour({ queue: 1n, queueType: 'fifo' }), buildHour({ at: 1, queue: 2n })];
    const before = structuredClone(both);
    expect(sumsOf(both).months[0]?.queues).to.deep.equal({ standard: 2n, fifo: 1n });
    expect(both).to.deep.equal(before);
  });

  it('has the work of a pipeline, and priced months have that of the period', async () => {
    const workOf = (sends: bigint) => ({
      parts: { queue: { sends } },
      messages: sends,
      modelEntries: 0n,
      invocationsBy: {},
    });
    const worked = [0, 10, 11, june].map((start) => ({ ...buildHour({ at: start }), work: workOf(BigInt(start + 1)) }));
    const usage = sumsOf(worked, period);
    expect(usage.months.map(({ work }) => work?.parts.queue.sends)).to.deep.equal([1n, 23n, BigInt(june + 1)]);
    const { months } = await priceMonths(usage, { ...defaultPricing, assumptions: { pipeline: {} } });
    expect(months.map(({ month, work }) => [month, work?.messages])).to.deep.equal([
      [firstHour, 23n],
      [firstHour + june * hourMs, BigInt(june + 1)],
    ]);
    const plain = sumsOf(hours);
    const priced = await priceMonths(plain, defaultPricing);
    for (const month of [...plain.months, ...priced.months]) expect(month).not.to.have.property('work');
  });

  it('is read by month, except of a month that the period begins or ends in', () => {
    const detailOf = detailOfMonths(period);
    const may = monthSpan(firstHour);
    expect([may, monthSpan(may.end), daySpan(firstHour)].map(detailOf)).to.deep.equal(['hours', 'hours', 'hours']);
    expect(detailOf(monthSpan(Date.UTC(2026, 6)))).to.equal('month');
    expect(detailOfMonths({})(may)).to.equal('month');
  });
});
