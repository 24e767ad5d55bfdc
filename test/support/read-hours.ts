import type { Period } from '../../shared/usage/periods.ts';
import { readUsage, type UsageDeps } from '../../shared/usage/read-usage.ts';
import type { HourCounters } from '../../shared/usage/stored-hour.ts';
import type { UsageHour } from '../../shared/usage/usage.model.ts';

/** All hours with usage of a scenario, in order. */
export function readHours(deps: UsageDeps, scenarioId: string, period: Period = {}): Promise<HourCounters[]> {
  return readUsage(deps, scenarioId, period, async (readDays) => {
    const all: HourCounters[] = [];
    for await (const hours of readDays(() => 'hours')) {
      for (const { _id, seq: _seq, ...hour } of hours as readonly UsageHour[]) all.push(hour);
    }
    return all;
  });
}
