import { randomUUID } from 'node:crypto';
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
