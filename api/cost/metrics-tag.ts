import { hasPipeline } from '../../shared/cost/pipeline/derive-hour.ts';
import { hasPolls } from '../../shared/cost/pipeline/pipeline-months.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { minute } from '../../shared/durations.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { serviceVersion } from '../../shared/service-version.ts';
import { createUsageStore } from '../../shared/usage/usage-store.ts';
import { readUsageVersion } from '../../shared/usage/usage-version.ts';
import type { RouteDeps } from '../app-deps.ts';
import { contentTag } from '../http/entity-tag.ts';
import type { MetricsQuery } from './metrics.schemas.ts';

/**
 * The tag of metrics, from all that they follow from but the hours: it is known without reading
 * one. Undefined during a roll-up.
 */
export async function readMetricsTag(
  { models, priceBooks, config }: Pick<RouteDeps, 'models' | 'priceBooks' | 'config'>,
  { _id, revision, assumptions }: Scenario,
  { version: book }: PriceBook,
  query: MetricsQuery,
  now = Date.now(),
): Promise<string | undefined> {
  const usage = await readUsageVersion(createUsageStore(models, _id));
  if (usage === undefined) return undefined;
  const complete = applyDefaults(assumptions);
  // The queue is polled in each second of a running hour.
  const isPolling = hasPipeline(complete) && hasPolls(complete);
  return contentTag({
    id: _id,
    query,
    revision,
    usage,
    book,
    ownPrices: priceBooks.overridesRevision,
    fallback: config.priceFallback,
    minute: isPolling ? Math.floor(now / minute) : null,
    serviceVersion,
  });
}
