import { isDuplicateKey } from '../connections/mongo.ts';
import type { Models } from '../models.ts';
import type { PriceBookFile } from './price-book-file.ts';
import { comparePrices } from './price-changes/compare-prices.ts';
import type { Comparison, Finding } from './price-changes/finding.ts';
import { keyOf } from './price-changes/price-lines.ts';
import type { PriceDisputes } from './price-disputes.model.ts';
import type { PricePoint, SourceKind } from './price-sources/price-point.ts';

type DisputeModels = Pick<Models, 'priceDisputes'>;

/** Replaces the stored disputes of a second source. */
export async function storeDisputes(
  { priceDisputes }: DisputeModels,
  source: SourceKind,
  { findings, lines }: Comparison,
): Promise<void> {
  const disputed = new Set(findings.filter(({ type }) => type === 'dispute').map(keyOf));
  const prices = lines
    .filter((line) => disputed.has(keyOf(line)))
    .map(({ point: { scope, item, kind, amount, effectiveDate, evidenceDate, where, regionPrefix } }) => ({
      scope,
      item,
      kind,
      amount,
      effectiveDate,
      evidenceDate,
      where,
      ...(regionPrefix !== undefined && { regionPrefix }),
    }));
  try {
    await priceDisputes.updateOne({ _id: source }, { $set: { prices, comparedAt: new Date() } }, { upsert: true });
  } catch (error) {
    // Another refresh from the source has just stored its own.
    if (!isDuplicateKey(error)) throw error;
  }
}

export const readDisputes = ({ priceDisputes }: DisputeModels): Promise<PriceDisputes[]> =>
  priceDisputes.find().sort({ _id: 1 }).lean<PriceDisputes[]>();

/** The stored prices that dispute the present book, which can have changed since. */
export function findDisputes(book: PriceBookFile, { _id: source, prices }: PriceDisputes, today: string): Finding[] {
  const points = prices.map(
    (price): PricePoint => ({ ...price, type: 'price', service: 'inference', from: 0n, to: null }),
  );
  const { findings } = comparePrices(book, { source, points, refusals: [] }, { today });
  return findings.filter(({ type }) => type === 'dispute');
}
