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
import { deriveServiceKeys } from '../../shared/crypto/encryption.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { captureLog } from '../support/capture-log.ts';
import {
  checkSchedules,
  createCommand,
  disturbances,
  pauses,
  type ScheduleCommand,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import {
  type Event,
  exploreFaults,
  exploreTimeout,
  exploreTurns,
  failovers,
} from '../support/scheduled-store/explore-turns.ts';
import {
  createScheduledModels,
  documentsIn,
  toBson,
  withDocuments,
} from '../support/scheduled-store/scheduled-collection.ts';
import {
  findProcess,
  ScheduledStore,
  type State,
  type StepScheduler,
} from '../support/scheduled-store/scheduled-store.ts';

interface Real {
  store: ScheduledStore;
  /** Operations so far, and those of the time before the record has expired. */
  begun: Set<string>;
  earlier: Set<string>;
  /** The processes that have made the attempts. */
  owners: Map<string, object>;
  /** The results of `send`, by the names of the processes. */
  results: Map<string, string>;
  /** Whether no other process can have taken the lock. */
  isAlone: boolean;
}

type KeyCommand = ScheduleCommand<Real>;

/** How the attempts of a request end: before the change or after it. */
const outcomes = ['responds', 'responds', 'refused', 'fails before', 'fails after'] as const;
type Outcome = (typeof outcomes)[number];

const app = new Koa();
const { log } = captureLog();
const caller = { id: 'caller', user: { id: 'user', role: 'admin', sessionId: 'session' }, key: null };

function createContext(body: string): AppContext {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'POST', url: '/changes', headers: { 'idempotency-key': 'the key' } });
  const ctx = app.createContext(request, new ServerResponse(request)) as unknown as AppContext;
  Object.assign(ctx.state, { caller, route: 'POST /changes', log, receivedBody: [Buffer.from(body)] });
  return ctx;
}

/**
 * An attempt takes the lock of another one only when it has expired, and none that has responded.
 * Only the process that has the lock stores the response, or removes the record without one before
 * it has expired. @param owners the processes that have made the attempts.
 */
function createRecordJudge(owners: Real['owners']): (state: State) => void {
  let before: Document | undefined;
  return (state) => {
    const [record] = documentsIn(state, 'idempotency_records');
    const known = before;
    before = record;
    const process = findProcess();
    if (!process) return;
    const attemptId = record?.['attemptId'];
    if (attemptId && !owners.has(attemptId)) owners.set(attemptId, process);
    if (!known) return;
    const isTaken = attemptId && known['attemptId'] && attemptId !== known['attemptId'];
    const now = new Date();
    if (isTaken && known['response']) throw new Error('An attempt takes the lock of one that has responded.');
    if (isTaken && known['lockedUntil'] > now) throw new Error('An attempt takes a lock that has not expired.');
    if (known['response']) return;
    const isOwner = owners.get(known['attemptId']) === process;
    if (record?.['response'] && !isOwner) throw new Error('An attempt responds that has lost its lock.');
    if (!record && known['expiresAt'] > now && !isOwner)
      throw new Error('An attempt removes the record of another one.');
  };
}

/** The documents that operations have made are reports here. */
const made = (state: State) => documentsIn(state, 'reports');

