import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';
import { bookLines } from './book-lines.ts';
import { percentChange } from './finding.ts';

/** A price that two books do not have in common. */
interface BookChange extends PriceLineId {
  type: 'change' | 'addition' | 'removal';
  from: bigint;
  to: bigint | null;
  old: string | null;
  new: string | null;
  /** The change in per cent with two decimals; null without an old or a new price. */
  percent: string | null;
}

/** The prices of two books that differ, by tier, in the order of the newer book. */
export function compareBooks(older: PriceBookFile, newer: PriceBookFile): BookChange[] {
  const [before, after] = [bookLines(older), bookLines(newer)];
  const keys = [...after.keys(), ...[...before.keys()].filter((key) => !after.has(key))];
  return keys.flatMap((key) => {
    const line = (after.get(key) ?? before.get(key)) as PriceLineId;
    const { service, scope, item, kind } = line;
    const [old, now] = [before.get(key)?.steps ?? [], after.get(key)?.steps ?? []];
    const steps = [...now, ...old.filter((step) => !now.some((other) => isSameTier(step, other)))];
    return steps.flatMap(({ from, to }): BookChange[] => {
      const amounts = [old, now].map((side) => side.find((step) => isSameTier(step, { from, to }))?.amount ?? null);
      const [oldAmount = null, newAmount = null] = amounts;
      if (oldAmount === newAmount) return [];
      const type = oldAmount === null ? 'addition' : newAmount === null ? 'removal' : 'change';
      const percent = oldAmount === null || newAmount === null ? null : percentChange(oldAmount, newAmount);
      return [{ type, service, scope, item, kind, from, to, old: oldAmount, new: newAmount, percent }];
    });
  });
}

interface Tier {
  from: bigint;
  to: bigint | null;
}

const isSameTier = (a: Tier, b: Tier) => a.from === b.from && a.to === b.to;
