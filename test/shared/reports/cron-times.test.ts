import { expect } from 'chai';
import { Temporal } from 'temporal-polyfill';
import { day, minute } from '../../../shared/durations.ts';
import { findCronError, isTimeZone, nextRuns } from '../../../shared/reports/cron-times.ts';
import cases from './cron-times.json' with { type: 'json' };

const runsOf = (cron: string, after: string, count: number, timezone: string) =>
  nextRuns({ cron, timezone }, new Date(after), count).map((run) => run.toISOString().replace(':00.000Z', ''));

describe('cron expressions', () => {
  for (const cron of cases.accepted)
    it(`the expression "${cron}" is accepted`, () => expect(findCronError(cron)).to.equal(undefined));

  const tooLong = [`${'0,'.repeat(60)}0 0 * * *`, 'five fields'];
  for (const [cron = '', error] of [...cases.refused, tooLong])
    it(`the expression "${cron.slice(0, 20)}" is refused`, () => expect(findCronError(cron)).to.include(error));

  it('the search runs in every zone that is accepted, also under a name that only Node.js knows', () => {
    const after = new Date('2026-03-01T00:00:00Z');
    const runIn = (timezone: string) => nextRuns({ cron: '0 9 * * *', timezone }, after, 1)[0]?.toISOString();
    for (const name of ['PST', 'IST', 'AST', 'ACT', 'MIT', 'JST', 'CST'].filter(isTimeZone)) {
      const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
      expect(runIn(name), name).to.equal(runIn(known));
    }
  });

  it('time zones are known by their IANA names', () => {
    for (const name of ['UTC', 'Europe/Vienna', 'America/St_Johns']) expect(isTimeZone(name), name).to.equal(true);
    for (const name of ['Nowhere/City', '+02:00', 'local', '', 'UTC+2']) expect(isTimeZone(name), name).to.equal(false);
  });
});

describe('the runs of a cron expression', () => {
  for (const { what, cron, timezone, after, runs } of cases.runs)
    it(`${what}: ${cron}`, () => expect(runsOf(cron, after, runs.length, timezone)).to.deep.equal(runs));

  it('a daily run at any quarter of the hours around a change has one run a day, for all changes of the next 14 months', () => {
    const quarters = Array.from({ length: 8 * 4 }, (_, index) => (index - 16) * 15);
    for (const { timezone, ...change } of nextChanges().values()) {
      const changedAt = Math.round(((change.at + change.before) % day) / minute / 15) * 15;
      for (const distance of quarters) {
        const time = (changedAt + distance + 24 * 60) % (24 * 60);
        const expected = [-1, 0, 1].map((days) => runAround(change, days, time));
        const cron = `${time % 60} ${Math.floor(time / 60)} * * *`;
        const runs = nextRuns({ cron, timezone }, new Date((expected[0] ?? 0) - 1), expected.length);
        expect(runs.map(Number), `${cron} in ${timezone}`).to.deep.equal(expected);
      }
    }
  });
});

interface ClockChange {
  /** Milliseconds since 1970. */
  at: number;
  /** Distances from UTC in milliseconds, before and after. */
  before: number;
  after: number;
}

/** The changes of all zones, each in one of the zones that have it. */
function nextChanges(): Map<string, ClockChange & { timezone: string }> {
  const changes = new Map<string, ClockChange & { timezone: string }>();
  const offsetOf = (time: Temporal.ZonedDateTime) => time.offsetNanoseconds / 1e6;
  for (const timezone of Intl.supportedValuesOf('timeZone')) {
    const now = Temporal.Now.zonedDateTimeISO(timezone);
    for (let next = now.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
      if (Temporal.ZonedDateTime.compare(next, now.add({ months: 14 })) > 0) break;
      const [before, after] = [offsetOf(next.subtract({ nanoseconds: 1 })), offsetOf(next)];
      changes.set(`${next.epochMilliseconds} ${before} ${after}`, {
        timezone,
        at: next.epochMilliseconds,
        before,
        after,
      });
    }
  }
  return changes;
}

/**
 * The run at a local time, in minutes, so many days after the day of a change. The clock before the
 * change decides until the change, and also where no clock shows the time.
 */
function runAround({ at, before, after }: ClockChange, days: number, time: number): number {
  const local = (Math.floor((at + after) / day) + days) * day + time * minute;
  return local - before < at || local - after < at ? local - before : local - after;
}
