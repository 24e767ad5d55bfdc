import { expect } from 'chai';
import { day as dayMs, hour as hourMs } from '../../../shared/durations.ts';
import { type DetailOf, ReadingPlan } from '../../../shared/usage/reading-plan.ts';
import type { Detail, Span, UsageSum } from '../../../shared/usage/usage.ts';
import { buildHour } from '../cost/build-usage.ts';

const start = Date.UTC(2026, 0, 1);
const noLevels = { withLevels: false };
const dayAt = (index: number) => start + index * dayMs;
const days = Array.from({ length: 365 }, (_, index) => ({ day: dayAt(index), usageDayId: `day ${index}` }));
/** All months but March. */
const months = new Map(
  Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month))
    .filter((month) => month !== Date.UTC(2026, 2))
    .map((month): [number, UsageSum] => {
      const hour = new Date(month + 5 * hourMs);
      return [month, { ...buildHour({}), hour, last: hour }];
    }),
);

/** By hour up to a day of the year, by day up to another one, the rest by month. */
const upTo =
  (hours: number, sums: number): DetailOf =>
  ({ start: from }: Span): Detail => {
    if (from < dayAt(hours)) return 'hours';
    return from < dayAt(sums) ? 'day' : 'month';
  };

function stepsOf(plan: ReadingPlan): string[] {
  const steps: string[] = [];
  for (let position = 0; position < days.length; ) {
    const step = plan.stepAt(position);
    const how = 'month' in step ? 'month' : step.byHour ? 'hours' : 'sums';
    steps.push(`${how} ${position} to ${step.next}`);
    position = step.next;
  }
  return steps;
}

describe('the steps in which usage is read', () => {
  it('steps are days by hour, days by their sums, and months', () => {
    const plan = new ReadingPlan({ days, months }, {}, upTo(20, 45), noLevels);
    expect(stepsOf(plan).slice(0, 6)).to.deep.equal([
      'hours 0 to 20',
      // February is not read as a month, because a part of it is shown by day. March has no sum.
      'sums 20 to 90',
      'month 90 to 120',
      'month 120 to 151',
      'month 151 to 181',
      'month 181 to 212',
    ]);
  });

  it('days and months in which the period begins or ends are read by hour', () => {
    const period = { from: new Date(dayAt(100) + hourMs), to: new Date(dayAt(190) + hourMs) };
    const plan = new ReadingPlan({ days: days.slice(90, 191), months }, period, () => 'month', noLevels);
    const at = [0, 10, 11, 30, 61, 91, 100].map((position) => {
      const step = plan.stepAt(position);
      return 'month' in step ? 'month' : `${step.byHour ? 'hours' : 'sums'} ${step.pointers.length}`;
    });
    // From April to July: April and July are divided.
    expect(at).to.deep.equal(['sums 10', 'hours 1', 'sums 19', 'month', 'month', 'sums 9', 'hours 1']);
  });

  it('steps are as long as a query permits', () => {
    const plan = new ReadingPlan({ days, months }, {}, () => 'hours', noLevels);
    expect(stepsOf(plan)).to.deep.equal(['hours 0 to 200', 'hours 200 to 365']);
    const withoutMonths = new ReadingPlan({ days, months: new Map() }, {}, () => 'month', noLevels);
    expect(stepsOf(withoutMonths)).to.deep.equal(['sums 0 to 365']);
  });

  it('a plan names where the next entries are as exactly as it is known', () => {
    const seen: Span[] = [];
    const plan = new ReadingPlan(
      { days, months },
      {},
      (_, first) => {
        seen.push(first);
        return 'month';
      },
      noLevels,
    );
    plan.stepAt(0);
    // The first of March, whose month has no sum.
    plan.stepAt(59);
    expect(seen[0]).to.deep.equal({ start: start + 5 * hourMs, end: start + 6 * hourMs });
    expect(seen.at(-1)).to.deep.equal({ start: Date.UTC(2026, 2), end: Date.UTC(2026, 2, 2) });
  });

  it('the opening reads are the first days and the last ones, without those of months', () => {
    const reads = (detailOf: DetailOf) =>
      new ReadingPlan({ days, months }, {}, detailOf, noLevels)
        .openingReads(40)
        .filter(({ pointers }) => pointers.length > 0)
        .map(({ pointers, byHour }) => [byHour, pointers[0]?.usageDayId, pointers.length]);
    expect(reads(upTo(20, 45))).to.deep.equal([[true, 'day 0', 20]]);
    expect(reads(() => 'day')).to.deep.equal([[false, 'day 0', 365]]);
    // A page in December: the first months are sums, and its days are read at first.
    const inDecember: DetailOf = ({ end }) => (end > dayAt(340) ? 'hours' : 'month');
    expect(reads(inDecember)).to.deep.equal([
      [true, 'day 340', 25],
      [false, 'day 334', 6],
    ]);
    expect(new ReadingPlan({ days: [], months }, {}, () => 'hours', noLevels).openingReads(40)).to.deep.equal([]);
  });
});
