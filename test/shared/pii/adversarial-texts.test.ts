import { expect } from 'chai';
import adversarialUnits from './adversarial-units.json' with { type: 'json' };
import { scan } from './values.ts';

describe('createScanner: adversarial texts', () => {
  it('The scanner takes linear time for every adversarial text', () => {
    for (const [name, unit] of Object.entries(adversarialUnits)) {
      // A quadratic scan of one such text exceeds the time limit of the test many times over.
      const findings = scan(unit.repeat(Math.ceil((256 * 1024) / unit.length)).slice(0, 256 * 1024));
      // One assertion for each text, because assertions take longer than the scan.
      const isOrdered = findings.every(({ start, end }, i) => start >= (findings[i - 1]?.end ?? 0) && end > start);
      expect(isOrdered, name).to.equal(true);
    }
  });
});
