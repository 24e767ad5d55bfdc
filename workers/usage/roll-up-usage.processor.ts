import { randomUUID } from 'node:crypto';
import type { Queues } from '../../shared/all-queues.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { isDeletedForGood } from '../../shared/scenarios/scenario.model.ts';
import { rollUp } from '../../shared/usage/roll-up.ts';
import { oneRollUpOf, rollUpUsageQueue } from '../../shared/usage/roll-up-usage.queue.ts';
import { createUsageStore, removeUsage } from '../../shared/usage/usage-store.ts';
import { defineProcessor, isLate, type SweepDeps } from '../jobs/define-processor.ts';

/** Counts the stored batches of a scenario into its hours and days (`shared/usage/roll-up.ts`). */
export const rollUpUsageProcessor = defineProcessor(
  rollUpUsageQueue,
  async ({ scenarioId }, { models }, { reportProgress }) => {
    const isScenarioDeleted = () => isDeletedForGood(models.scenario, scenarioId);
    const hooks = { isScenarioDeleted, reportProgress };
    const counted = await rollUp(createUsageStore(models, scenarioId), scenarioId, hooks);
    if (counted !== undefined) return { counted };
    if (await isScenarioDeleted()) await removeUsage(models, scenarioId, reportProgress);
    return { counted: 0 };
  },
  { sweep: sweepUncounted },
);

/** Batches that are looked at in one sweep; the next one continues. */
const maxPerSweep = 10_000;

/** Adds roll-ups whose jobs Redis has lost, or which no worker has added before it ended. */
async function sweepUncounted({ models, queues }: SweepDeps): Promise<void> {
  // The scenario makes the index of uncounted batches usable.
  const filter = { scenarioId: { $gt: '' }, counted: false, state: 'stored', receivedAt: isLate() };
  const batches = models.logBatch.collection
    .find<{ scenarioId: string }>(filter, { projection: { _id: 0, scenarioId: 1 } })
    .limit(maxPerSweep);
  const scenarioIds = new Set<string>();
  for await (const { scenarioId } of batches) scenarioIds.add(scenarioId);
  for (const scenarioId of scenarioIds) {
    await queues['roll-up-usage'].add({ scenarioId, requestId: randomUUID() }, oneRollUpOf(scenarioId));
  }
}

/**
 * Requests the roll-up of stored usage, once for all batches of a scenario in a fourth of a second.
 */
export interface RollUpRequests {
  report(scenarioId: string, requestId: string): void;
  /** Sends the pending requests. The sweep replaces those of a killed process. */
  close(): Promise<void>;
}

const intervalMs = 250;
/**
 * Long enough to merge many records in one roll-up, short enough to keep the number of pending
 * records low.
 */
const rollUpDelayMs = 1000;

export function createRollUpRequests({ queues, log }: { queues: Queues; log: Log }): RollUpRequests {
  /** The last request of each scenario. */
  const pending = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  const send = async (scenarioId: string, requestId: string) => {
    try {
      await queues['roll-up-usage'].add(
        { scenarioId, requestId },
        { ...oneRollUpOf(scenarioId), delay: rollUpDelayMs },
      );
    } catch (error) {
      const fields = { request_id: requestId, scenario_id: scenarioId, ...errorFields(error) };
      log.warn('roll-up not requested: the sweep adds it', fields);
    }
  };
  const sendAll = () => {
    timer = undefined;
    const requests = [...pending];
    pending.clear();
    sending = Promise.all([sending, ...requests.map(([id, requestId]) => send(id, requestId))]);
  };
  return {
    report: (scenarioId, requestId) => {
      pending.set(scenarioId, requestId);
      timer ??= setTimeout(sendAll, intervalMs);
    },
    close: async () => {
      clearTimeout(timer);
      sendAll();
      await sending;
    },
  };
}
