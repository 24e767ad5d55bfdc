import { expect } from 'chai';
import fc from 'fast-check';
import { activeWindows, evenWindows, SecondSet } from '../../../../shared/cost/pipeline/active-seconds.ts';
import { secondsOf } from './build-levels.ts';

const second = fc.integer({ min: 0, max: 3_599 });
/** Scattered seconds, stretches, both, none and all. */
const seconds = fc
  .array(
    fc.oneof(
      second.map((start) => [start, 1] as const),
      fc.tuple(second, fc.integer({ min: 2, max: 3_600 })),
    ),
    {
      maxLength: 60,
    },
  )
  .map((stretches) => {
    const active = new Set<number>();
    for (const [start, length] of stretches) {
      for (let at = start; at < Math.min(start + length, 3_600); at += 1) active.add(at);
    }
    return [...active].sort((a, b) => a - b);
  });
const width = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1, 2, 5, 31, 32, 33, 60, 64, 300));

/** The number of active seconds of each window, one after the other. */
function plainWindows(active: readonly number[], length: number): number[] {
  const windows: number[] = [];
  let end = -1;
  for (const at of active) {
    if (at >= end) {
      windows.push(0);
      end = at + length;
    }
    windows[windows.length - 1]! += 1;
  }
  return windows;
}

const setOf = (active: readonly number[]) => new SecondSet([secondsOf(active)]);

describe('the windows of an hour', () => {
  it('a window begins at the first active second after the window before', () => {
    fc.assert(
      fc.property(seconds, width, (active, length) => {
        const set = setOf(active);
        expect(set.size).to.equal(active.length);
        const expected = plainWindows(active, length);
        expect(activeWindows(set, length).count).to.equal(BigInt(expected.length));
        const counts = Array.from({ length: length + 1 }, (_, size) => expected.filter((of) => of === size).length);
        expect([...set.countWindows(length)]).to.deep.equal(counts);
      }),
      { numRuns: 500 },
    );
  });

  it('a total is spread by the active seconds of the windows', () => {
    const total = fc.oneof(fc.bigInt({ min: 0n, max: 10_000n }), fc.bigInt({ min: 0n, max: 2n ** 60n }));
    fc.assert(
      fc.property(seconds, width, total, fc.integer({ min: 1, max: 10_240 * 900_000 }), (active, length, sum, size) => {
        const windows = activeWindows(setOf(active), length);
        const divisor = BigInt(active.length) * BigInt(size);
        const parts = plainWindows(active, length).map((a) => (sum * BigInt(a) + divisor - 1n) / divisor);
        expect(windows.spread(sum, BigInt(size))).to.equal(parts.reduce((a, b) => a + b, 0n));
      }),
      { numRuns: 500 },
    );
  });

  it('a total is spread evenly where only the number of windows is known', () => {
    expect(evenWindows(12n).spread(600n, 50n)).to.equal(12n);
    expect(evenWindows(7n).spread(600n, 50n)).to.equal(14n);
    expect(evenWindows(0n).spread(0n, 50n)).to.equal(0n);
  });

  it('a run ends where the next active second is later than the gap, also from the hour before', () => {
    const gap = fc.constantFrom(300, 1_800, 3_600);
    const previous = fc.oneof(fc.constant(-Infinity), fc.integer({ min: -4_000, max: -1 }));
    fc.assert(
      fc.property(seconds, gap, previous, (active, length, before) => {
        const expected = active.filter((at, index) => at - (active[index - 1] ?? before) > length).length;
        expect(setOf(active).countRuns(length, before)).to.equal(expected);
        expect(setOf(active).start).to.equal(active[0] ?? 3_600);
      }),
    );
  });

  it('the windows are those of the seconds that are active in any of the parts', () => {
    fc.assert(
      fc.property(seconds, seconds, (one, other) => {
        const both = [...new Set([...one, ...other])];
        const union = new SecondSet([secondsOf(one), secondsOf(other)]);
        expect(union.size).to.equal(both.length);
        expect(union.countWindows(7)).to.deep.equal(setOf(both).countWindows(7));
        expect(union.end).to.equal(Math.max(-1, ...both) + 1);
      }),
    );
  });
});
