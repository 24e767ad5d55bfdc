import { expect } from 'chai';
import fc from 'fast-check';
import {
  ceilDiv,
  type Exact,
  max,
  min,
  minus,
  percentOf,
  plus,
  times,
  toExact,
} from '../../../../shared/cost/pipeline/exact.ts';

const edge = 2n ** 53n;
/** Small ones, and those around 2^53 and its root, where rounding begins. */
const integer = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_000n }),
  fc.bigInt({ min: edge - 1_000n, max: edge + 1_000n }),
  fc.bigInt({ min: 2n ** 26n, max: 2n ** 27n }),
  fc.bigInt({ min: 0n, max: edge - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 80n }),
);
const ceil = (a: bigint, b: bigint) => (a + b - 1n) / b;

describe('exact integers', () => {
  it('exact integers are numbers up to 2^53 - 1, and bigints above', () => {
    expect(toExact(edge - 1n)).to.equal(Number.MAX_SAFE_INTEGER);
    expect(toExact(edge)).to.equal(edge);
  });

  it('exact integers have the results of bigints', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const [x, y] = [toExact(a), toExact(b)];
        const expectExact = (result: Exact, expected: bigint) => expect(result).to.equal(toExact(expected));
        expectExact(plus(x, y), a + b);
        expectExact(times(x, y), a * b);
        if (a >= b) expectExact(minus(x, y), a - b);
        if (b > 0n) expectExact(ceilDiv(x, y), ceil(a, b));
        expectExact(min(x, y), a < b ? a : b);
        expectExact(max(x, y), a > b ? a : b);
      }),
      { numRuns: 5_000 },
    );
  });

  it('exact integers are divided exactly next to multiples of the divisor', () => {
    const divisor = fc.bigInt({ min: 1n, max: 2n ** 27n });
    const factor = fc.bigInt({ min: 0n, max: 2n ** 27n });
    fc.assert(
      fc.property(divisor, factor, fc.bigInt({ min: -1n, max: 1n }), (b, times, more) => {
        const a = b * times + more < 0n ? 0n : b * times + more;
        expect(ceilDiv(toExact(a), toExact(b))).to.equal(toExact(ceil(a, b)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('percentages are rounded up', () => {
    fc.assert(
      fc.property(integer, fc.integer({ min: 0, max: 100 }), (total, percent) => {
        expect(percentOf(percent, toExact(total))).to.equal(toExact(ceil(total * BigInt(percent), 100n)));
      }),
    );
  });
});
