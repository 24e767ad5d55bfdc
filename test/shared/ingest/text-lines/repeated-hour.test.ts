import { expect } from 'chai';
import { LineTimes } from '../../../../shared/ingest/text-lines/line-times.ts';
import { openTimeZone, utc } from '../../../../shared/ingest/text-lines/time-zone.ts';

/** The instants of lines that begin with local times, in UTC. */
function instantsOf(zone: string, lines: readonly string[]): string[] {
  const times = new LineTimes(openTimeZone(zone) ?? utc, Date.UTC(2027, 0, 1));
  return lines.map((line) => new Date(times.read(`${line} started`) ?? Number.NaN).toISOString().slice(8, 19));
}

/** Zones with the local start of the repeated time, its length in minutes and its first instant. */
const changes: readonly [zone: string, day: string, start: string, minutes: number, instant: string][] = [
  ['Europe/Berlin', '2026-10-25', '02:00:00', 60, '2026-10-25T00:00:00Z'],
  ['America/New_York', '2026-11-01', '01:00:00', 60, '2026-11-01T05:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-05', '01:30:00', 30, '2026-04-04T14:30:00Z'],
  ['Antarctica/Troll', '2026-10-25', '01:00:00', 120, '2026-10-24T23:00:00Z'],
  // At midnight, clocks go back to the day before.
  ['Asia/Beirut', '2026-10-24', '23:00:00', 60, '2026-10-24T20:00:00Z'],
  ['America/Havana', '2026-11-01', '00:00:00', 60, '2026-11-01T04:00:00Z'],
];

describe('an hour that clocks show twice', () => {
  for (const [zone, day, start, minutes, instant] of changes) {
    it(`has each line in its own pass, in ${zone}`, () => {
      const first = Date.parse(instant);
      const local = Date.parse(`${day}T${start}Z`);
      const lines: string[] = [];
      const expected: string[] = [];
      // From an hour before to an hour after both passes, a line every five minutes.
      for (let at = -60; at < 2 * minutes + 60; at += 5) {
        const shown = local + (at < minutes ? at : at - minutes) * 60_000;
        lines.push(new Date(shown).toISOString().slice(0, 19));
        expected.push(new Date(first + at * 60_000).toISOString().slice(8, 19));
      }
      expect(instantsOf(zone, lines)).to.deep.equal(expected);
    });
  }

  const berlin = (times: string) =>
    instantsOf(
      'Europe/Berlin',
      times.split(' ').map((time) => `2026-10-25 ${time}`),
    )
      .map((time) => time.slice(3))
      .join(' ');

  it('is in its first pass where a request begins inside it, and in the second one after a step back', () => {
    const instants = '00:40:00 00:50:00 01:05:00 01:59:00 02:01:00';
    expect(berlin('02:40:00 02:50:00 02:05:00 02:59:00 03:01:00')).to.equal(instants);
  });

  it('keeps lines that are out of order by at most 30 minutes in their pass', () => {
    expect(berlin('02:50:00 02:20:00 02:51:00 02:21:00')).to.equal('00:50:00 00:20:00 00:51:00 00:21:00');
    const both = '00:59:59 01:00:01 00:59:59 01:00:02 01:45:00 01:10:00';
    expect(berlin('02:59:59 02:00:01 02:59:59 02:00:02 02:45:00 02:10:00')).to.equal(both);
    expect(berlin('03:00:10 02:59:50'), 'after the hour').to.equal('02:00:10 01:59:50');
  });

  it('begins again with lines of another file', () => {
    expect(berlin('02:10:00 09:00:00 02:10:00')).to.equal('00:10:00 08:00:00 00:10:00');
  });
});
