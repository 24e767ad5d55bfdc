import { expect } from 'chai';
import fc from 'fast-check';
import { day, hour } from '../../../shared/durations.ts';
import {
  daySpan,
  divides,
  epochPeriod,
  monthSpan,
  startOfMonth,
  usageNeededFor,
  wholeHours,
} from '../../../shared/usage/periods.ts';

const instant = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const onTheHour = instant.map((date) => new Date(Math.floor(date.getTime() / hour) * hour));
const bound = fc.option(fc.oneof(instant, onTheHour), { nil: undefined });
const period = fc.record({ from: bound, to: bound });

describe('periods', () => {
  it('periods are rounded outward to whole hours, by less than an hour', () => {
    fc.assert(
      fc.property(period, ({ from, to }) => {
        const rounded = wholeHours({ from, to });
        for (const [exact, whole, sign] of [
          [from, rounded.from, -1],
          [to, rounded.to, 1],
        ] as const) {
          expect(whole === undefined).to.equal(exact === undefined);
          if (!exact || !whole) continue;
          const added = (whole.getTime() - exact.getTime()) * sign;
          expect(whole.getTime() % hour).to.equal(0);
          expect(added).to.be.at.least(0);
          expect(added).to.be.below(hour);
        }
        expect(wholeHours(rounded)).to.deep.equal(rounded);
      }),
    );
  });

  it('periods in epoch milliseconds are infinite at an open end', () => {
    expect(epochPeriod({})).to.deep.equal({ from: -Infinity, to: Infinity });
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const whole = wholeHours({ from, to });
        expect(epochPeriod({ from, to })).to.deep.equal({ from: whole.from?.getTime(), to: whole.to?.getTime() });
      }),
    );
  });

  it('periods need the usage from the start of their first month on', () => {
    expect(usageNeededFor({})).to.deep.equal({});
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const month = `${from.toISOString().slice(0, 7)}-01T00:00:00.000Z`;
        expect(usageNeededFor({ from }).from?.toISOString()).to.equal(month);
        expect(usageNeededFor({ to })).to.deep.equal({ to: wholeHours({ to }).to });
      }),
    );
  });

  it('periods divide a day exactly when they have some of its hours, and not all', () => {
    const near = fc.integer({ min: -30, max: 54 });
    fc.assert(
      fc.property(instant, fc.option(near), fc.option(near), (date, first, last) => {
        const start = Math.floor(date.getTime() / day) * day;
        const at = (hours: number | null) => (hours === null ? undefined : new Date(start + hours * hour));
        const from = at(first);
        const to = at(last);
        fc.pre(!from || !to || from < to);
        const hours = Array.from({ length: 24 }, (_, index) => start + index * hour);
        const within = hours.filter((time) => (!from || time >= from.getTime()) && (!to || time < to.getTime()));
        const isPart = within.length > 0 && within.length < 24;
        expect(divides({ from, to }, daySpan(start))).to.equal(isPart);
      }),
    );
  });
});

describe('a UTC month', () => {
  it('begins at its first midnight, and ends where the next one begins', () => {
    fc.assert(
      fc.property(instant, (date) => {
        const start = startOfMonth(date);
        expect(new Date(start).toISOString()).to.equal(`${date.toISOString().slice(0, 7)}-01T00:00:00.000Z`);
        const { end } = monthSpan(start);
        expect(monthSpan(start).start).to.equal(start);
        expect(startOfMonth(new Date(end))).to.equal(end);
        expect(startOfMonth(new Date(end - 1))).to.equal(start);
      }),
    );
  });
});
