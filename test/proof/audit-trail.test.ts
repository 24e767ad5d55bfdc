import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Document } from 'mongodb';
import { changeWithIntent } from '../../api/audit/audit-trail.ts';
import { type ChainLink, hashOf, recordIdOf } from '../../shared/audit/audit-chain.ts';
import {
  appendPendingEvents,
  closeAbandonedIntents,
  closeIntent,
  openIntent,
} from '../../shared/audit/audit-outbox.ts';
import { type AuditRecord, createAuditEvent } from '../../shared/audit/audit-record.model.ts';
import { AppError } from '../../shared/errors.ts';
import { applyTransition, type Transition, transitions } from '../../shared/scenarios/scenario.model.ts';
import { captureLog } from '../support/capture-log.ts';
import {
  checkSchedules,
  createCommand,
  disturbances,
  pauses,
  type ScheduleCommand,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import { exploreFaults, exploreTimeout, exploreTurns } from '../support/scheduled-store/explore-turns.ts';
import {
  createScheduledModels,
  documentsIn,
  toBson,
  withDocuments,
} from '../support/scheduled-store/scheduled-collection.ts';
import { ScheduledStore, type State, type StepScheduler } from '../support/scheduled-store/scheduled-store.ts';

interface Real {
  store: ScheduledStore;
  /** The lines of the log. */
  lines: readonly string[];
  deps: Parameters<typeof appendPendingEvents>[0];
}

type AuditCommand = ScheduleCommand<Real>;

const actor = {
  userId: null,
  userIdSource: null,
  accountId: null,
  apiKeyId: null,
  clientAddress: '127.0.0.1',
  requestId: randomUUID(),
};
const rowIds = ['one', 'two'] as const;
/** The changes of a row, in the only order that they can have. */
const lifecycle = Object.keys(transitions) as Transition[];

/** Verifies the chain, and returns the records in its order. */
function verifiedRecords(state: State): Document[] {
  const records = documentsIn(state, 'audit_records').sort((one, other) => one['seq'] - other['seq']);
  let previous: ChainLink = { seq: 0, hash: '0'.repeat(64) };
  for (const record of records) {
    if (record['seq'] !== previous.seq + 1) throw new Error(`Record ${previous.seq + 1} is missing.`);
    if (record['previousHash'] !== previous.hash) throw new Error(`Record ${record['seq']} follows another one.`);
    if (hashOf(record as AuditRecord) !== record['hash']) throw new Error(`Record ${record['seq']} has another hash.`);
    previous = record as AuditRecord;
  }
  return records;
}

/**
 * The chain is whole. Each change of a row has one record or waits, in the order of the changes,
 * and each record of a row has its change. Each change of an operation has an intent or a record,
 * with the details of the closed intent.
 */
function judge(state: State): void {
  const records = verifiedRecords(state);
  for (const { _id, revision, pendingAudit = [] } of documentsIn(state, 'scenarios')) {
    const recorded = records.filter(({ scenarioId }) => scenarioId === _id);
    const known = new Set(recorded.map((record) => record['_id']));
    const waiting = pendingAudit.filter((event: Document) => !known.has(recordIdOf(event as never, _id)));
    const found = [...recorded, ...waiting].map(({ details }) => details.status);
    const made = lifecycle.slice(0, revision).map((name) => transitions[name].to);
    expect(found, `events of ${_id}`).to.deep.equal(made);
  }
  const intents = new Set(documentsIn(state, 'audit_intents').map((intent) => intent['_id']));
  const recordIds = new Set(records.map((record) => record['_id']));
  for (const { _id } of documentsIn(state, 'reports')) {
    const hasRecord = recordIds.has(recordIdOf({ id: _id } as never, _id));
    if (!intents.has(_id) && !hasRecord) throw new Error(`The change of operation ${_id} has no event.`);
  }
  for (const { _id, closed, event } of documentsIn(state, 'audit_intents')) {
    const record = records.find((each) => each['_id'] === recordIdOf({ id: _id } as never, _id));
    if (closed && record) expect(record['details'], `the record of intent ${_id}`).to.deep.equal(event.details);
  }
}

describe('the audit trail in random schedules', () => {
  const models = createScheduledModels();
  const { log, lines } = captureLog();
  const change = (rowId: string, transition: Transition): AuditCommand =>
    createCommand(`${transition} ${rowId}`, ({ store }) =>
      store.start(`${transition} ${rowId}`, () => applyTransition(models.scenario, { _id: rowId }, transition, actor)),
    );

  async function makeOperation({ deps }: Real, isRefused: boolean): Promise<void> {
    const event = { actor, type: 'USER_UPDATED', before: {}, after: () => ({}) } as const;
    const changing = changeWithIntent(deps, event, async (id) => {
      if (isRefused) throw new AppError('CONFLICT', 'The change is refused.');
      await models.report.collection.insertOne({ _id: id } as never);
    });
    await (isRefused ? changing.catch(() => {}) : changing);
  }

  const operate = (isRefused: boolean): AuditCommand =>
    createCommand(isRefused ? 'a refused operation' : 'an operation', (real) =>
      real.store.start('operation', () => makeOperation(real, isRefused)),
    );

  const append = (pausedAt: number | undefined): AuditCommand =>
    createCommand(`append, paused at ${pausedAt}`, ({ store, deps }) =>
      store.start('append', () => appendPendingEvents(deps), { pausedAt }),
    );

  function create(scheduler: StepScheduler): Real {
    lines.length = 0;
    const store = new ScheduledStore(scheduler, judge);
    const rows = rowIds.map((id) => [id, toBson({ _id: id, status: 'draft', revision: 0, deletedAt: null })] as const);
    store.replace(withDocuments(store.primary, 'scenarios', rows));
    const notes = new Map<string, string>();
    const redis = {
      get: async (key: string) => notes.get(key) ?? null,
      set: async (key: string, note: string) => notes.set(key, note),
    };
    return { store, lines, deps: { models, redis: redis as never, config: { redisPrefix: 'test' }, log } };
  }

  /** In the end, every event is in the chain, and in no other place. */
  async function checkEnd({ store, deps, lines }: Real): Promise<void> {
    await store.end();
    const abandoned = documentsIn(store.primary, 'audit_intents').map(
      (intent) => [intent['_id'], toBson({ ...intent, begunAt: new Date(0) })] as const,
    );
    store.replace(withDocuments(store.primary, 'audit_intents', abandoned));
    store.start('sweep', async () => {
      await closeAbandonedIntents(models);
      await appendPendingEvents(deps);
    });
    await store.end();
    store.throwFailure();
    expect(documentsIn(store.primary, 'audit_intents')).to.deep.equal([]);
    expect(documentsIn(store.primary, 'scenarios').flatMap(({ pendingAudit = [] }) => pendingAudit)).to.deep.equal([]);
    expect(lines.filter((line) => line.includes('contradicts'))).to.deep.equal([]);
  }

  it('has one record or waiting event of each change, and a whole chain, in every state', async () => {
    const commands = [
      fc.tuple(fc.constantFrom(...rowIds), fc.constantFrom(...lifecycle)).map(([row, name]) => change(row, name)),
      fc.constant(change('one', 'start')),
      fc.boolean().map(operate),
      pauses.map(append),
      pauses.map(append),
      ...disturbances<Real>(),
    ];
    await checkSchedules<Real>(commands, async (scheduler, execute) => {
      const real = create(scheduler);
      await execute(real);
      await checkEnd(real);
    });
  }).timeout(scheduleTimeout);

  const start = (name: string, work: (real: Real) => Promise<unknown>) => (real: Real) =>
    real.store.start(name, () => work(real));
  const appendAll = ({ deps }: Real) => appendPendingEvents(deps);
  const makeChange = () => applyTransition(models.scenario, { _id: 'one' }, 'start', actor);

  it('has each event once, wherever two processes that append them and a failover meet', async () => {
    const create2 = (scheduler: StepScheduler) => {
      const real = create(scheduler);
      real.store.start('before', makeChange);
      return real;
    };
    const two = start('two', appendAll);
    await exploreTurns<Real>({ create: create2, one: start('one', appendAll), two, check: checkEnd });
    await exploreTurns<Real>({ create, one: start('one', makeChange), two, check: checkEnd });
    // With an intent that waits, the one that appends it also removes it.
    const createWithIntent = (scheduler: StepScheduler) => {
      const real = create(scheduler);
      real.store.start('before', () => makeOperation(real, false));
      return real;
    };
    const operation = start('one', (real) => makeOperation(real, false));
    await exploreTurns<Real>({ create: createWithIntent, one: operation, two, check: checkEnd });
  }).timeout(exploreTimeout);

  it('has an event of an operation, whatever fault meets it', async () => {
    const operation = start('one', (real) => makeOperation(real, false));
    await exploreFaults<Real>({ create, one: operation, check: checkEnd });
  }).timeout(exploreTimeout);

  it('has the details of the closed intent, wherever its operation, the sweep, an append and a failover meet', async () => {
    const event = { ...createAuditEvent(actor, 'USER_UPDATED', {}), at: new Date(0) };
    await exploreTurns<Real>({
      create: (scheduler) => {
        const real = create(scheduler);
        real.store.start('before', () => openIntent(models, event));
        return real;
      },
      one: start('one', () => closeAbandonedIntents(models)),
      two: start('two', appendAll),
      meanwhile: start('meanwhile', () => closeIntent(models, event.id, { changes: 1 })),
      check: checkEnd,
    });
  }).timeout(exploreTimeout);
});
