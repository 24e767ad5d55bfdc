import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import type { Document } from 'mongodb';
import type { RouteDeps } from '../../api/app-deps.ts';
import type { AppContext } from '../../api/http/context.ts';
import { idempotencyKey } from '../../api/http/idempotency-key.ts';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { deriveServiceKeys } from '../../shared/crypto/service-keys.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { captureLog } from '../support/capture-log.ts';
import {
  checkSchedules,
  createCommand,
  type ScheduleCommand,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import { disturbances, pauses } from '../support/scheduled-store/disturbances.ts';
import { documentsIn, toBson, withDocuments } from '../support/scheduled-store/scheduled-collection.ts';
import { createScheduledModels } from '../support/scheduled-store/scheduled-models.ts';
import { ScheduledStore, type State } from '../support/scheduled-store/scheduled-store.ts';

interface Real {
  store: ScheduledStore;
  /** Operations so far, and those of the time before the record has expired. */
  begun: Set<string>;
  earlier: Set<string>;
}

type KeyCommand = ScheduleCommand<Real>;

/** How the attempts of a request end: before the change or after it. */
const outcomes = ['responds', 'responds', 'refused', 'fails before', 'fails after'] as const;
type Outcome = (typeof outcomes)[number];

const app = new Koa();
const caller = { id: 'caller', user: { id: 'user', role: 'admin', sessionId: 'session' }, key: null };

function createContext(body: string): AppContext {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'POST', url: '/changes', headers: { 'idempotency-key': 'the key' } });
  const ctx = app.createContext(request, new ServerResponse(request)) as unknown as AppContext;
  Object.assign(ctx.state, { caller, route: 'POST /changes', receivedBody: [Buffer.from(body)] });
  return ctx;
}

/** The documents that operations have made are reports here; a deleted one stays as a row. */
const made = (state: State) => documentsIn(state, 'reports');

describe('idempotency keys in random schedules', () => {
  const models = createScheduledModels();
  const { log } = captureLog();
  const keys = deriveServiceKeys(randomBytes(32));
  const deps = { models, log, config: { keys } } as unknown as RouteDeps;

  const isReplayable = async ({ operation }: { operation: string }) =>
    (await models.report.collection.findOne({ _id: operation as never, deleted: false } as never)) !== null;
  const withKey = idempotencyKey(deps)({ isReplayable });

  /** Carries the change out; an earlier attempt of the operation can have done so. */
  async function handle(ctx: AppContext, body: string, outcome: Outcome): Promise<void> {
    const operation = ctx.state.operation?.id ?? expect.fail('The request has an operation.');
    if (outcome === 'refused') throw new AppError('CONFLICT', 'refused');
    if (outcome === 'fails before') throw unavailable('failed', 1);
    try {
      await models.report.collection.insertOne({ _id: operation, deleted: false } as never);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    if (outcome === 'fails after') throw unavailable('failed', 1);
    ctx.status = 201;
    ctx.body = { operation, body };
  }

  const send = (body: string, outcome: Outcome, pausedAt?: number): KeyCommand =>
    createCommand(`request ${body} ${outcome}, paused at ${pausedAt}`, ({ store }) =>
      store.start(
        `request ${body}`,
        async () => {
          const ctx = createContext(body);
          try {
            await withKey(ctx, () => handle(ctx, body, outcome));
          } catch (error) {
            const isExpected = error instanceof AppError && ['CONFLICT', 'IDEMPOTENCY_MISMATCH'].includes(error.code);
            if (isExpected) return;
            throw error;
          }
          const response = typeof ctx.body === 'string' ? JSON.parse(ctx.body) : ctx.body;
          expect(response.body, 'the request of the response').to.equal(body);
          expect(made(store.primary).map(({ _id }) => _id)).to.include(response.operation);
        },
        { pausedAt },
      ),
    );

  const changeRecord = (name: string, change: (record: Document, real: Real) => Document): KeyCommand =>
    createCommand(name, (real) => {
      const { store } = real;
      const changed = documentsIn(store.primary, 'idempotency_records').map(
        (record) => [record['_id'], toBson(change(record, real))] as const,
      );
      store.replace(withDocuments(store.primary, 'idempotency_records', changed));
    });

  const expireLock = changeRecord('the lock expires', (record) => ({ ...record, lockedUntil: new Date(0) }));
  const expireRecord = changeRecord('the record expires', (record, { begun, earlier }) => {
    for (const operation of begun) earlier.add(operation);
    return { ...record, expiresAt: new Date(0) };
  });
  /** Removes what was made, also by an operation that has not responded yet. */
  const remove: KeyCommand = createCommand('remove what was made', ({ store }) => {
    const deleted = made(store.primary).map((row) => [row['_id'], toBson({ ...row, deleted: true })] as const);
    store.replace(withDocuments(store.primary, 'reports', deleted));
  });

  it('have a request carried out once, and send its response to no other request', async () => {
    const commands = [
      ...[1, 2, 3].map(() =>
        fc.tuple(fc.constantFrom(...outcomes), pauses).map(([outcome, pausedAt]) => send('one', outcome, pausedAt)),
      ),
      fc.constant(send('another', 'responds')),
      fc.constant(expireLock),
      fc.constant(expireLock),
      fc.constant(expireRecord),
      fc.constant(remove),
      ...disturbances<Real>(),
    ];
    await checkSchedules<Real>(commands, async (scheduler, execute) => {
      const real = { begun: new Set<string>(), earlier: new Set<string>() };
      const store = new ScheduledStore(scheduler, (state) => {
        for (const { operationId } of documentsIn(state, 'idempotency_records')) real.begun.add(operationId);
        const inEffect = made(state).filter(({ _id, deleted }) => !deleted && !real.earlier.has(_id));
        expect(inEffect.length, 'changes in effect').to.be.at.most(1);
      });
      await execute({ store, ...real });
      await store.end();
      store.throwFailure();
    });
  }).timeout(scheduleTimeout);
});
