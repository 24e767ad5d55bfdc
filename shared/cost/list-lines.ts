import type { ChargeLine } from './charge-line.ts';

/**
 * Shows each line with an own price or a discount as two: the units at their list price, and what
 * the override adds to it. An own price of units without a list price of their own stays one line.
 */
export function withListLines(own: readonly ChargeLine[], list: readonly ChargeLine[]): ChargeLine[] {
  const listed = new Map(list.map((line) => [keyOf(line), line]));
  return own.flatMap((line) => {
    const atList = listed.get(keyOf(line));
    if (!line.override || line.price === null || atList?.units !== line.units || atList.price === null) return [line];
    const price = line.price - atList.price;
    return [atList, { ...line, price, amount: line.units * price, origin: null }];
  });
}

const keyOf = ({ service, item, of, isFree, tier }: ChargeLine): string =>
  [service, item, of, isFree, tier?.from].join(' ');
