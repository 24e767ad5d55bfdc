import { expect } from 'chai';
import { formatAge } from '../../../page/format/ages.ts';

describe('ages', () => {
  it('ages are shown in their largest unit', () => {
    const second = 1_000;
    for (const [ms, text] of [
      [0, '0 s'],
      [-5, '0 s'],
      [59_999, '59 s'],
      [60 * second, '1 min'],
      [3_599 * second, '59 min'],
      [2 * 3_600 * second, '2 h'],
      [1_000 * 86_400 * second, '1,000 d'],
    ] as const) {
      expect(formatAge(ms)).to.equal(text);
    }
  });
});
