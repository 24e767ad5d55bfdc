import type { ReadCache } from '../../shared/connections/read-cache.ts';
import type { OwnedScenarios, Ownership } from '../http/access/ownership.ts';
import { findScenario, listScenarios, notFound } from './scenario-store.ts';
import { presentScenario, type ScenarioResponse } from './scenarios.presenter.ts';
import type { ScenarioListQuery } from './scenarios.schemas.ts';

interface Request {
  readonly scenarios: OwnedScenarios;
  readonly ownership: Ownership;
}

/** `X-Cache` is in the headers if the cache could have been used. */
interface ScenarioRead<Value> {
  readonly value: Value;
  readonly headers: { 'X-Cache'?: string };
}

/** The key of a cached list has every parameter, and whose scenarios the caller sees. */
export async function readScenarioList(
  { scenarioCache }: { scenarioCache: ReadCache },
  { scenarios, ownership: { visible } }: Request,
  query: ScenarioListQuery,
  isCached: boolean,
): Promise<ScenarioRead<{ items: ScenarioResponse[]; total: number }>> {
  const load = async () => {
    const { scenarios: listed, total } = await listScenarios(scenarios, query);
    return { items: listed.map(presentScenario), total };
  };
  if (!isCached) return { value: await load(), headers: {} };
  // The texts of searches are too many for a cache.
  if (query.search !== undefined) return { value: await load(), headers: { 'X-Cache': 'miss' } };
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  const { value, outcome } = await scenarioCache.read(JSON.stringify(['list', visible, parameters]), load);
  return { value, headers: { 'X-Cache': outcome } };
}

/** @throws AppError NOT_FOUND */
export async function readScenario(
  { scenarioCache }: { scenarioCache: ReadCache },
  { scenarios, ownership: { visible } }: Request,
  id: string,
  isCached: boolean,
): Promise<ScenarioRead<{ shown: ScenarioResponse; revision: number }>> {
  const load = async () => {
    const scenario = await findScenario(scenarios, id);
    return { shown: presentScenario(scenario), revision: scenario.revision };
  };
  if (!isCached) return { value: await load(), headers: {} };
  const { value, outcome } = await scenarioCache.read(JSON.stringify(['scenario', id]), load);
  // The entry can be that of a caller who sees more.
  if (visible !== null && !visible.includes(value.shown.created_by)) throw notFound(id);
  return { value, headers: { 'X-Cache': outcome } };
}
