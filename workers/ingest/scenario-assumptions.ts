import { majority } from '../../shared/connections/mongo.ts';
import type { Models } from '../../shared/models.ts';
import type { Assumptions } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';

/**
 * The assumptions of scenarios that receive entries. They are read once, because those by which
 * entries are counted are fixed when a scenario starts; the others can be old.
 */
export interface ScenarioAssumptions {
  /**
   * @returns undefined for a scenario that does not exist. One that was deleted meanwhile can still
   * be known.
   */
  find(scenarioId: string): Promise<Assumptions | undefined>;
}

const maxKnown = 1_000;

export function createScenarioAssumptions(models: Models): ScenarioAssumptions {
  /** The oldest first. */
  const known = new Map<string, Assumptions>();
  const remember = (scenarioId: string, assumptions: Assumptions) => {
    // The oldest is then the one that has not been used for the longest time.
    known.delete(scenarioId);
    known.set(scenarioId, assumptions);
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break;
      known.delete(oldest);
    }
    return assumptions;
  };
  return {
    find: async (scenarioId) => {
      const assumptions = known.get(scenarioId);
      if (assumptions) return remember(scenarioId, assumptions);
      const settled = await readScenario(models, scenarioId, { readConcern: majority });
      if (settled && settled.status !== 'draft') return remember(scenarioId, settled.assumptions ?? {});
      // A state that a majority does not have yet can be rolled back, and is not cached.
      const present = await readScenario(models, scenarioId);
      return present ? (present.assumptions ?? {}) : undefined;
    },
  };
}

type StoredScenario = Pick<Scenario, 'status'> & { assumptions?: Assumptions };

/** By the driver: Mongoose takes longer than the database. */
function readScenario(models: Models, scenarioId: string, options: { readConcern?: typeof majority } = {}) {
  const filter = { _id: scenarioId as never, deletedAt: null };
  const projection = { assumptions: 1, status: 1 };
  return models.scenario.collection.findOne<StoredScenario>(filter, { projection, ...options });
}
