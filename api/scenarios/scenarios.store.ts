import type { QueryFilter, SortOrder } from 'mongoose';
import type { ReadCache } from '../../shared/connections/read-cache.ts';
import { AppError } from '../../shared/errors.ts';
import {
  type Scenario,
  type ScenarioStatus,
  scenarioOrders,
  scenarioStatuses,
  type Transition,
  textKeyOf,
  transitions,
} from '../../shared/scenarios/scenario.model.ts';
import type { OwnedScenarios, Ownership } from '../http/access/ownership.ts';
import { presentScenario, type ScenarioListQuery } from './scenarios.schema.ts';

/** The reads of the scenario routes. Writes are in `scenario-writes.ts`. */

function notFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Scenario ${id} does not exist.`);
}

/**
 * The error of a scenario in another status than the required one, with the steps that lead there.
 * @param purpose what the status is required for, such as `stop it`.
 */
export function wrongStatus({ _id: id, status }: Scenario, purpose: string, required: ScenarioStatus): AppError {
  const [from, to] = [status, required].map((one) => scenarioStatuses.indexOf(one)) as [number, number];
  const [first, ...others] = (Object.keys(transitions) as Transition[]).slice(from, to);
  const steps = [first, ...others].join(' and ');
  const address = [`POST /api/v1/scenarios/${id}/${first}`, ...others.map((step) => `/${step}`)].join(', then ');
  const hint = first === undefined ? 'a status does not go back' : `${steps} it: ${address}`;
  return new AppError('INVALID_STATE', `Scenario ${id} is ${status}; to ${purpose}, it must be ${required}; ${hint}.`);
}

export async function findScenario({ model, visible }: OwnedScenarios, id: string): Promise<Scenario> {
  // By the driver, because every request with log entries asks.
  const found = await model.collection.findOne<Scenario>({ _id: id as never, deletedAt: null, ...visible });
  if (!found) throw notFound(id);
  return found;
}

/** @throws AppError INVALID_STATE unless it takes log entries. */
export function requireRunning(scenario: Scenario): void {
  if (scenario.status !== 'running') throw wrongStatus(scenario, 'take log entries', 'running');
}

/**
 * A page of the scenarios that match, and their number. Both are read from keys of an index, except
 * for a search, which tests every scenario that matches otherwise.
 */
async function listScenarios(
  { model, visible }: OwnedScenarios,
  query: ScenarioListQuery,
): Promise<{ scenarios: Scenario[]; total: number }> {
  const { page, page_size: pageSize } = query;
  const filter = { ...listFilter(query), ...visible };
  const skip = (page - 1) * pageSize;
  const read = (order: SortOrder, from: number, limit: number) =>
    model.find(filter).sort(listSort(query, order)).skip(from).limit(limit).lean();
  const count = () => model.countDocuments(filter);
  const order = query.sort_order;

  if (query.search !== undefined) {
    const scenarios = await read(order, skip, pageSize);
    // A page that is not full shows where the matches end, which saves a second search.
    const isEnd = scenarios.length < pageSize && (scenarios.length > 0 || skip === 0);
    return { scenarios, total: isEnd ? skip + scenarios.length : await count() };
  }
  if (skip < farSkip) {
    const [scenarios, total] = await Promise.all([read(order, skip, pageSize), count()]);
    return { scenarios, total };
  }
  const total = await count();
  const limit = Math.min(pageSize, total - skip);
  if (limit <= 0) return { scenarios: [], total };
  const behind = total - skip - limit;
  if (skip <= behind) return { scenarios: await read(order, skip, limit), total };
  const scenarios = await read(order === 'asc' ? 'desc' : 'asc', behind, limit);
  return { scenarios: scenarios.reverse(), total };
}

/**
 * From here on, a page is read from the nearer end of the list, because the database passes over
 * the skipped keys.
 */
const farSkip = 1_000;

function listFilter({ status, region, search, include_archived: includeArchived }: ScenarioListQuery) {
  const listed = includeArchived ? scenarioStatuses : scenarioStatuses.filter((one) => one !== 'archived');
  // Statuses by name, so that an index that has them before its order gives the order.
  const statuses = status === undefined ? listed : listed.filter((one) => one === status);
  const filter: QueryFilter<Scenario> = { deletedAt: null, status: { $in: statuses } };
  if (region) filter.region = region;
  // The text comes first, because the index leaves nothing else to be tested.
  return search === undefined ? filter : { $or: containing(search), ...filter };
}

function containing(search: string): QueryFilter<Scenario>[] {
  const inKey = { $regex: textKeyOf(search).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') };
  return [{ nameKey: inKey }, { descriptionKey: inKey }];
}

/** Scenarios of one status are in the order of their creation. */
function listSort({ sort_by: sortBy }: ScenarioListQuery, order: SortOrder): Record<string, SortOrder> {
  if (sortBy === 'status') return { status: order, createdAt: order, _id: order };
  return { [scenarioOrders[sortBy]]: order, _id: order };
}

interface Request {
  readonly scenarios: OwnedScenarios;
  readonly ownership: Ownership;
}

/** By a cache, `X-Cache` is in the headers; the key is undefined for what is too much for it. */
async function readBy<Value>(cache: ReadCache | null, key: object | undefined, load: () => Promise<Value>) {
  if (!cache) return { value: await load(), headers: {} };
  if (!key) return { value: await load(), headers: { 'X-Cache': 'miss' } };
  const { value, outcome } = await cache.read(JSON.stringify(key), load);
  return { value, headers: { 'X-Cache': outcome } };
}

/** The key of a cached list has every parameter, and whose scenarios the caller sees. */
export async function readScenarioList(
  { scenarios, ownership: { visible } }: Request,
  query: ScenarioListQuery,
  cache: ReadCache | null,
) {
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  // The texts of searches are too many.
  const key = query.search === undefined ? ['list', visible, parameters] : undefined;
  return readBy(cache, key, async () => {
    const { scenarios: listed, total } = await listScenarios(scenarios, query);
    return { items: listed.map(presentScenario), total };
  });
}

/** @throws AppError NOT_FOUND */
export async function readScenario(
  { scenarios, ownership: { visible } }: Request,
  id: string,
  cache: ReadCache | null,
) {
  const read = await readBy(cache, ['scenario', id], async () => {
    const scenario = await findScenario(scenarios, id);
    return { shown: presentScenario(scenario), revision: scenario.revision };
  });
  // A cached one can be that of a caller who sees more.
  if (visible !== null && !visible.includes(read.value.shown.created_by)) throw notFound(id);
  return read;
}
