import { randomUUID } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import {
  type AuditActor,
  type AuditDetails,
  type AuditEvent,
  type AuditEventType,
  createAuditEvent,
} from '../../shared/audit/audit-record.model.ts';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { pipelineErrors } from '../../shared/cost/pipeline/pipeline-errors.ts';
import { type PricedScenario, requireVersion } from '../../shared/cost/price-books.ts';
import { unknownModel, unknownRegion } from '../../shared/cost/unknown-name.ts';
import { AppError, type FieldError, unavailable, validationError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import { type Assumptions, applyDefaults } from '../../shared/scenarios/assumptions.ts';
import { deletionJobId } from '../../shared/scenarios/delete-scenario.queue.ts';
import {
  applyTransition,
  type Scenario,
  type Transition,
  textKeyOf,
  transitions,
  withCapacityForEvent,
} from '../../shared/scenarios/scenario.model.ts';
import { firstPlan } from '../../shared/usage/usage.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { actorOf, addAuditJob, changeWithIntent } from '../audit/audit-trail.ts';
import { type ConditionalHeaders, checkIfMatch, entityTag, preconditionFailed } from '../http/entity-tag.ts';
import { toShownError } from '../http/error-envelope.ts';
import { Joi, uuid } from '../http/input.ts';
import { requireUnchanged, splitFields } from '../http/read-only-fields.ts';
import type { RouteRequest } from '../http/route.ts';
import {
  presentScenario,
  readOnlyHints,
  readOnlyScenarioFields,
  type ScenarioCreate,
  type ScenarioUpdate,
} from './scenarios.schema.ts';
import { findScenario, wrongStatus } from './scenarios.store.ts';

/** The writes of both versions of the scenario routes, with the errors for callers. */

export async function createScenario(writer: ScenarioWriter, fields: ScenarioCreate): Promise<Scenario> {
  const { scenarios, operation } = writer;
  const { model, owner } = scenarios;
  const earlier = operation?.attemptedBefore ? await model.findById(operation.id).lean() : null;
  if (earlier) return earlier;
  await requirePriced(writer, { status: 'draft', ...fields });
  const now = new Date();
  const created: Scenario = {
    _id: operation?.id ?? randomUUID(),
    ...fields,
    nameKey: textKeyOf(fields.name),
    descriptionKey: textKeyOf(fields.description),
    status: 'draft',
    createdBy: owner,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    completedAt: null,
    archivedAt: null,
    deletedAt: null,
    pendingAudit: [createEvent(writer, 'SCENARIO_CREATED', { name: fields.name, region: fields.region })],
  };
  // The plan of its usage comes first, because a scenario with entries must have one. It stays if
  // the name is taken: another attempt of the request can make this scenario.
  await writer.deps.models.usagePlan.create(firstPlan(created._id)).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  await withUniqueName(fields.name, () => write(writer, () => model.create(created)));
  writer.deps.metrics.scenariosCreated.inc({ region: created.region, status: created.status });
  return created;
}

/**
 * Changes the fields that were sent. With `If-Match`, one of concurrent updates of a version
 * succeeds.
 * @param body the changes, and read-only fields, which must be as they are.
 */
export async function updateScenario(
  writer: ScenarioWriter,
  id: string,
  body: ScenarioUpdate,
  headers: ConditionalHeaders,
): Promise<Scenario> {
  const { changes, repeated } = splitFields(body, readOnlyScenarioFields, readOnlyHints);
  for (;;) {
    const scenario = await findScenario(writer.scenarios, id);
    const conditional = checkIfMatch(headers, entityTag(scenario.revision));
    requireUnchanged(repeated, presentScenario(scenario), readOnlyHints);
    requireUnfrozen(scenario, changes);
    if (changes.region ?? changes.assumptions) await requirePriced(writer, { ...scenario, ...changes });
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
  const { name, description } = changes;
  const event = createEvent(writer, 'SCENARIO_UPDATED', { fields: Object.keys(changes) });
  const updated = await withUniqueName(name ?? expected.name, () =>
    write(writer, () =>
      model
        .findOneAndUpdate(
          { _id, revision, deletedAt: null, ...visible, ...withCapacityForEvent },
          {
            $set: {
              ...changes,
              ...(name !== undefined && { nameKey: textKeyOf(name) }),
              ...(description !== undefined && { descriptionKey: textKeyOf(description) }),
              updatedAt: new Date(),
            },
            $inc: { revision: 1 },
            $push: { pendingAudit: event },
          },
          { returnDocument: 'after' },
        )
        .lean(),
    ),
  );
  if (!updated && !(await model.exists({ _id, ...withCapacityForEvent })) && (await model.exists({ _id, revision }))) {
    throw unavailable(`Scenario ${_id} has too many changes without an audit record; the workers write them.`, 10);
  }
  return updated;
}

function requireUnfrozen(scenario: Scenario, changes: ScenarioUpdate): void {
  const { _id: id, status } = scenario;
  if (status === 'archived') {
    throw new AppError('INVALID_STATE', `Scenario ${id} is archived; an archived scenario cannot be changed.`);
  }
  if (status === 'draft') return;
  const details: FieldError[] = [];
  if (changes.region !== undefined && changes.region !== scenario.region) {
    details.push({ field: 'region', error: 'can only be changed while the scenario is draft' });
  }
  const assumptions = changes.assumptions ? changedFrozenAssumptions(scenario.assumptions, changes.assumptions) : [];
  if (assumptions.length > 0) {
    const error = `${assumptions.join(' and ')} can only be changed while the scenario is draft: send all assumptions, and change no others than ${changeableAssumptions.join(' and ')}`;
    details.push({ field: 'assumptions', error });
  }
  if (details.length === 0) return;
  const fields = details.map(({ field }) => field).join(' and ');
  throw new AppError('INVALID_STATE', `Scenario ${id} is ${status}; its ${fields} can only be changed in draft.`, {
    details,
  });
}

/** Deletes the version that was read, so that the audit record has its last name. */
export async function deleteScenario(writer: ScenarioWriter, id: string, headers: ConditionalHeaders): Promise<void> {
  for (;;) {
    const { name, revision } = await findScenario(writer.scenarios, id);
    const conditional = checkIfMatch(headers, entityTag(revision));
    const event = createEvent(writer, 'SCENARIO_DELETED', { name });
    if (await write(writer, () => markDeleted(writer, { _id: id, revision }, {}, event))) break;
    if (conditional) throw preconditionFailed();
  }
  await addDeletionJobs(writer, [id]);
}

interface BulkDeleteResult {
  deleted: string[];
  failed: { id: string; reason: string }[];
}

const absent = 'Not found';

/**
 * Deletes each scenario by itself: one that does not exist, or a failure, does not stop the others.
 * The event of all deletions waits in an intent, which the deleted rows name.
 */
export async function deleteScenarios(writer: ScenarioWriter, ids: readonly string[]): Promise<BulkDeleteResult> {
  if (ids.length === 0) return { deleted: [], failed: [] };
  const before = { action: 'bulk_delete', requested: ids.length } as const;
  const after = ({ deleted, failed }: BulkDeleteResult) =>
    failed.some(({ reason }) => reason !== absent)
      ? null
      : { ...before, deleted: deleted.length, failed: failed.length, scenario_ids: deleted };
  const change = { actor: actorOfWriter(writer), type: 'SCENARIO_DELETED', before, after } as const;
  const result = await write(writer, () =>
    changeWithIntent(writer.deps, change, (intentId) => deleteEach(writer, ids, intentId)),
  );
  await addDeletionJobs(writer, result.deleted);
  return result;
}

/** Deletes each distinct id once. The repetitions of an id that was deleted are not found. */
async function deleteEach(writer: ScenarioWriter, ids: readonly string[], intentId: string): Promise<BulkDeleteResult> {
  const deleting = [...new Set(ids)].map(async (id) => [id, await reasonOfFailure(writer, id, intentId)] as const);
  const reasons = new Map(await Promise.all(deleting));
  const deleted: string[] = [];
  const failed: BulkDeleteResult['failed'] = [];
  for (const id of ids) {
    const reason = reasons.get(id) ?? (deleted.includes(id) ? absent : null);
    if (reason === null) deleted.push(id);
    else failed.push({ id, reason });
  }
  return { deleted, failed };
}

/** Deletes a scenario. @returns null, or for the caller why it was not deleted. */
async function reasonOfFailure(writer: ScenarioWriter, id: string, intentId: string): Promise<string | null> {
  try {
    return (await markDeleted(writer, { _id: id }, { deletedIn: intentId })) ? null : absent;
  } catch (error) {
    writer.deps.log.warn('scenario not deleted', { scenario_id: id, ...errorFields(error) });
    const { code, message } = toShownError(error);
    return code === 'INTERNAL_ERROR' ? 'The database did not delete the scenario.' : message;
  }
}

/**
 * Marks the scenario as deleted, which frees its name. Its event waits in the row, or in the intent
 * that the row then names.
 * @returns false if it has another revision or does not exist.
 */
async function markDeleted(
  { scenarios: { model, visible } }: ScenarioWriter,
  scenario: { _id: string; revision?: number },
  fields: { deletedIn?: string },
  event?: AuditEvent,
): Promise<boolean> {
  const { modifiedCount } = await model.updateOne(
    { ...scenario, deletedAt: null, ...visible },
    {
      $set: { ...fields, deletedAt: new Date() },
      $unset: { nameKey: 1 },
      $inc: { revision: 1 },
      ...(event && { $push: { pendingAudit: event } }),
    },
  );
  return modifiedCount === 1;
}

/**
 * The mark alone deletes a scenario for callers. If Redis is unreachable, the workers' sweep adds
 * the jobs later.
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

export async function transitionScenario(
  writer: ScenarioWriter,
  id: string,
  transition: Transition,
): Promise<Scenario> {
  const { scenarios } = writer;
  const change = (filter: QueryFilter<Scenario>, prices: Partial<Pick<Scenario, 'priceBook'>>) =>
    write(writer, () =>
      applyTransition(scenarios.model, { ...filter, ...scenarios.visible }, transition, actorOfWriter(writer), prices),
    );
  const changed = transition === 'start' ? await startPriced(writer, id, change) : await change({ _id: id }, {});
  if (changed) return changed;
  throw wrongStatus(await findScenario(scenarios, id), `${transition} it`, transitions[transition].from);
}

/**
 * Starts a draft by the newest version of the price book, which can lack what the draft names.
 * @returns null if the scenario is not a draft.
 */
async function startPriced(
  { deps, scenarios }: ScenarioWriter,
  id: string,
  start: (filter: QueryFilter<Scenario>, prices: Pick<Scenario, 'priceBook'>) => Promise<Scenario | null>,
): Promise<Scenario | null> {
  for (;;) {
    const scenario = await findScenario(scenarios, id);
    if (scenario.status !== 'draft') return null;
    const { version: priceBook } = await deps.priceBooks.readNewest();
    const details = await pricingErrors(deps, { ...scenario, priceBook });
    if (details.length > 0) {
      const fields = details.map(({ field, error }) => `${field} ${error}`).join(', ');
      throw new AppError('INVALID_STATE', `Scenario ${id} cannot start: ${fields}. Change it first.`, { details });
    }
    const started = await start({ _id: id, revision: scenario.revision }, { priceBook });
    if (started) return started;
  }
}

/** A request that changes scenarios, and what its writes need. */
export type ScenarioWriter = Pick<
  RouteRequest<unknown, unknown, (UserHeaders & ConditionalHeaders) | undefined, unknown>,
  'scenarios' | 'requestId' | 'caller' | 'headers' | 'operation'
> & { readonly deps: RouteDeps };

/** Request headers of writes that name a person. */
export interface UserHeaders {
  'X-User-ID'?: string;
}

export const userHeaders = Joi.object<UserHeaders>({
  'X-User-ID': uuid().description('The person for whom the client acts; it is only recorded.'),
});

/**
 * Makes a write. Every change of a stored scenario by a request passes here, so what accompanies a
 * write (the cache, the audit job) has one place.
 */
export async function write<T>(writer: ScenarioWriter, change: () => Promise<T>): Promise<T> {
  const changed = await writer.deps.scenarioCache.invalidate(change);
  await addAuditJob(writer.deps, writer.requestId);
  return changed;
}

/** An event for the document update that makes the change. */
export function createEvent(writer: ScenarioWriter, type: AuditEventType, details: AuditDetails): AuditEvent {
  return createAuditEvent(actorOfWriter(writer), type, details);
}

const actorOfWriter = ({ caller, requestId, headers }: ScenarioWriter): AuditActor =>
  actorOf(caller, requestId, headers?.['X-User-ID']);

/** Assumptions that can change at any time: they are applied when usage is priced. */
const changeableAssumptions = ['pipeline', 'inference.output_tokens_per_entry'];

/**
 * The names of the assumptions that differ, with defaults, among those by which entries are counted
 * and which are therefore fixed after draft.
 */
function changedFrozenAssumptions(before: Assumptions, after: Assumptions): string[] {
  const [old, changed] = [valuesByName(before), valuesByName(after)];
  return [...new Set([...old.keys(), ...changed.keys()])].filter((name) => old.get(name) !== changed.get(name));
}

function valuesByName(assumptions: Assumptions): Map<string, unknown> {
  const values = Object.entries(applyDefaults(assumptions)).flatMap(([service, value]): [string, unknown][] =>
    typeof value === 'object' && !changeableAssumptions.includes(service)
      ? Object.entries(value).map(([name, one]) => [`${service}.${name}`, one])
      : [[service, value]],
  );
  return new Map(values.filter(([name]) => !changeableAssumptions.includes(name)));
}

type PriceableScenario = PricedScenario & Pick<Scenario, 'region'>;

/**
 * @throws AppError VALIDATION_ERROR if the price book of the scenario does not exist or lacks its
 * region or model, or if its pipeline cannot be built or priced.
 */
async function requirePriced({ deps }: ScenarioWriter, scenario: PriceableScenario): Promise<void> {
  const { price_book: version } = scenario.assumptions;
  if (version !== undefined) await requireVersion(deps, version, 'assumptions.price_book');
  const errors = await pricingErrors(deps, scenario);
  if (errors.length > 0) throw validationError(errors);
}

/** The fields of a scenario that the version which prices it lacks. */
async function pricingErrors(
  deps: Pick<ScenarioWriter['deps'], 'priceBooks'>,
  scenario: PriceableScenario,
): Promise<FieldError[]> {
  const { region, assumptions } = scenario;
  const book = await deps.priceBooks.ofScenario(scenario);
  const errors = pipelineErrors(scenario, book);
  if (!book.regionCodes.has(region)) errors.push({ field: 'region', error: unknownRegion(region, book, book.version) });
  const { model } = applyDefaults(assumptions).inference;
  if (!book.modelIds.has(model)) {
    errors.push({ field: 'assumptions.inference.model', error: unknownModel(model, book, book.version) });
  }
  return errors;
}
