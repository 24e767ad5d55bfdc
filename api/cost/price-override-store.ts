import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { overridesId, type PriceOverrides } from '../../shared/cost/price-overrides.model.ts';
import type { Models } from '../../shared/models.ts';
import { type ConditionalHeaders, checkIfMatch, entityTag, preconditionFailed } from '../http/entity-tag.ts';
import type { NewOverride } from './check-overrides.ts';

/** All overrides; revision 0 if none was ever set. */
export const readOverrides = async ({
  priceOverrides,
}: Pick<Models, 'priceOverrides'>): Promise<Omit<PriceOverrides, '_id'>> =>
  (await priceOverrides.findById(overridesId).lean<PriceOverrides>()) ?? { overrides: [], revision: 0 };

/**
 * Replaces all overrides, by one write. An override that does not change keeps its id, and who set
 * it. With `If-Match`, one of concurrent changes of a version succeeds.
 */
export async function replaceOverrides(
  { priceOverrides }: Pick<Models, 'priceOverrides'>,
  wanted: readonly NewOverride[],
  setBy: string,
  headers: ConditionalHeaders,
): Promise<Omit<PriceOverrides, '_id'>> {
  for (;;) {
    const stored = await readOverrides({ priceOverrides });
    const conditional = checkIfMatch(headers, entityTag(stored.revision));
    const known = new Map(stored.overrides.map((override) => [contentOf(override), override]));
    const setAt = new Date();
    const overrides = wanted.map(
      (override) => known.get(contentOf(override)) ?? { id: randomUUID(), ...override, setBy, setAt },
    );
    const revision = stored.revision + 1;
    const filter = { _id: overridesId, revision: stored.revision } as const;
    try {
      // Without the document, the filter matches nothing, and the upsert inserts it once.
      const { matchedCount, upsertedCount } = await priceOverrides.updateOne(
        filter,
        { $set: { overrides, revision } },
        { upsert: stored.revision === 0 },
      );
      if (matchedCount + upsertedCount > 0) return { overrides, revision };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    if (conditional) throw preconditionFailed();
  }
}

const contentOf = ({ service, discountPercent, price, note }: NewOverride): string =>
  JSON.stringify([service, discountPercent, price, note]);
