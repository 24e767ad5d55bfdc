import { expect } from 'chai';
import { generateDayOfLogLines, generateLogLines } from '../../shared/generate-log-lines.ts';
import { LineTimes } from '../../shared/ingest/text-lines/line-times.ts';
import { utc } from '../../shared/ingest/text-lines/time-zone.ts';

describe('generated log lines', () => {
  it('generated lines are the same for the same seed, and different for another', () => {
    const lines = generateDayOfLogLines(7, 500);
    expect(generateDayOfLogLines(7, 500)).to.deep.equal(lines);
    expect(generateDayOfLogLines(8, 500)).not.to.deep.equal(lines);
    expect(lines).to.have.length(500);
  });

  it('generated lines begin with increasing times within the period', () => {
    const from = new Date('2026-11-20T22:30:00.000Z');
    const to = new Date('2026-11-21T01:30:00.000Z');
    const lineTimes = new LineTimes(utc, to.getTime());
    const times = [...generateLogLines(1, 300, from, to)].map((line) =>
      new Date(lineTimes.read(line) ?? 0).toISOString(),
    );
    expect(times).to.deep.equal([...times].sort());
    expect((times[0] ?? '') >= from.toISOString() && (times.at(-1) ?? '') < to.toISOString()).to.equal(true);
    expect(new Set(times.map((time) => time.slice(0, 13)))).to.have.property('size', 4);
  });
});
