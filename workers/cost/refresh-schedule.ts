import { randomUUID } from 'node:crypto';
import { errorFields } from '../../shared/process/log.ts';
import type { WorkerDeps } from '../worker-deps.ts';

type Deps = Pick<WorkerDeps, 'queues' | 'config' | 'log'>;

const schedulerOf = (source: string) => `refresh ${source}`;

/** Brings the schedule in Redis in line with the configuration, once for each start of a worker. */
export function startRefreshSchedule(deps: Deps): () => void {
  scheduleRefreshes(deps).catch((error: unknown) =>
    deps.log.warn('the schedule of price refreshes is not set', errorFields(error)),
  );
  return () => {};
}

/** Schedules a refresh of each configured source, and removes the schedules of all others. */
export async function scheduleRefreshes({ queues, config }: Omit<Deps, 'log'>): Promise<void> {
  const { sources, refreshCron } = config.prices;
  const refreshes = queues['refresh-prices'];
  const wanted = refreshCron === undefined ? [] : [...sources.keys()];
  const present = await refreshes.queue.getJobSchedulers();
  for (const { key } of present) {
    if (!wanted.some((source) => schedulerOf(source) === key)) await refreshes.stopRepeating(key);
  }
  for (const source of wanted) {
    const times = { pattern: refreshCron ?? '', tz: 'UTC' };
    await refreshes.repeat(schedulerOf(source), times, { source, requestId: randomUUID() });
  }
}
