import { majority } from '../../shared/connections/mongo.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import type { Models } from '../../shared/models.ts';
import type { Assumptions } from '../../shared/scenarios/assumptions.ts';

/**
 * The assumptions and prices of scenarios that receive entries. They are read once, because those
 * that entries are counted by are fixed when a scenario starts; the others can be old.
 */
export interface ScenarioAssumptions {
  /**
   * @returns undefined for a scenario that does not exist. A scenario that was just deleted can
   * still be known.
   */
  find(scenarioId: string): Promise<PricedScenario | undefined>;
}

const maxKnown = 1_000;

export function createScenarioAssumptions(models: Models): ScenarioAssumptions {
  /** The oldest first. */
  const known = new Map<string, PricedScenario>();
  const remember = (scenarioId: string, scenario: PricedScenario) => {
    // The oldest is then the one that has not been used for the longest time.
    known.delete(scenarioId);
    known.set(scenarioId, scenario);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size > maxKnown) known.delete(oldest);
    return scenario;
  };
  return {
    find: async (scenarioId) => {
      const scenario = known.get(scenarioId);
      if (scenario) return remember(scenarioId, scenario);
      const settled = await readScenario(models, scenarioId, { readConcern: majority });
      if (settled && settled.status !== 'draft') return remember(scenarioId, settled);
      // A state that a majority does not have yet can be rolled back, and is not cached.
      return readScenario(models, scenarioId);
    },
  };
}

type StoredScenario = Omit<PricedScenario, 'assumptions'> & { assumptions?: Assumptions };

/** By the driver: Mongoose takes longer than the database. */
async function readScenario(
  models: Models,
  scenarioId: string,
  options: { readConcern?: typeof majority } = {},
): Promise<PricedScenario | undefined> {
  const filter = { _id: scenarioId as never, deletedAt: null };
  const projection = { assumptions: 1, status: 1, priceBook: 1 };
  const found = await models.scenario.collection.findOne<StoredScenario>(filter, { projection, ...options });
  return found ? { ...found, assumptions: found.assumptions ?? {} } : undefined;
}
