import type { CachedRead, ReadCache } from '../../shared/connections/read-cache.ts';
import type { OwnedScenarios, Ownership } from '../http/access/ownership.ts';
import { findScenario, listScenarios, notFound } from './scenario-store.ts';
import { presentScenario, type ScenarioAnswer } from './scenarios.presenter.ts';
import type { ScenarioListQuery } from './scenarios.schemas.ts';

/** The reads of version 2, which can come from the cache. */

interface Request {
  readonly scenarios: OwnedScenarios;
  readonly ownership: Ownership;
}

/** The answer to a list query. The key has every parameter, and whose scenarios the caller sees. */
export async function readScenarioList(
  { scenarioCache }: { scenarioCache: ReadCache },
  { scenarios, ownership: { visible } }: Request,
  query: ScenarioListQuery,
): Promise<CachedRead<{ items: ScenarioAnswer[]; total: number }>> {
  const load = async () => {
    const { scenarios: listed, total } = await listScenarios(scenarios, query);
    return { items: listed.map(presentScenario), total };
  };
  // The texts of searches are too many for a cache.
  if (query.search !== undefined) return { value: await load(), outcome: 'miss' };
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return scenarioCache.read(JSON.stringify(['list', visible, parameters]), load);
}

/** @throws AppError NOT_FOUND */
export async function readScenario(
  { scenarioCache }: { scenarioCache: ReadCache },
  { scenarios, ownership: { visible } }: Request,
  id: string,
): Promise<CachedRead<{ shown: ScenarioAnswer; revision: number }>> {
  const read = await scenarioCache.read(JSON.stringify(['scenario', id]), async () => {
    const scenario = await findScenario(scenarios, id);
    return { shown: presentScenario(scenario), revision: scenario.revision };
  });
  // The entry can be that of a caller who sees more.
  if (visible !== null && !visible.includes(read.value.shown.created_by)) throw notFound(id);
  return read;
}
