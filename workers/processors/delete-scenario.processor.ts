import { isDeletedForGood } from '../../shared/models/scenario.model.ts';
import { deleteScenarioQueue } from '../../shared/queues/delete-scenario.queue.ts';
import { defineProcessor } from '../define-processor.ts';
import { removeInPortions } from '../remove-in-portions.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/**
 * Removes the data of a deleted scenario, then its row. The row is removed last because the sweep finds a lost job by
 * the row. Jobs that write for the scenario concurrently read the row after writing. If the scenario is deleted, they
 * remove what they wrote.
 */
export const deleteScenarioProcessor = defineProcessor(
  deleteScenarioQueue,
  async ({ scenarioId }, { models, log }: Pick<WorkerDeps, 'models' | 'log'>, { reportProgress }) => {
    if (!(await isDeletedForGood(models.scenario, scenarioId))) {
      log.warn('scenario not removed: it is not marked as deleted', { scenario_id: scenarioId });
      return { removed: 0 };
    }
    const ledgers = await models.usageLedger.deleteOne({ _id: scenarioId });
    let removed = ledgers.deletedCount;
    for (const { collection } of [models.usageYear, models.usageDay, models.usageRecord, models.logBatch]) {
      removed += await removeInPortions(collection, { scenarioId }, reportProgress);
    }
    const scenarios = await models.scenario.deleteOne({ _id: scenarioId });
    return { removed: removed + scenarios.deletedCount };
  },
);
