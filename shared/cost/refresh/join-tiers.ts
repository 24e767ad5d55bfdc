import type { PriceLine } from '../book-lines.ts';
import type { PriceBookFile } from '../price-book-file.ts';
import { keyOf, type PriceLineId } from '../price-line.ts';
import type { PricePoint, Refusal } from './read-source.ts';

/** A price of a source with all its tiers. */
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
  book: PriceBookFile,
  mayEnd: boolean,
  refusals: Refusal[],
): ReadLine[] {
  const groups = new Map<string, PricePoint[]>();
  for (const point of points) {
    const group = groups.get(keyOf(point)) ?? [];
    group.push(point);
    groups.set(keyOf(point), group);
  }
  const lines: ReadLine[] = [];
  for (const group of groups.values()) {
    const paid = withoutFreeTier(group, book).toSorted((a, b) => Number(a.from - b.from));
    const [point] = paid;
    if (point === undefined) continue;
    const fault = findFault(paid, mayEnd);
    const { service, scope, item, kind } = point;
    const steps = paid.map(({ from, to, amount }) => ({ from, to, amount }));
    if (fault !== undefined) refusals.push(fault);
    else lines.push({ service, scope, item, kind, steps, point });
  }
  return lines;
}

/**
 * Removes repeated prices and the free tier, which the book holds apart: a price of zero beside a
 * paid one, for all units or for as many as are free. The paid tier then begins at zero.
 */
function withoutFreeTier(points: readonly PricePoint[], book: PriceBookFile): PricePoint[] {
  const distinct = new Map(points.map((point) => [`${point.from} ${point.to} ${point.amount}`, point]));
  const all = [...distinct.values()];
  const isFree = ({ amount, from, to, ...line }: PricePoint) =>
    amount === '0' &&
    from === 0n &&
    ((to !== null && to <= freeUnits(book, line)) ||
      (to === null && all.some((other) => other.amount !== '0' && other.from === 0n)));
  const free = all.filter(isFree);
  if (free.length === 0 || free.length === all.length) return all;
  return all
    .filter((point) => !free.includes(point))
    .map((point) => (free.some(({ to }) => to === point.from) ? { ...point, from: 0n } : point));
}

function freeUnits(book: PriceBookFile, { service, kind }: PriceLineId): bigint {
  if (service === 'queue') return BigInt(book.queue.free_requests_per_month);
  if (service === 'inference') return 0n;
  const { free_gb_seconds_per_month: gbSeconds, free_requests_per_month: requests } = book.function;
  return BigInt(kind === 'gb_second' ? gbSeconds : requests);
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
