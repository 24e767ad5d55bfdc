import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isDuplicateKey } from '../../../shared/connections/mongo.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  applyTransition,
  type Scenario,
  type Transition,
  textKeyOf,
  transitions,
} from '../../../shared/models/scenario.model.ts';
import { deletionJobId } from '../../../shared/queues/delete-scenario.queue.ts';
import { errorFields } from '../../../shared/runtime/log.ts';
import { toShownError } from '../../middleware/error-envelope.ts';
import { type ConditionalHeaders, checkIfMatch, entityTag, preconditionFailed } from '../../request/entity-tag.ts';
import { findScenario, notFound } from './scenario-store.ts';
import { type ScenarioWriter, write } from './scenario-writer.ts';
import type { ScenarioCreate, ScenarioUpdate } from './scenarios.schemas.ts';

/** The writes of both versions of the scenario routes, with the errors for callers. */

export async function createScenario(writer: ScenarioWriter, fields: ScenarioCreate): Promise<Scenario> {
  const { scenarios, operation } = writer;
  const { model, owner } = scenarios;
  const earlier = operation?.attemptedBefore ? await model.findById(operation.id).lean() : null;
  if (earlier) return earlier;
  const now = new Date();
  const created: Scenario = {
    _id: operation?.id ?? randomUUID(),
    ...fields,
    ...keysOf(fields),
    status: 'draft',
    createdBy: owner,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    completedAt: null,
    archivedAt: null,
    deletedAt: null,
  };
  await withUniqueName(fields.name, () =>
    write(writer, { action: 'create', scenarioId: created._id }, () => model.create(created)),
  );
  writer.deps.metrics.scenariosCreated.inc({ region: created.region, status: created.status });
  return created;
}

/** Changes the fields that were sent. With `If-Match`, one of concurrent updates of a version succeeds. */
export async function updateScenario(
  writer: ScenarioWriter,
  id: string,
  changes: ScenarioUpdate,
  headers: ConditionalHeaders,
): Promise<Scenario> {
  for (;;) {
    const scenario = await findScenario(writer.scenarios, id);
    const conditional = checkIfMatch(headers, entityTag(scenario.revision));
    requireUnfrozen(scenario, changes);
    const updated = await updateRevision(writer, scenario, changes);
    if (updated) return updated;
    if (conditional) throw preconditionFailed();
  }
}

/** @returns null if the scenario has another revision than `expected`. */
async function updateRevision(
  writer: ScenarioWriter,
  expected: Scenario,
  changes: ScenarioUpdate,
): Promise<Scenario | null> {
  const { model, visible } = writer.scenarios;
  const { _id, revision } = expected;
  return withUniqueName(changes.name ?? expected.name, () =>
    write(writer, { action: 'update', scenarioId: _id }, () =>
      model
        .findOneAndUpdate(
          { _id, revision, deletedAt: null, ...visible },
          {
            $set: {
              ...changes,
              ...keysOf(changes),
              updatedAt: new Date(),
            },
            $inc: { revision: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean(),
    ),
  );
}

/** The stored keys of the texts that are given. */
function keysOf({ name, description }: ScenarioUpdate): Pick<Scenario, 'nameKey' | 'descriptionKey'> {
  return {
    ...(name === undefined ? {} : { nameKey: textKeyOf(name) }),
    ...(description === undefined ? {} : { descriptionKey: textKeyOf(description) }),
  };
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
  writer: ScenarioWriter,
  id: string,
  transition: Transition,
): Promise<Scenario> {
  const { scenarios, operation } = writer;
  const changed = await write(writer, { action: transition, scenarioId: id }, () =>
    applyTransition(scenarios.model, { _id: id, ...scenarios.visible }, transition),
  );
  if (changed) return changed;
  const scenario = await findScenario(scenarios, id);
  const { status } = scenario;
  const { from, to } = transitions[transition];
  if (operation?.attemptedBefore && status === to) return scenario;
  throw new AppError('INVALID_STATE', `Scenario ${id} is ${status}; to ${transition} it, it must be ${from}.`);
}

export async function deleteScenario(writer: ScenarioWriter, id: string, headers: ConditionalHeaders): Promise<void> {
  const scenario = await findScenario(writer.scenarios, id);
  const conditional = checkIfMatch(headers, entityTag(scenario.revision));
  const isDeleted = await write(writer, { action: 'delete', scenarioId: id }, () =>
    markDeleted(writer, id, conditional ? scenario.revision : undefined),
  );
  if (!isDeleted) throw conditional ? preconditionFailed() : notFound(id);
  await addDeletionJobs(writer, [id]);
}

export interface BulkDeleteResult {
  deleted: string[];
  failed: { id: string; reason: string }[];
}

/** Deletes each scenario by itself: one that does not exist, or a failure, does not stop the others. */
export async function deleteScenarios(writer: ScenarioWriter, ids: readonly string[]): Promise<BulkDeleteResult> {
  const outcomes = await write(writer, { action: 'bulk_delete', scenarioIds: ids }, () =>
    Promise.all(ids.map(async (id) => ({ id, reason: await reasonOfFailure(writer, id) }))),
  );
  const deleted = outcomes.filter(({ reason }) => reason === null).map(({ id }) => id);
  await addDeletionJobs(writer, deleted);
  return { deleted, failed: outcomes.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }])) };
}

/** Deletes a scenario. @returns null, or for the caller why it was not deleted. */
async function reasonOfFailure(writer: ScenarioWriter, id: string): Promise<string | null> {
  try {
    return (await markDeleted(writer, id)) ? null : 'Not found';
  } catch (error) {
    writer.deps.log.warn('scenario not deleted', { scenario_id: id, ...errorFields(error) });
    return toShownError(error).message;
  }
}

/** Marks the scenario as deleted, which frees its name. @returns false if it has another revision or does not exist. */
async function markDeleted({ scenarios }: ScenarioWriter, id: string, revision?: number): Promise<boolean> {
  const { model, visible } = scenarios;
  const { modifiedCount } = await model.updateOne(
    { _id: id, deletedAt: null, ...visible, ...(revision === undefined ? {} : { revision }) },
    { $set: { deletedAt: new Date() }, $unset: { nameKey: 1 }, $inc: { revision: 1 } },
  );
  return modifiedCount === 1;
}

/**
 * The mark alone deletes a scenario for callers. If Redis is unreachable, the workers' sweep adds the jobs later.
 */
async function addDeletionJobs({ requestId, deps: { queues, log } }: ScenarioWriter, ids: string[]): Promise<void> {
  const add = (scenarioId: string) =>
    queues['delete-scenario'].add({ scenarioId, requestId }, { jobId: deletionJobId(scenarioId) });
  await Promise.all(ids.map(add)).catch((error: unknown) => log.warn('deletion left to the sweep', errorFields(error)));
}

async function withUniqueName<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('CONFLICT', `Another scenario has the name ${JSON.stringify(name)}.`, {
      details: [{ field: 'name', error: 'is taken by another scenario' }],
    });
  }
}
