import { priceByPage } from '../../shared/cost/paged-cost.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { sha256 } from '../../shared/crypto/sha256.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { formatEvent } from './event-stream.ts';
import { presentSummary } from './metrics.presenter.ts';

interface MetricsEvent {
  /** The same for the same numbers, whichever process computes them. */
  version: string;
  text: string;
}

/** The totals do not depend on the rows. */
const rows = { interval: 'day', limit: 1, maxHours: 1 } as const;

/** The present metrics of a scenario as an event, without rows; null if it does not exist. */
export async function readMetricsEvent(
  { models, queues, priceBooks, config }: Pick<Resources, 'models' | 'queues' | 'priceBooks' | 'config'>,
  id: string,
): Promise<MetricsEvent | null> {
  const scenario = await models.scenario.findOne({ _id: id, deletedAt: null }).lean();
  if (!scenario) return null;
  const { region, assumptions, status } = scenario;
  const book = await priceBooks.ofScenario(scenario);
  const pricing = { region, assumptions, book, fallback: config.priceFallback };
  const summary = await readScenarioUsage({ models, queues }, id, pricing, async (readDays, unprocessed) => {
    const cost = await priceByPage(readDays, pricing, rows, () => null);
    return presentSummary({ id, region }, book, cost, unprocessed);
  });
  const data = JSON.stringify({ ...summary, status });
  const version = sha256(data, 'base64url').slice(0, 22);
  return { version, text: formatEvent('metrics', data, version) };
}
