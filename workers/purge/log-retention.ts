import type { Config } from '../../shared/config/config.ts';
import { removeInPortions } from '../../shared/connections/remove-in-portions.ts';
import { day } from '../../shared/durations.ts';
import type { Models } from '../../shared/models.ts';

/** After the last attempt. Then a retry is no longer possible, because it needs the text. */
const failedRetention = 7 * day;

interface Deps {
  models: Pick<Models, 'logBatch'>;
  config: Pick<Config, 'logRetentionDays'>;
}

/**
 * Counted batches and failed ones: what is still to be counted stays. The retention, at least seven
 * days, begins when a batch is counted. By then, no `Idempotency-Key` and no roll-up has its id.
 */
function expiredFilters({ config }: Pick<Deps, 'config'>) {
  const before = (age: number) => new Date(Date.now() - age);
  return [
    { counted: true, countedAt: { $lt: before(config.logRetentionDays * day) } },
    { state: 'failed', failedAt: { $lt: before(failedRetention) } },
  ] as const;
}

export async function countExpiredLogs(deps: Deps): Promise<number> {
  let count = 0;
  for (const filter of expiredFilters(deps)) count += await deps.models.logBatch.countDocuments(filter);
  return count;
}

/**
 * Removes log batches that are past their retention. Metrics stay: they are computed from hours,
 * which contain the counted batches.
 * @returns the number of removed log batches.
 */
export async function removeExpiredLogs(deps: Deps): Promise<number> {
  const { collection } = deps.models.logBatch;
  let removed = 0;
  for (const filter of expiredFilters(deps)) removed += await removeInPortions(collection, filter);
  return removed;
}
