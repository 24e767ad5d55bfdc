import type { Redis } from 'ioredis';
import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { errorFields, type Log, withLogContext } from '../../shared/process/log.ts';
import { announceChanges } from '../../shared/scenarios/scenario-changes.ts';
import { oneRollUpOf } from '../../shared/usage/roll-up-usage.queue.ts';

/**
 * Requests the roll-up of stored usage and announces the change of its scenario. The first batch of
 * a scenario causes both at once. Batches that follow within a fourth of a second cause both once,
 * at its end.
 */
export interface RollUpRequests {
  report(scenarioId: string, requestId: string): Promise<void>;
  /**
   * Flushes the pending requests. The next ingest, or a read that needs the roll-up, replaces
   * the requests of a killed process.
   */
  close(): Promise<void>;
}

const intervalMs = 250;
/**
 * Long enough to merge many records in one roll-up, short enough to keep the number of pending
 * records low.
 */
const rollUpDelayMs = 1000;

interface Interval {
  timer: NodeJS.Timeout;
  /** The last request that was reported after the first one; null if it was the only one. */
  requestId: string | null;
}

export function createRollUpRequests({
  queues,
  redis,
  config,
  log,
}: {
  queues: Queues;
  redis: Redis;
  config: Pick<Config, 'redisPrefix'>;
  log: Log;
}): RollUpRequests {
  const intervals = new Map<string, Interval>();
  const running = new Set<Promise<void>>();
  let isClosed = false;

  const requestAndAnnounce = async (scenarioId: string, requestId: string) => {
    const options = { ...oneRollUpOf(scenarioId), delay: rollUpDelayMs };
    await queues['roll-up-usage'].add({ scenarioId, requestId }, options);
    announceChanges({ redis, config }, [scenarioId]);
  };
  const requestLater = (scenarioId: string, requestId: string) => {
    // A timer has the log context of the job that started it, not that of the last request.
    const request = withLogContext({ request_id: requestId }, async () => {
      try {
        await requestAndAnnounce(scenarioId, requestId);
      } catch (error) {
        log.warn('roll-up not requested', { scenario_id: scenarioId, ...errorFields(error) });
        const interval = intervals.get(scenarioId);
        if (interval) interval.requestId ??= requestId;
      }
    });
    running.add(request);
    void request.finally(() => running.delete(request));
  };
  const startInterval = (scenarioId: string) => {
    intervals.set(scenarioId, { timer: setTimeout(() => endInterval(scenarioId), intervalMs), requestId: null });
  };
  const endInterval = (scenarioId: string) => {
    const requestId = intervals.get(scenarioId)?.requestId ?? null;
    intervals.delete(scenarioId);
    if (requestId === null) return;
    startInterval(scenarioId);
    requestLater(scenarioId, requestId);
  };
  return {
    report: async (scenarioId, requestId) => {
      const interval = intervals.get(scenarioId);
      if (interval) interval.requestId = requestId;
      else {
        if (!isClosed) startInterval(scenarioId);
        await requestAndAnnounce(scenarioId, requestId);
      }
    },
    close: async () => {
      isClosed = true;
      const waiting = [...intervals];
      intervals.clear();
      for (const [scenarioId, { timer, requestId }] of waiting) {
        clearTimeout(timer);
        if (requestId !== null) requestLater(scenarioId, requestId);
      }
      await Promise.all(running);
    },
  };
}
