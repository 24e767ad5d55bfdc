import { expect } from 'chai';
import { LineTimes } from '../../../../shared/ingest/text-lines/line-times.ts';
import { timeFormats } from '../../../../shared/ingest/text-lines/time-formats.ts';
import { openTimeZone, utc } from '../../../../shared/ingest/text-lines/time-zone.ts';
import linesByForm from './line-times.json' with { type: 'json' };

const now = Date.UTC(2026, 10, 23, 6);

function timeOf(line: string, zone = 'UTC'): string | null {
  const time = new LineTimes(openTimeZone(zone) ?? utc, now).read(line);
  return time === undefined ? null : new Date(time).toISOString();
}

/** Lines by their form, in UTC or a zone, each with its time. */
const forms: Record<string, { zone?: string; lines: (string | null)[][] }> = linesByForm;

describe('the times of lines', () => {
  it('times are read in the form of every example of the table', () => {
    for (const { example } of timeFormats) {
      for (const line of [`${example} started`, `[${example}] started`, example]) {
        expect(timeOf(line), line).to.be.a('string');
      }
    }
  });

  for (const [what, { zone, lines }] of Object.entries(forms)) {
    it(what, () => {
      for (const [line, expected] of lines as [string, string | null][]) {
        const full = expected === null ? null : new Date(expected).toISOString();
        expect([line, timeOf(line, zone)]).to.deep.equal([line, full]);
      }
    });
  }

  it('lines of any characters are read in a bounded time', () => {
    const times = new LineTimes(utc, now);
    const pieces = [':', '":', 'a=', '1 ', 'J ', '[2026-05-01 12:00:61 ', 'Feb 30 12:00:00 ', '\u001b[', ' ', '9'];
    for (const piece of pieces) {
      const short = piece.repeat(Math.ceil(200 / piece.length));
      const long = piece.repeat(5_000_000 / piece.length);
      expect(times.read(long), piece).to.equal(times.read(short));
      const startedAt = process.cpuUsage();
      for (let round = 0; round < 100; round += 1) times.read(long);
      const { user, system } = process.cpuUsage(startedAt);
      // Reading all of the characters once takes more.
      expect((user + system) / 1000, piece).to.be.below(500);
    }
  });
});
