import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { QueryFilter, SortOrder } from 'mongoose';
import { isDuplicateKey } from '../../../shared/connections/mongo.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Models } from '../../../shared/models/index.ts';
import {
  applyTransition,
  nameKeyOf,
  type Scenario,
  type Transition,
  transitions,
} from '../../../shared/models/scenario.model.ts';
import type { Operation } from '../../request/context.ts';
import type { ScenarioCreate, ScenarioListQuery, ScenarioUpdate } from './scenarios.schemas.ts';

/** The database operations of the scenario routes, with the errors for callers. */

export function notFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Scenario ${id} does not exist.`);
}

export async function findScenario({ scenario }: Models, id: string): Promise<Scenario> {
  const found = await scenario.findOne({ _id: id, deletedAt: null }).lean();
  if (!found) throw notFound(id);
  return found;
}

export async function createScenario(
  { scenario }: Models,
  fields: ScenarioCreate,
  operation?: Operation,
): Promise<Scenario> {
  const earlier = operation?.attemptedBefore ? await scenario.findById(operation.id).lean() : null;
  if (earlier) return earlier;
  const now = new Date();
  const created: Scenario = {
    _id: operation?.id ?? randomUUID(),
    ...fields,
    nameKey: nameKeyOf(fields.name),
    status: 'draft',
    revision: 1,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    completedAt: null,
    archivedAt: null,
    deletedAt: null,
  };
  await withUniqueName(fields.name, () => scenario.create(created));
  return created;
}

export async function listScenarios({ scenario }: Models, query: ScenarioListQuery) {
  const { page, page_size: pageSize } = query;
  const filter = listFilter(query);
  const [scenarios, total] = await Promise.all([
    scenario
      .find(filter)
      .sort(listSort(query))
      .skip((page - 1) * pageSize)
      .limit(pageSize)
      .lean(),
    scenario.countDocuments(filter),
  ]);
  return { scenarios, total };
}

function listFilter({ status, region, search, include_archived: includeArchived }: ScenarioListQuery) {
  const conditions: QueryFilter<Scenario>[] = [{ deletedAt: null }];
  if (status) conditions.push({ status });
  if (!includeArchived) conditions.push({ status: { $ne: 'archived' } });
  if (region) conditions.push({ region });
  if (search) {
    const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    // The search uses the stored key of the name, like the comparison of names.
    const inName = { $regex: literal(nameKeyOf(search)) };
    const inDescription = { $regex: literal(search), $options: 'i' };
    conditions.push({ $or: [{ nameKey: inName }, { description: inDescription }] });
  }
  return { $and: conditions };
}

const sortKeys = { name: 'nameKey', created_at: 'createdAt', updated_at: 'updatedAt', status: 'status' } as const;

function listSort({ sort_by: sortBy, sort_order: order }: ScenarioListQuery): Record<string, SortOrder> {
  return { [sortKeys[sortBy]]: order, _id: order };
}

/**
 * Changes the fields that were sent, if the scenario still has the revision of `expected`.
 * @returns null if the scenario has another revision.
 */
export async function updateScenario(
  { scenario }: Models,
  expected: Scenario,
  changes: ScenarioUpdate,
): Promise<Scenario | null> {
  requireUnfrozen(expected, changes);
  return withUniqueName(changes.name ?? expected.name, () =>
    scenario
      .findOneAndUpdate(
        { _id: expected._id, revision: expected.revision, deletedAt: null },
        {
          $set: {
            ...changes,
            ...(changes.name === undefined ? {} : { nameKey: nameKeyOf(changes.name) }),
            updatedAt: new Date(),
          },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean(),
  );
}

function requireUnfrozen(scenario: Scenario, changes: ScenarioUpdate): void {
  const { _id: id, status } = scenario;
  if (status === 'archived') {
    throw new AppError('INVALID_STATE', `Scenario ${id} is archived; an archived scenario cannot be changed.`);
  }
  if (status === 'draft') return;
  const frozen = (['region', 'assumptions'] as const).filter(
    (field) => changes[field] !== undefined && !isDeepStrictEqual(changes[field], scenario[field]),
  );
  if (frozen.length === 0) return;
  throw new AppError(
    'INVALID_STATE',
    `Scenario ${id} is ${status}; its ${frozen.join(' and ')} can only be changed in draft.`,
    { details: frozen.map((field) => ({ field, error: 'can only be changed while the scenario is draft' })) },
  );
}

export async function transitionScenario(
  models: Models,
  id: string,
  transition: Transition,
  operation?: Operation,
): Promise<Scenario> {
  const changed = await applyTransition(models.scenario, id, transition);
  if (changed) return changed;
  const scenario = await findScenario(models, id);
  const { status } = scenario;
  const { from, to } = transitions[transition];
  if (operation?.attemptedBefore && status === to) return scenario;
  throw new AppError('INVALID_STATE', `Scenario ${id} is ${status}; to ${transition} it, it must be ${from}.`);
}

/** Marks the scenario as deleted, which frees its name. @returns false if it has another revision or does not exist. */
export async function markDeleted({ scenario }: Models, id: string, revision?: number): Promise<boolean> {
  const { modifiedCount } = await scenario.updateOne(
    { _id: id, deletedAt: null, ...(revision === undefined ? {} : { revision }) },
    { $set: { deletedAt: new Date() }, $unset: { nameKey: 1 }, $inc: { revision: 1 } },
  );
  return modifiedCount === 1;
}

async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('CONFLICT', `Another scenario has the name ${JSON.stringify(name)}.`, {
      details: [{ field: 'name', error: 'is taken by another scenario' }],
    });
  }
}
