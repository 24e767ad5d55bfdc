import { expect } from 'chai';
import { ADVERSARIAL_SHAPES } from '../../../scripts/bench/adversarial-shapes.ts';
import { scan } from './found.ts';

describe('createScanner and time', () => {
  it('The scanner takes linear time for every adversarial text', () => {
    for (const { name, make } of ADVERSARIAL_SHAPES) {
      // A quadratic scan of one such text exceeds the time limit of the test many times over.
      const findings = scan(make(256 * 1024));
      // One assertion for each text, because assertions take longer than the scan.
      const isOrdered = findings.every(({ start, end }, i) => start >= (findings[i - 1]?.end ?? 0) && end > start);
      expect(isOrdered, name).to.equal(true);
    }
  });
});
