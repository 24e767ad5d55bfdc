import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { overridesId, type PriceOverride, type PriceOverrides } from '../../shared/cost/price-overrides.model.ts';
import type { Models } from '../../shared/models.ts';
import type { NewOverride } from './check-overrides.ts';

/**
 * Replaces all overrides, by one write. An override that does not change keeps its id, and who set
 * it.
 */
export async function replaceOverrides(
  { priceOverrides }: Pick<Models, 'priceOverrides'>,
  wanted: readonly NewOverride[],
  setBy: string,
): Promise<PriceOverride[]> {
  for (;;) {
    const stored = await priceOverrides.findById(overridesId).lean<PriceOverrides>();
    const known = new Map(stored?.overrides.map((override) => [contentOf(override), override]));
    const setAt = new Date();
    const overrides = wanted.map(
      (override) => known.get(contentOf(override)) ?? { id: randomUUID(), ...override, setBy, setAt },
    );
    const revision = (stored?.revision ?? 0) + 1;
    const filter = { _id: overridesId, revision: stored?.revision ?? 0 } as const;
    try {
      // Without the document, the filter matches nothing, and the upsert inserts it once.
      const { matchedCount, upsertedCount } = await priceOverrides.updateOne(
        filter,
        { $set: { overrides, revision } },
        { upsert: stored === null },
      );
      if (matchedCount + upsertedCount > 0) return overrides;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

const contentOf = ({ service, discountPercent, price, from, to, note }: NewOverride): string =>
  JSON.stringify([service, discountPercent, price, from, to, note]);
