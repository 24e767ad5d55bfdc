import { majority } from '../../shared/connections/mongo.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import type { Models } from '../../shared/models.ts';

/** Scenarios that are cached. */
const maxKnown = 1_000;

export type FindAssumptions = ReturnType<typeof createFindAssumptions>;

/**
 * Creates a function that finds the assumptions and prices of a scenario that receives entries.
 * They are read once, because those that entries are counted by are fixed when a scenario starts;
 * the others can be old. It returns undefined for a scenario that does not exist. One that was just
 * deleted can still be known.
 */
export function createFindAssumptions(models: Models) {
  const known = new Map<string, PricedScenario>();
  return async (scenarioId: string): Promise<PricedScenario | undefined> => {
    const scenario = known.get(scenarioId) ?? (await readScenario(models, scenarioId, { readConcern: majority }));
    // A state that a majority does not have yet can be rolled back, and is not cached.
    if (!scenario || scenario.status === 'draft') return readScenario(models, scenarioId);
    if (known.size === maxKnown && !known.has(scenarioId)) known.clear();
    known.set(scenarioId, scenario);
    return scenario;
  };
}

/** By the driver: Mongoose takes longer than the database. */
async function readScenario(
  models: Models,
  scenarioId: string,
  options: { readConcern?: typeof majority } = {},
): Promise<PricedScenario | undefined> {
  const filter = { _id: scenarioId as never, deletedAt: null };
  const projection = { assumptions: 1, status: 1, priceBook: 1 };
  const found = await models.scenario.collection.findOne<PricedScenario>(filter, { projection, ...options });
  // A scenario can lack assumptions.
  return found ? { ...found, assumptions: found.assumptions ?? {} } : undefined;
}