describe('idempotency keys in random schedules', () => {
  const models = createScheduledModels();
  const keys = deriveServiceKeys(randomBytes(32));
  const deps = { models, config: { keys } } as unknown as RouteDeps;

  const withKey = idempotencyKey(deps)({});

  /** Carries the change out; an earlier attempt of the operation can have done so. */
  async function handle(real: Real, ctx: AppContext, body: string, outcome: Outcome): Promise<void> {
    const operation = ctx.state.operation?.id ?? expect.fail('The request has an operation.');
    const [record] = documentsIn(real.store.primary, 'idempotency_records');
    if (real.isAlone)
      expect(real.owners.get(record?.['attemptId']), 'the process with the lock').to.equal(findProcess());
    if (outcome === 'refused') throw new AppError('CONFLICT', 'refused');
    if (outcome === 'fails before') throw unavailable('failed', 1);
    try {
      await models.report.collection.insertOne({ _id: operation } as never);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    if (outcome === 'fails after') throw unavailable('failed', 1);
    ctx.status = 201;
    ctx.body = { operation, body };
  }

  /** @returns the status and whether the response is the first one, or the error's message. */
  async function send(real: Real, body: string, outcome: Outcome): Promise<string> {
    const expired = new Set(real.earlier);
    const ctx = createContext(body);
    try {
      await withKey(ctx, () => handle(real, ctx, body, outcome));
    } catch (error) {
      if (error instanceof AppError && ['CONFLICT', 'IDEMPOTENCY_MISMATCH'].includes(error.code)) return error.message;
      throw error;
    }
    const response = typeof ctx.body === 'string' ? JSON.parse(ctx.body) : ctx.body;
    expect(response.body, 'the request of the response').to.equal(body);
    const { operation } = ctx.state;
    if (operation) expect(response.operation, 'the operation of the response').to.equal(operation.id);
    expect(made(real.store.primary).map(({ _id }) => _id)).to.include(response.operation);
    if (expired.has(response.operation)) expect.fail('The response of an expired record is sent.');
    return `${ctx.status} ${ctx.response.get('Idempotent-Replayed') ? 'again' : 'first'}`;
  }

  const command = (body: string, outcome: Outcome, pausedAt?: number): KeyCommand =>
    createCommand(`request ${body} ${outcome}, paused at ${pausedAt}`, (real) =>
      real.store.start(`request ${body}`, () => send(real, body, outcome), { pausedAt }),
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
  function create(scheduler: StepScheduler): Real {
    const [begun, earlier, owners] = [new Set<string>(), new Set<string>(), new Map<string, object>()];
    const judgeRecord = createRecordJudge(owners);
    const store = new ScheduledStore(scheduler, (state) => {
      for (const { operationId } of documentsIn(state, 'idempotency_records')) begun.add(operationId);
      const inEffect = made(state).filter(({ _id }) => !earlier.has(_id));
      expect(inEffect.length, 'changes in effect').to.be.at.most(1);
      judgeRecord(state);
    });
    return { store, begun, earlier, owners, results: new Map(), isAlone: false };
  }

  it('a request with a key is carried out once, and its response is sent to no other request', async () => {
    const commands = [
      ...[1, 2, 3].map(() =>
        fc.tuple(fc.constantFrom(...outcomes), pauses).map(([outcome, pausedAt]) => command('one', outcome, pausedAt)),
      ),
      fc.constant(command('another', 'responds')),
      fc.constant(expireLock),
      fc.constant(expireLock),
      fc.constant(expireRecord),
      ...disturbances<Real>(),
    ];
    await checkSchedules<Real>(commands, async (scheduler, execute) => {
      const real = create(scheduler);
      await execute(real);
      await real.store.end();
      real.store.throwFailure();
    });
  }).timeout(scheduleTimeout);

  /** Starts a request, whose result is kept under its name. */
  const start =
    (name: string, outcome: Outcome = 'responds', body = 'one') =>
    (real: Real) =>
      real.store.start(name, async () => {
        real.results.set(name, await send(real, body, outcome));
      });
  const happens = (name: string, happen: (real: Real) => unknown): Event<Real> => ({
    name,
    happen: async (real) => {
      await happen(real);
    },
  });
  const lockExpires = happens('the lock expires', (real) => expireLock.run({}, real));
  const recordExpires = happens('the record expires', (real) => expireRecord.run({}, real));

  /** A request that is sent again when nothing holds the key gets a response. */
  async function checkRepeat(real: Real): Promise<void> {
    await expireLock.run({}, real);
    start('repeat')(real);
    await real.store.end();
    expect(real.results.get('repeat')).to.match(/^201/);
  }

  it('a request is carried out once, wherever its repeat, a failover and the end of a lock meet it', async () => {
    for (const outcome of ['responds', 'refused', 'fails after'] as const) {
      await exploreTurns<Real>({
        create,
        one: start('one', outcome),
        two: start('two'),
        events: [...failovers<Real>(), lockExpires, recordExpires],
        isSampled: true,
        check: checkRepeat,
      });
    }
  }).timeout(exploreTimeout);

  it('a request is carried out once if the reply to its claim is lost and a failover undoes the claim', async () => {
    await exploreTurns<Real>({
      create,
      one: (real) => {
        real.store.arm({ fault: 'reply lost', skipped: 0 });
        start('one')(real);
      },
      two: start('two'),
      check: checkRepeat,
    });
  }).timeout(exploreTimeout);

  it('a repeat that read the record before the response is not carried out, although the lock has expired', async () => {
    await exploreTurns<Real>({
      create,
      one: start('one'),
      two: (real) => {
        void expireLock.run({}, real);
        start('two')(real);
      },
      events: [],
      check: checkRepeat,
    });
  }).timeout(exploreTimeout);

  it('one of two repeats is carried out when the first attempt has failed, or its record is gone', async () => {
    for (const [outcome, happen] of [
      ['fails after', expireLock],
      ['fails after', expireRecord],
      ['responds', expireRecord],
    ] as const) {
      await exploreTurns<Real>({
        create: (scheduler) => {
          const real = create(scheduler);
          real.store.start('before', async () => {
            await send(real, 'one', outcome).catch(() => {});
            await happen.run({}, real);
          });
          return real;
        },
        one: start('one'),
        two: start('two'),
        isSampled: true,
        check: checkRepeat,
      });
    }
  }).timeout(exploreTimeout);

  it('a request that no other process repeats does not conflict with itself, whatever fault meets it', async () => {
    await exploreFaults<Real>({
      create: (scheduler) => Object.assign(create(scheduler), { isAlone: true }),
      one: start('one'),
      check: async (real) => {
        real.isAlone = false;
        expect(real.results.get('one') ?? '201').to.match(/^201/);
        await checkRepeat(real);
      },
    });
  }).timeout(exploreTimeout);

  it('a request is in progress for its repeat until it has responded', async () => {
    let inProgress = 0;
    await exploreTurns<Real>({
      create,
      one: start('one'),
      two: start('two'),
      events: [],
      check: ({ results }) => {
        const [one, two] = [results.get('one'), results.get('two')];
        expect([one, two].filter((result) => result === '201 first')).to.have.length(1);
        if ([one, two].some((result) => result?.includes('is in progress'))) inProgress += 1;
        else expect([one, two]).to.include('201 again');
      },
    });
    expect(inProgress).to.be.greaterThan(0);
  }).timeout(exploreTimeout);
});
