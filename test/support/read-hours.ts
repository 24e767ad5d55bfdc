import type { Period } from '../../shared/usage/periods.ts';
import { readUsage, type UsageDeps } from '../../shared/usage/read-usage.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';

/** All hours with usage of a scenario, in order. */
export function readHours(deps: UsageDeps, scenarioId: string, period: Period = {}): Promise<HourUsage[]> {
  return readUsage(deps, scenarioId, period, async (days) => {
    const all: HourUsage[] = [];
    for await (const hours of days) all.push(...hours);
    return all;
  });
}
