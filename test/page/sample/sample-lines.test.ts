import { expect } from 'chai';
import { generateSampleLines, sampleSize } from '../../../page/sample/sample-lines.ts';
import { LineTimes } from '../../../shared/ingest/text-lines/line-times.ts';
import { utc } from '../../../shared/ingest/text-lines/time-zone.ts';

const now = new Date('2026-11-23T19:40:12.345Z');

describe('the sample lines', () => {
  const lines = generateSampleLines(now);

  it('the sample has 3,000 lines, the same ones for the same time', () => {
    expect(lines).to.have.length(sampleSize).and.to.have.length(3_000);
    expect(generateSampleLines(now)).to.deep.equal(lines);
  });

  it('sample lines have increasing times of the day before, with a quiet and a busy part', () => {
    const lineTimes = new LineTimes(utc, now.getTime());
    const times = lines.map((line) => lineTimes.read(line) ?? Number.NaN);
    expect(times).to.deep.equal([...times].sort((one, other) => one - other));
    expect(times[0]).to.be.at.least(now.getTime() - 24 * 3_600_000);
    expect(times.at(-1)).to.be.below(now.getTime());
    const hours = Array.from({ length: 24 }, (_, hour) => now.getTime() + (hour - 24) * 3_600_000).map(
      (start) => times.filter((time) => time >= start && time < start + 3_600_000).length,
    );
    expect(Math.min(...hours)).to.be.greaterThan(0);
    expect(Math.max(...hours)).to.be.greaterThan(5 * Math.min(...hours));
  });

  it('sample lines have personal data of nobody: reserved domains, test cards, and void numbers', () => {
    const all = lines.join('\n');
    const mails = all.match(/\b[\w.]+@[\w.-]+/g) ?? [];
    expect(mails).not.to.have.length(0);
    for (const mail of mails) expect(mail).to.match(/@(?:mail\.)?example\.(?:com|org|net)$/);
    const cards = new Set((all.match(/\bcard [\d -]+/g) ?? []).map((card) => card.replaceAll(/\D/g, '')));
    expect([...cards]).to.have.members(['4111111111111111', '5555555555554444', '378282246310005']);
    const ssns = new Set(all.match(/\bSSN [\d-]+/g));
    expect([...ssns]).to.have.members(['SSN 078-05-1120', 'SSN 219-09-9999']);
  });
});
