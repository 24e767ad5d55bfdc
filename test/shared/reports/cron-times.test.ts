import { expect } from 'chai';
import { Temporal } from 'temporal-polyfill';
import { day, minute } from '../../../shared/durations.ts';
import { findCronError, isTimeZone, nextRuns } from '../../../shared/reports/cron-times.ts';

const runsOf = (cron: string, after: string, count: number, timezone = 'Europe/Vienna') =>
  nextRuns({ cron, timezone }, new Date(after), count).map((run) => run.toISOString().replace(':00.000Z', ''));

describe('cron expressions', () => {
  const accepted = [
    '0 7 1 * *',
    '30 0 7 * * MON-FRI',
    '*/10 * * * *',
    '0 0 L * *',
    '0 0 * * 5L',
    '0 9 * * THU',
    '0 0 * * 1#2',
    '0 0 29 2 *',
    // The day or the weekday.
    '0 0 30 2 1',
    '55 23 * * *',
  ];
  for (const cron of accepted)
    it(`the expression "${cron}" is accepted`, () => expect(findCronError(cron)).to.equal(undefined));

  const refused: [string, string][] = [
    ['', 'five fields'],
    ['0 0 * *', 'five fields'],
    ['0 0 0 1 1 * 2030', 'five fields'],
    ['@daily', 'five fields'],
    ['H H * * *', 'numbers'],
    ['0 0 * * 1#5', 'numbers'],
    ['0 0 1;2 * *', 'numbers'],
    ['60 * * * *', 'not a cron expression'],
    ['a b c d e', 'not a cron expression'],
    [`${'0,'.repeat(60)}0 0 * * *`, 'five fields'],
    ['0 0 31 2 *', 'not a cron expression'],
    ['0 0 31 2,4,6 *', 'does not exist'],
    ['* * * * *', 'every 10 minutes'],
    ['* * * * * *', 'every 10 minutes'],
    ['*/7 * * * *', 'every 10 minutes'],
    ['0,30 0 7 * * *', 'every 10 minutes'],
    ['0,5 3 1 1 *', 'every 10 minutes'],
  ];
  for (const [cron, error] of refused)
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

describe('the runs of a cron expression in Europe/Vienna', () => {
  const springDays = ['2027-03-27T06:00', '2027-03-28T05:00', '2027-03-29T05:00'];
  const autumnDays = ['2026-10-24T05:00', '2026-10-25T06:00', '2026-10-26T06:00'];
  const cases: [what: string, cron: string, after: string, runs: string[]][] = [
    ['runs keep their local time in spring', '0 7 * * *', '2027-03-27T00:00:00Z', springDays],
    ['runs keep their local time in autumn', '0 7 * * *', '2026-10-24T00:00:00Z', autumnDays],
    [
      'a local time that the clock skips in spring has one run',
      '30 2 * * *',
      '2027-03-27T00:00:00Z',
      ['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'],
    ],
    [
      'a local time that the clock repeats in autumn has one run',
      '30 2 * * *',
      '2026-10-24T00:00:00Z',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'each local time of a day has one run, also if an hour is repeated',
      '*/30 * * * *',
      '2026-10-25T00:15:00Z',
      ['2026-10-25T00:30', '2026-10-25T02:00', '2026-10-25T02:30'],
    ],
    [
      // 02:45 is moved to 03:45, behind 03:15.
      'each local time of a day has one run, also if an hour is skipped',
      '15,45 2-3 * * *',
      '2027-03-28T00:15:00Z',
      ['2027-03-28T01:15', '2027-03-28T01:45', '2027-03-29T00:15'],
    ],
  ];
  for (const [what, cron, after, runs] of cases) it(what, () => expect(runsOf(cron, after, 3)).to.deep.equal(runs));
});

describe('the days of a cron expression', () => {
  const cases: [string, string[]][] = [
    ['0 0 L * *', ['2027-02-28', '2027-03-31', '2027-04-30']],
    ['0 0 31 * *', ['2027-03-31', '2027-05-31', '2027-07-31']],
    ['0 0 29 2 *', ['2028-02-29', '2032-02-29', '2036-02-29']],
    ['0 0 * * SUN', ['2027-02-07', '2027-02-14', '2027-02-21']],
    ['0 0 * * 7', ['2027-02-07', '2027-02-14', '2027-02-21']],
    ['0 0 ? * 1#2', ['2027-02-08', '2027-03-08', '2027-04-12']],
    ['0 0 * * 5L', ['2027-02-26', '2027-03-26', '2027-04-30']],
    ['0 0 3,L 2,4 *', ['2027-02-03', '2027-02-28', '2027-04-03']],
    // The day or the weekday.
    ['0 0 10 * MON', ['2027-02-08', '2027-02-10', '2027-02-15']],
    ['30 0 0 */10 3-4 *', ['2027-03-01', '2027-03-11', '2027-03-21']],
  ];
  for (const [cron, days] of cases) {
    it(`"${cron}" names ${days.join(', ')}`, () => {
      expect(runsOf(cron, '2027-02-02T00:00:00Z', 3, 'UTC').map((run) => run.slice(0, 10))).to.deep.equal(days);
    });
  }

  it('a day that comes every four or eight years is found', () => {
    // 2100 has no 29 February.
    expect(runsOf('0 0 29 2 *', '2096-02-29T00:00:00Z', 1, 'UTC')).to.deep.equal(['2104-02-29T00:00']);
  });
});

describe('the runs of a cron expression where clocks change', () => {
  const cases: [string, string, string[]][] = [
    ['Australia/Lord_Howe', '0 1 4 4 *', ['2027-04-03T14:00', '2028-04-03T14:30']],
    ['Australia/Lord_Howe', '15 2 3 10 *', ['2027-10-02T15:45', '2028-10-02T15:15']],
    ['America/Nuuk', '30 22 27 3 *', ['2027-03-28T00:30', '2028-03-27T23:30']],
    ['Pacific/Chatham', '45 2 26 9 *', ['2027-09-25T14:00', '2028-09-25T13:00']],
    ['Antarctica/Troll', '0 2 31 10 *', ['2027-10-31T00:00', '2028-10-31T02:00']],
    ['Africa/Cairo', '0 0 30 4 *', ['2027-04-29T22:00', '2028-04-29T21:00']],
    ['America/Havana', '0 0 14 3 *', ['2027-03-14T05:00', '2028-03-14T04:00']],
    ['America/Santiago', '0 0 5 9 *', ['2027-09-05T04:00', '2028-09-05T03:00']],
    ['Asia/Beirut', '0 0 28 3 *', ['2027-03-27T22:00', '2028-03-27T21:00']],
    ['Atlantic/Azores', '0 0 28 3 *', ['2027-03-28T01:00', '2028-03-28T00:00']],
  ];
  for (const [timezone, cron, runs] of cases) {
    it(`"${cron}" in ${timezone} has one run a year`, () => {
      expect(runsOf(cron, '2027-01-01T00:00:00Z', 2, timezone)).to.deep.equal(runs);
    });
  }

  it('a time that is moved is behind one that is not', () => {
    // 02:20 is moved to 02:50.
    const runs = ['2027-10-02T15:40', '2027-10-02T15:50'];
    expect(runsOf('20,40 2 3 10 *', '2027-01-01T00:00:00Z', 2, 'Australia/Lord_Howe')).to.deep.equal(runs);
  });

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
