import { deleteScenarioQueue } from '../../shared/queues/delete-scenario.queue.ts';
import { defineProcessor } from '../define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/**
 * Removes all that belongs to a deleted scenario, and its row last: the row is what the sweep finds when this job is
 * lost. Jobs that write for the scenario at the same time look at the row after writing and clean up behind themselves.
 */
export const deleteScenarioProcessor = defineProcessor(
  deleteScenarioQueue,
  async ({ scenarioId }, { models, log }: Pick<WorkerDeps, 'models' | 'log'>) => {
    if (await models.scenario.exists({ _id: scenarioId, deletedAt: null })) {
      log.warn('the scenario is not marked as deleted, nothing removed', { scenario_id: scenarioId });
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
