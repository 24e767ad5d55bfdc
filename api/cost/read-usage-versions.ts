import { sha256 } from '../../shared/crypto/sha256.ts';
import { type BatchState, batchStates } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';

/**
 * Reads a text per scenario that is another one after every change of its metrics. A roll-up, which
 * changes no metrics, changes it too. Deleted scenarios have none.
 */
export async function readUsageVersions(
  { scenario, usagePlan, logBatch }: Pick<Models, 'scenario' | 'usagePlan' | 'logBatch'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const [scenarios, plans] = await Promise.all([
    scenario.find({ _id: { $in: ids }, deletedAt: null }, { revision: 1 }).lean(),
    usagePlan.find({ _id: { $in: ids } }, { seq: 1, open: 1 }).lean(),
  ]);
  const planOf = new Map(plans.map(({ _id, seq, open }) => [_id, [seq, open]]));
  const versions = scenarios.map(async ({ _id, revision }) => {
    // `async`, because the compiler takes seconds to compare the types of two queries.
    const count = async (state: BatchState) => logBatch.countDocuments({ scenarioId: _id, state, counted: false });
    const uncounted = await Promise.all(batchStates.map(count));
    const parts = [revision, ...(planOf.get(_id) ?? []), ...uncounted];
    return [_id, sha256(parts.join(), 'base64url')] as const;
  });
  return new Map(await Promise.all(versions));
}
