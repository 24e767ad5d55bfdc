import { expect } from 'chai';
import { findCronError, isTimeZone, nextRuns } from '../../../shared/reports/cron-times.ts';

const runsOf = async (cron: string, after: string, count: number, timezone = 'Europe/Vienna') =>
  (await nextRuns({ cron, timezone }, new Date(after), count)).map((run) => run.toISOString());

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
  for (const cron of accepted) {
    it(`the expression "${cron}" is accepted`, () => {
      expect(findCronError(cron)).to.equal(undefined);
    });
  }

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
  for (const [cron, error] of refused) {
    it(`the expression "${cron.slice(0, 20)}" is refused`, () => {
      expect(findCronError(cron)).to.include(error);
    });
  }

  it('time zones are known by their IANA names', () => {
    for (const name of ['UTC', 'Europe/Vienna', 'America/St_Johns']) expect(isTimeZone(name), name).to.equal(true);
    for (const name of ['Nowhere/City', '+02:00', 'local', '', 'UTC+2']) expect(isTimeZone(name), name).to.equal(false);
  });
});

describe('the runs of a cron expression in Europe/Vienna', () => {
  it('runs keep their local time over both changes of the clock', async () => {
    expect(await runsOf('0 7 * * *', '2027-03-27T00:00:00Z', 3)).to.deep.equal([
      '2027-03-27T06:00:00.000Z',
      '2027-03-28T05:00:00.000Z',
      '2027-03-29T05:00:00.000Z',
    ]);
    expect(await runsOf('0 7 * * *', '2026-10-24T00:00:00Z', 3)).to.deep.equal([
      '2026-10-24T05:00:00.000Z',
      '2026-10-25T06:00:00.000Z',
      '2026-10-26T06:00:00.000Z',
    ]);
  });

  it('a local time that the clock skips in spring has one run', async () => {
    expect(await runsOf('30 2 * * *', '2027-03-27T00:00:00Z', 3)).to.deep.equal([
      '2027-03-27T01:30:00.000Z',
      '2027-03-28T01:30:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ]);
  });

  it('a local time that the clock repeats in autumn has one run', async () => {
    expect(await runsOf('30 2 * * *', '2026-10-24T00:00:00Z', 3)).to.deep.equal([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('runs of every half hour go on without a gap', async () => {
    expect(await runsOf('*/30 * * * *', '2026-10-25T00:15:00Z', 4)).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
    expect(await runsOf('0 * * * *', '2027-03-28T00:15:00Z', 2)).to.deep.equal([
      '2027-03-28T01:00:00.000Z',
      '2027-03-28T02:00:00.000Z',
    ]);
  });
});
