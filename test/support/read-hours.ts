import { readUsage, type UsageDeps, type UsagePeriod } from '../../shared/usage/read-usage.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';

/** All hours with usage of a scenario, in order. */
export function readHours(deps: UsageDeps, scenarioId: string, period: UsagePeriod = {}): Promise<HourUsage[]> {
  return readUsage(deps, scenarioId, period, async (days) => {
    const all: HourUsage[] = [];
    for await (const hours of days) all.push(...hours);
    return all;
  });
}
