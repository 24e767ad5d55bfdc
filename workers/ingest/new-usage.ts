import { oneRollUpOf } from '../../shared/queues/roll-up-usage.queue.ts';
import { errorFields } from '../../shared/runtime/log.ts';
import { announceChanges } from '../../shared/services/scenario-changes.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/**
 * What follows when new usage of a scenario is stored: its roll-up is requested, and its change is announced. The first batch
 * of a scenario causes both at once. Batches that follow within a fourth of a second cause both once, at its end.
 */
export interface NewUsage {
  report(scenarioId: string, requestId: string): Promise<void>;
  /** Does at once what waits. What a killed process has left is made up for by the next ingest, or by a read that needs it. */
  close(): Promise<void>;
}

/** Milliseconds. */
const interval = 250;
/** Long enough to merge many records in one roll-up, short enough to keep the number of pending records low. */
const rollUpDelayMs = 1000;

export function createNewUsage({
  queues,
  redis,
  config,
  log,
}: Pick<WorkerDeps, 'queues' | 'redis' | 'config' | 'log'>): NewUsage {
  /** The scenarios of the present interval, each with the last request that was reported after the first. */
  const recent = new Map<string, { timer: NodeJS.Timeout; requestId: string | null }>();

  const tell = async (scenarioId: string, requestId: string) => {
    const options = { ...oneRollUpOf(scenarioId), delay: rollUpDelayMs };
    await queues['roll-up-usage'].add({ scenarioId, requestId }, options);
    announceChanges({ redis, config }, [scenarioId]);
  };
  const begin = (scenarioId: string) => {
    recent.set(scenarioId, { timer: setTimeout(() => void end(scenarioId), interval), requestId: null });
  };
  const tellLater = (scenarioId: string, requestId: string) =>
    tell(scenarioId, requestId).catch((error: unknown) => log.warn('roll-up not requested', errorFields(error)));
  const end = async (scenarioId: string) => {
    const requestId = recent.get(scenarioId)?.requestId ?? null;
    recent.delete(scenarioId);
    if (requestId === null) return;
    begin(scenarioId);
    await tellLater(scenarioId, requestId);
  };
  return {
    report: async (scenarioId, requestId) => {
      const reported = recent.get(scenarioId);
      if (reported) reported.requestId = requestId;
      else {
        begin(scenarioId);
        await tell(scenarioId, requestId);
      }
    },
    close: async () => {
      const waiting = [...recent];
      recent.clear();
      for (const [, { timer }] of waiting) clearTimeout(timer);
      await Promise.all(
        waiting.map(async ([id, { requestId }]) => {
          if (requestId !== null) await tellLater(id, requestId);
        }),
      );
    },
  };
}
