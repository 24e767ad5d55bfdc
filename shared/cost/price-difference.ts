// The difference between two costs, line by line.
import type { MonthsCost } from './monthly-usage.ts';
import type { ChargeLine } from './price-month.ts';

/** A line on each of two terms; absent where it has no units. */
interface LinePair {
  first?: ChargeLine;
  second?: ChargeLine;
}

/** Pairs the lines of two explanations, of all months together. */
export function pairLines(first: MonthsCost['months'], second: MonthsCost['months']): LinePair[] {
  const pairs = new Map<string, LinePair>();
  for (const [side, months] of [
    ['first', first],
    ['second', second],
  ] as const) {
    for (const { lines } of months) {
      for (const line of lines) {
        const key = keyOf(line);
        const pair = pairs.get(key) ?? {};
        const sum = pair[side];
        pair[side] = sum ? addLines(sum, line) : line;
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()];
}

/** How much more the second side costs, exactly; null if one side has no price. */
export function differenceOf({ first, second }: LinePair): bigint | null {
  const [from, to] = [amountOf(first), amountOf(second)];
  return from === null || to === null ? null : to - from;
}

const amountOf = (line: ChargeLine | undefined): bigint | null => (line === undefined ? 0n : line.amount);

const keyOf = ({ service, item, of, isFree, tier, override }: ChargeLine): string =>
  [service, item, of, isFree, tier?.from, tier?.to, override?.id].join(' ');

/** The sum of a line over two months. Its price and tier are the same in both. */
function addLines(a: ChargeLine, b: ChargeLine): ChargeLine {
  return {
    ...a,
    units: a.units + b.units,
    amount: a.amount === null || b.amount === null ? null : a.amount + b.amount,
    isFallback: a.isFallback || b.isFallback,
    isEstimated: a.isEstimated || b.isEstimated,
  };
}
