import { expect } from 'chai';
import { generateLines, LABELLED_SETS, SET_SIZE } from '../../../scripts/bench/labelled-set/labelled-set.ts';
import { mark, readMarks } from '../../../scripts/bench/labelled-set/marks.ts';
import { scoreFindings } from '../../../scripts/bench/labelled-set/score.ts';
import { createScanner } from '../../../workers/pii/scan-personal-data.ts';

/** Below what the scanner reaches, so that a change that finds less or more fails. */
const LOWEST_F1 = { email: 0.999, payment_card: 0.999, national_id: 0.999 };

describe('labelled lines of personal data', () => {
  it('refuses a line whose marks are not closed', () => {
    expect(readMarks(`to ${mark('email', 'joe@example.com')}.`).labels).to.deep.equal([
      { type: 'email', start: 3, end: 18 },
    ]);
    expect(() => readMarks(mark('email', 'a').slice(0, -1))).to.throw('A mark does not end');
    expect(() => readMarks(mark('email', mark('email', 'a')))).to.throw('within another');
  });

  it('scores exact extents, and lists what is missed, cut or found without a label', () => {
    const { scores, differences } = scoreFindings(
      [
        { family: 'f', ...readMarks(`to ${mark('email', 'joe@example.com')}`) },
        { family: 'f', ...readMarks(`to ${mark('email', 'ann@example.com')} 1`) },
      ],
      (text) => [
        { type: 'email', start: 3, end: text.startsWith('joe', 3) ? 18 : 10 },
        { type: 'payment_card', start: 19, end: 20 },
      ],
    );
    expect(scores[0]).to.deep.include({ type: 'email', expected: 2, precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(differences).to.have.lengthOf(3);
    expect(differences[1]).to.deep.include({ expected: ['ann@example.com'], found: ['email ann@exa'] });
  });
});

for (const set of LABELLED_SETS) {
  describe(`${set.name} labelled set of personal data`, () => {
    const lines = generateLines(set);

    it('is the same for the same seed and another for another seed', () => {
      expect(generateLines(set, 200)).to.deep.equal(lines.slice(0, 200));
      expect(generateLines(set, 200, 1)).to.not.deep.equal(lines.slice(0, 200));
    });

    it('has at least 3,000 lines of all families, hardly any of them twice, half without personal data', () => {
      expect(lines).to.have.lengthOf(SET_SIZE);
      expect(SET_SIZE).to.be.at.least(3000);
      expect(new Set(lines.map(({ text }) => text)).size).to.be.above(0.98 * SET_SIZE);
      expect(lines.filter(({ labels }) => labels.length === 0)).to.have.lengthOf(SET_SIZE / 2);
      expect(new Set(lines.map(({ family }) => family))).to.deep.equal(new Set(set.families.map(({ name }) => name)));
    });

    it('has labels in order, apart from each other, that begin and end with the data', () => {
      for (const { text, labels } of lines) {
        let previous = 0;
        for (const { start, end, type } of labels) {
          expect(start).to.be.at.least(previous);
          const extent = text.slice(start, end);
          if (type === 'email') expect(extent).to.match(/^[^\s<>]+(?:@|%40|%2540|\\u0040|&#64;)[^\s<>]+\p{L}$/iu);
          else expect(extent.replaceAll('%20', ' ').replaceAll('+', ' ')).to.match(/^[%;\p{L}\p{N}].*[\p{L}\p{N})?]$/u);
          previous = end;
        }
      }
    });

    it('is found by the scanner to no lower F1 than before', () => {
      const { scores, differences } = scoreFindings(lines, createScanner());
      for (const { type, f1 } of scores) {
        const examples = differences.filter((difference) => difference.type === type).slice(0, 10);
        expect(f1, JSON.stringify(examples, null, 1)).to.be.at.least(LOWEST_F1[type]);
      }
    });
  });
}
