import { deleteScenarioQueue } from '../../shared/queues/delete-scenario.queue.ts';
import { defineProcessor } from '../define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/**
 * Removes the data of a deleted scenario, then its row. The row is removed last because the sweep finds a lost job by
 * the row. Jobs that write for the scenario concurrently read the row after writing. If the scenario is deleted, they
 * remove what they wrote.
 */
export const deleteScenarioProcessor = defineProcessor(
  deleteScenarioQueue,
  async ({ scenarioId }, { models, log }: Pick<WorkerDeps, 'models' | 'log'>) => {
    if (await models.scenario.exists({ _id: scenarioId, deletedAt: null })) {
      log.warn('scenario not removed: it is not marked as deleted', { scenario_id: scenarioId });
      return { removed: 0 };
    }
    const results = [
      await models.usageLedger.deleteOne({ _id: scenarioId }),
      await models.usageDay.deleteMany({ scenarioId }),
      await models.usageRecord.deleteMany({ scenarioId }),
      await models.logBatch.deleteMany({ scenarioId }),
      await models.scenario.deleteOne({ _id: scenarioId }),
    ];
    return { removed: results.reduce((sum, { deletedCount }) => sum + deletedCount, 0) };
  },
);
