import { sha256 } from '../../shared/crypto/sha256.ts';
import type { Models } from '../../shared/models.ts';

/**
 * Reads a text per scenario that is another one after every change of its metrics, in three queries
 * for all of them. A roll-up, which changes no metrics, changes it too. Deleted scenarios have
 * none.
 */
export async function readUsageVersions(
  { scenario, usageLedger, usageRecord }: Pick<Models, 'scenario' | 'usageLedger' | 'usageRecord'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const [scenarios, ledgers, pending] = await Promise.all([
    scenario.find({ _id: { $in: ids }, deletedAt: null }, { revision: 1 }).lean(),
    usageLedger.find({ _id: { $in: ids } }, { version: 1 }).lean(),
    usageRecord.find({ scenarioId: { $in: ids }, open: true }, { scenarioId: 1 }).lean(),
  ]);
  const parts = new Map(scenarios.map(({ _id, revision }) => [_id, [String(revision)]]));
  for (const { _id, version } of ledgers) parts.get(_id)?.push(`v${version}`);
  // The order of the pending records can differ between reads.
  for (const { _id, scenarioId } of pending.sort((one, other) => (one._id < other._id ? -1 : 1))) {
    parts.get(scenarioId)?.push(_id);
  }
  const digest = (texts: readonly string[]) => sha256(texts.join(), 'base64url');
  return new Map([...parts].map(([id, texts]) => [id, digest(texts)]));
}
