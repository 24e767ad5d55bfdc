import { keyOf, type PriceLineId } from '../price-line.ts';
import type { PricePoint } from '../price-sources/price-point.ts';

export interface Step {
  /** The price applies to the units above `from`, up to and including `to`. Null: no limit. */
  from: bigint;
  to: bigint | null;
  amount: string;
}

/** A price with all its tiers, lowest first. */
export interface PriceLine extends PriceLineId {
  steps: Step[];
}

export interface Refusal {
  reason: string;
  /** File and JSON path. */
  where: string;
}

/** A line of a source. */
export interface ReadLine extends PriceLine {
  /** The point of the lowest tier, for dates and messages. */
  point: PricePoint;
}

/**
 * Joins the tiers of each price. Tiers that overlap or leave a gap are refused, and tiers that end
 * with a limit unless `mayEnd`: a price book may lack the prices above a limit.
 */
export function joinTiers(
  points: readonly PricePoint[],
  freeUnits: (line: PriceLineId) => bigint,
  mayEnd: boolean,
): { lines: ReadLine[]; refusals: Refusal[] } {
  const groups = new Map<string, PricePoint[]>();
  for (const point of points) {
    const key = keyOf(point);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [point]);
    else group.push(point);
  }
  const lines: ReadLine[] = [];
  const refusals: Refusal[] = [];
  for (const group of groups.values()) {
    const paid = withoutFreeTier(group, freeUnits).toSorted(byRange);
    const [point] = paid;
    if (point === undefined) continue;
    const fault = findFault(paid, mayEnd);
    if (fault !== undefined) refusals.push(fault);
    else lines.push({ ...point, steps: paid.map(({ from, to, amount }) => ({ from, to, amount })), point });
  }
  return { lines, refusals };
}

const byRange = (a: PricePoint, b: PricePoint): number => Number(a.from - b.from);

/**
 * Removes repeated prices and the free tier, which the book holds apart: a price of zero beside a
 * paid one, for all units or for as many as are free. The paid tier then begins at zero.
 */
function withoutFreeTier(points: readonly PricePoint[], freeUnits: (line: PriceLineId) => bigint): PricePoint[] {
  const distinct = new Map(points.map((point) => [`${point.from} ${point.to} ${point.amount}`, point]));
  const all = [...distinct.values()];
  const isFree = ({ amount, from, to, ...line }: PricePoint) =>
    amount === '0' &&
    from === 0n &&
    ((to !== null && to <= freeUnits(line)) ||
      (to === null && all.some((other) => other.amount !== '0' && other.from === 0n)));
  const free = all.filter(isFree);
  if (free.length === 0 || free.length === all.length) return all;
  return all
    .filter((point) => !free.includes(point))
    .map((point) => (free.some(({ to }) => to === point.from) ? { ...point, from: 0n } : point));
}

/** The first tier that does not begin where the previous one ends, or a last tier with a limit. */
function findFault(tiers: readonly PricePoint[], mayEnd: boolean): Refusal | undefined {
  let end: bigint | null = 0n;
  let previous: PricePoint | undefined;
  for (const tier of tiers) {
    if (end === null || tier.from < end) {
      return {
        reason: `the price ${tier.amount} and the price ${previous?.amount} are for the same units`,
        where: tier.where,
      };
    }
    if (tier.from > end) {
      return { reason: `no tier has the units from ${end} to ${tier.from}`, where: tier.where };
    }
    if (tier.to !== null && tier.to <= tier.from) {
      return { reason: `the tier ends at ${tier.to}, before its begin`, where: tier.where };
    }
    [end, previous] = [tier.to, tier];
  }
  if (end === null || previous === undefined || mayEnd) return undefined;
  return { reason: `no tier has the units above ${end}`, where: previous.where };
}
