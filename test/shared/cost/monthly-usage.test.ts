import { expect } from 'chai';
import { detailOfMonths, MonthSums, monthsInPeriod } from '../../../shared/cost/monthly-usage.ts';
import { daySpan, monthSpan, type Period } from '../../../shared/usage/periods.ts';
import { emptyUsage, type HourUsage } from '../../../shared/usage/usage.ts';
import { buildHour, firstHour, hourMs } from './build-usage.ts';

const at = (hours: number) => new Date(firstHour + hours * hourMs);
const june = 31 * 24;
const period: Period = { from: at(10), to: at(june + 5) };

function sumsOf(hours: readonly HourUsage[], within: Period = {}) {
  const sums = new MonthSums(within);
  for (const hour of hours) sums.add(hour);
  return sums.finish();
}

describe('usage by month', () => {
  const hours = [0, 9, 10, june - 1, june, june + 4, june + 5].map((start) => buildHour({ at: start, queue: 1n }));

  it('has two records of a month that the period begins in, and none after its end', () => {
    const { months, firstHour: first, lastHour: last, ...rest } = sumsOf(hours, period);
    expect(months.map(({ hour, logs }) => [hour, logs])).to.deep.equal([
      [at(0), 2n],
      [at(10), 2n],
      [at(june), 2n],
    ]);
    expect([first, last]).to.deep.equal([at(10), at(june + 4)]);
    expect(rest).to.deep.equal({ period });
    expect(monthsInPeriod({ months, period }).map(({ hour }) => hour)).to.deep.equal([at(10), at(june)]);
  });

  it('has one record of each month if the period has no bounds', () => {
    const { months, firstHour: first, lastHour: last } = sumsOf(hours);
    expect(months.map(({ hour, logs }) => [hour, logs])).to.deep.equal([
      [at(0), 4n],
      [at(june), 3n],
    ]);
    expect([first, last]).to.deep.equal([at(0), at(june + 5)]);
    expect(monthsInPeriod({ months, period: {} })).to.deep.equal(months);
  });

  it('has no record of hours without entries', () => {
    const empty: HourUsage = { hour: at(0), ...emptyUsage() };
    expect(sumsOf([empty])).to.deep.equal({ period: {}, months: [], firstHour: null, lastHour: null });
    expect(sumsOf([empty, buildHour({ at: 3 })]).firstHour).to.deep.equal(at(3));
  });

  it('has its lists in the fixed order, and leaves the hours as they are', () => {
    const [second, first] = [buildHour({ queue: 1n, queueType: 'fifo' }), buildHour({ at: 1, queue: 2n })];
    const before = structuredClone([second, first]);
    expect(sumsOf([second, first]).months[0]?.queues).to.deep.equal([
      { type: 'standard', requests: 2n },
      { type: 'fifo', requests: 1n },
    ]);
    expect([second, first]).to.deep.equal(before);
  });

  it('is read by month, except of a month that the period begins or ends in', () => {
    const detailOf = detailOfMonths(period);
    const may = monthSpan(firstHour);
    expect([may, monthSpan(may.end), daySpan(firstHour)].map(detailOf)).to.deep.equal(['hours', 'hours', 'hours']);
    expect(detailOf(monthSpan(Date.UTC(2026, 6)))).to.equal('month');
    expect(detailOfMonths({})(may)).to.equal('month');
  });
});
