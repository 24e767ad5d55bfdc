import type { Models } from '../../shared/models/index.ts';
import type { Scenario } from '../../shared/models/scenario.model.ts';
import type { Assumptions } from '../../shared/pricing/assumptions.ts';

/** The assumptions of scenarios that receive entries. They are read once, because they are fixed when a scenario starts. */
export interface ScenarioAssumptions {
  /** @returns undefined for a scenario that does not exist. One that was deleted meanwhile can still be known. */
  find(scenarioId: string): Promise<Assumptions | undefined>;
}

const maxKnown = 1_000;

export function createScenarioAssumptions(models: Models): ScenarioAssumptions {
  /** The oldest first. */
  const known = new Map<string, Assumptions>();
  return {
    find: async (scenarioId) => {
      const assumptions = known.get(scenarioId) ?? (await readAssumptions(models, scenarioId));
      if (!assumptions) return undefined;
      // The oldest is then the one that has not been used for the longest time.
      known.delete(scenarioId);
      known.set(scenarioId, assumptions);
      for (const oldest of known.keys()) {
        if (known.size <= maxKnown) break;
        known.delete(oldest);
      }
      return assumptions;
    },
  };
}

/** By the driver: Mongoose takes longer than the database. */
async function readAssumptions(models: Models, scenarioId: string): Promise<Assumptions | undefined> {
  const filter = { _id: scenarioId as never, deletedAt: null };
  const projection = { assumptions: 1 };
  const scenario = await models.scenario.collection.findOne<Partial<Pick<Scenario, 'assumptions'>>>(filter, {
    projection,
  });
  // Absent in the document if there are none.
  return scenario ? (scenario.assumptions ?? {}) : undefined;
}
