import type { Redis } from 'ioredis';
import type { Config } from '../config/config.ts';
import { insertOnce, majority } from '../connections/mongo.ts';
import type { Models } from '../models.ts';
import type { Log } from '../process/log.ts';
import { appendToChain, type ChainEvent, noteHead, recordIdOf } from './audit-chain.ts';
import { type AuditDetails, type AuditEvent, abandonedAfter } from './audit-record.model.ts';

/**
 * Moves audit events to the chain. An event waits in the scenario that it changes (`pendingAudit`),
 * written by the same update as the change, or in an intent where there is no such row. It is
 * removed there after its record is written, so a crash between the two repeats the append, which
 * finds the record. Events are read as a majority has them: otherwise a failover could undo a
 * change whose record is then written. Tests of this are in test/proof.
 */

export interface OutboxDeps {
  models: Models;
  redis: Redis;
  config: Pick<Config, 'redisPrefix'>;
  log: Log;
}

/** Bound the memory of one step, together with the number of events that a scenario holds. */
const rowsPerStep = 50;
const intentsPerStep = 200;

/**
 * Appends the records of waiting events.
 * @param scenarioId restricts the work to one scenario.
 * @param onStep is called after every step.
 * @returns the number of events.
 */
export async function appendPendingEvents(
  deps: OutboxDeps,
  { scenarioId, onStep = () => {} }: { scenarioId?: string; onStep?: () => void } = {},
): Promise<number> {
  let appended = 0;
  for (;;) {
    const [rows, intents] = await Promise.all([
      readRows(deps.models, scenarioId),
      scenarioId === undefined
        ? deps.models.auditIntent
            .find({ closed: true })
            .sort({ begunAt: 1 })
            .limit(intentsPerStep)
            .readConcern(majority.level)
            .lean()
        : [],
    ]);
    if (rows.length + intents.length === 0) return appended;
    // The events of a row stay in their order, whatever the clocks of the processes said.
    const sources = [
      ...rows.map(({ _id, pendingAudit }) => pendingAudit.map((event) => chainEvent(event, _id))),
      ...intents.map(({ _id, event }) => [{ ...chainEvent(event, _id), scenarioId: null }]),
    ].sort(([one], [other]) => (one?.at.getTime() ?? 0) - (other?.at.getTime() ?? 0));
    const events = sources.flat();
    const ends = await appendToChain(deps.models, events);
    if (ends) await noteHead({ ...deps, prefix: deps.config.redisPrefix }, ends);
    await removeEvents(deps.models, rows);
    if (intents.length > 0) await deps.models.auditIntent.deleteMany({ _id: { $in: intents.map(({ _id }) => _id) } });
    appended += events.length;
    onStep();
    // The job of an event that has come since runs after this one.
    if (scenarioId === undefined && rows.length < rowsPerStep && intents.length < intentsPerStep) return appended;
  }
}

interface Row {
  _id: string;
  pendingAudit: AuditEvent[];
}

async function readRows({ scenario }: Models, scenarioId: string | undefined): Promise<Row[]> {
  return scenario
    .find(
      { 'pendingAudit.at': { $type: 'date' }, ...(scenarioId === undefined ? {} : { _id: scenarioId }) },
      { pendingAudit: 1 },
    )
    .limit(rowsPerStep)
    .readConcern(majority.level)
    .lean<Row[]>();
}

function chainEvent({ id, ...event }: AuditEvent, rowId: string): ChainEvent {
  return { _id: recordIdOf({ id, ...event }, rowId), scenarioId: rowId, ...event };
}

async function removeEvents({ scenario }: Models, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await scenario.collection.bulkWrite(
    rows.map(({ _id, pendingAudit }) => ({
      updateOne: {
        filter: { _id: _id as never },
        update: { $pull: { pendingAudit: { id: { $in: pendingAudit.map(({ id }) => id) } } } as never },
      },
    })),
    { ordered: false },
  );
}

/** Stores the event of an operation that begins, unless an earlier attempt has stored it. */
export async function openIntent({ auditIntent }: Pick<Models, 'auditIntent'>, event: AuditEvent): Promise<void> {
  await insertOnce(auditIntent, { _id: event.id, event, closed: false, begunAt: event.at });
}

export async function discardIntent({ auditIntent }: Pick<Models, 'auditIntent'>, id: string): Promise<void> {
  await auditIntent.deleteOne({ _id: id, closed: false });
}

/** Closes the intent of an operation that has ended, with the final details of its event. */
export async function closeIntent(
  { auditIntent }: Pick<Models, 'auditIntent'>,
  id: string,
  details: AuditDetails,
): Promise<void> {
  await auditIntent.updateOne({ _id: id, closed: false }, { $set: { closed: true, 'event.details': details } });
}

/**
 * Closes the intents of operations that did not end normally. The rows that such an operation
 * deleted still exist, because an open intent keeps them, so they can be counted.
 */
export async function closeAbandonedIntents(models: Models): Promise<void> {
  const { scenario, auditIntent } = models;
  const before = new Date(Date.now() - abandonedAfter);
  const abandoned = await auditIntent
    .find({ closed: false, begunAt: { $lt: before } })
    .limit(intentsPerStep)
    .lean();
  for (const { _id, event } of abandoned) {
    if (event.details.action !== 'bulk_delete') {
      await closeIntent(models, _id, { ...event.details, interrupted: true });
      continue;
    }
    const rows = await scenario.find({ deletedAt: { $type: 'date' }, deletedIn: _id }, { _id: 1 }).lean();
    const ids = rows.map((row) => row._id);
    await closeIntent(models, _id, { ...event.details, deleted: ids.length, scenario_ids: ids, interrupted: true });
  }
}
