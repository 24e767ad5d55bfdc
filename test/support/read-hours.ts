import type { Models } from '../../shared/models/index.ts';
import type { HourUsage } from '../../shared/pricing/usage.ts';
import { readUsage, type UsagePeriod } from '../../shared/services/read-usage.ts';

/** All hours with usage of a scenario, in order. */
export function readHours(models: Models, scenarioId: string, period: UsagePeriod = {}): Promise<HourUsage[]> {
  return readUsage(models, scenarioId, period, async (days) => {
    const all: HourUsage[] = [];
    for await (const hours of days) all.push(...hours);
    return all;
  });
}
