// Starts no servers, so that every change of the code can be tried against it.
import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import type { RouteDeps } from '../../../api/app-deps.ts';
import type { AppContext, Operation } from '../../../api/http/context.ts';
import { idempotencyKey } from '../../../api/http/idempotency-key.ts';
import { deriveServiceKeys } from '../../../shared/crypto/encryption.ts';
import { day, minute, second } from '../../../shared/durations.ts';
import { AppError, unavailable } from '../../../shared/errors.ts';
import { captureLog } from '../../support/capture-log.ts';
import { documentsIn, toBson, withDocuments } from '../../support/scheduled-store/scheduled-collection.ts';
import { createScheduledModels } from '../../support/scheduled-store/scheduled-models.ts';
import { ScheduledStore, type StepScheduler } from '../../support/scheduled-store/scheduled-store.ts';

/** Takes every step at once. */
const immediately: StepScheduler = {
  schedule: <T>(work: Promise<T>) => work as never,
  waitAll: async () => {},
  waitFor: (work) => work,
};

const user = { id: 'user', user: { id: 'user' }, key: null };
const apiKey = { id: 'key', user: null, key: { id: 'key' } };
const anonymous = { id: 'network', user: null, key: null };

interface Sent {
  body?: string;
  url?: string;
  headers?: Record<string, string>;
  caller?: { id: string; user: object | null; key: object | null };
  route?: string;
}

describe('the middleware of idempotency keys', () => {
  const models = createScheduledModels();
  const keys = deriveServiceKeys(randomBytes(32));
  const app = new Koa();
  let store: ScheduledStore;
  let log: ReturnType<typeof captureLog>;
  /** The operations of the attempts that reached the handler. */
  let operations: (Operation | undefined)[];

  beforeEach(() => {
    store = new ScheduledStore(immediately, () => {});
    log = captureLog();
    operations = [];
  });

  function createContext({
    body = '{}',
    url = '/changes',
    headers = {},
    caller = user,
    route = 'POST /changes',
  }: Sent) {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'POST', url, headers: { 'idempotency-key': 'the key', ...headers } });
    const ctx = app.createContext(request, new ServerResponse(request)) as unknown as AppContext;
    Object.assign(ctx.state, { caller, route, log: log.log, receivedBody: [Buffer.from(body)] });
    return ctx;
  }

  type Handler = (ctx: AppContext, operation: Operation | undefined) => void | Promise<void>;

  const created: Handler = (ctx, operation) => {
    ctx.status = 201;
    ctx.body = { made: operation?.id };
  };

  type Middleware = ReturnType<ReturnType<typeof idempotencyKey>>;
  const create = (
    route: Parameters<ReturnType<typeof idempotencyKey>>[0] = {},
    config: object = { keys },
  ): Middleware => idempotencyKey({ models, config } as unknown as RouteDeps)(route);

  async function send(middleware: Middleware, sent: Sent = {}, handler: Handler = created): Promise<AppContext> {
    const ctx = createContext(sent);
    await store.run('request', async () =>
      middleware(ctx as never, async () => {
        operations.push(ctx.state.operation);
        await handler(ctx, ctx.state.operation);
      }),
    );
    return ctx;
  }

  const isReplay = (ctx: AppContext) => ctx.response.get('Idempotent-Replayed') === 'true';

  /** @returns the error with which a request fails. */
  async function errorOf(sending: Promise<unknown>): Promise<AppError> {
    const error = await sending.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (!(error instanceof AppError)) throw new Error('The request did not fail as it should.', { cause: error });
    return error;
  }

  const fails = (error: unknown): Handler => {
    return () => {
      throw error;
    };
  };
  const failed = unavailable('failed', 1);

  const recordsNow = () => documentsIn(store.primary, 'idempotency_records');
  const changeRecords = (change: object) =>
    store.replace(
      withDocuments(
        store.primary,
        'idempotency_records',
        recordsNow().map((record) => [record['_id'], toBson({ ...record, ...change })] as const),
      ),
    );

  it('sends the first response again, with its status and the headers that are part of it', async () => {
    const stored = {
      'Content-Type': 'text/csv',
      Location: '/there',
      ETag: '"1"',
      'Preference-Applied': 'wait=1',
      'Cache-Control': 'no-store',
    };
    const first = await send(create(), {}, (ctx) => {
      ctx.status = 202;
      ctx.body = 'one,two';
      ctx.set({ ...stored, 'X-Other': 'of the first' });
    });
    expect(isReplay(first)).to.equal(false);
    const again = await send(create(), {}, () => expect.fail('The request is carried out again.'));
    expect([again.status, again.body, isReplay(again)]).to.deep.equal([202, 'one,two', true]);
    for (const [name, value] of Object.entries(stored)) expect(again.response.get(name), name).to.equal(value);
    expect(again.response.headers).to.not.have.property('x-other');
    expect(Object.keys(recordsNow()[0]?.['response'].headers)).to.have.members(Object.keys(stored));
  });

  it('refuses the key for a request with another address, body or header that changes its meaning', async () => {
    const sent: Sent = { headers: { 'x-scenario-id': '1', 'content-encoding': 'gzip', 'content-type': 'text/plain' } };
    await send(create(), sent);
    const others: Sent[] = [
      { ...sent, body: '{ }' },
      { ...sent, url: '/changes?answer=summary' },
      ...Object.keys(sent.headers ?? {}).map((name) => ({ headers: { ...sent.headers, [name]: 'other' } })),
    ];
    for (const other of others) {
      const error = await errorOf(send(create(), other));
      expect(error.code).to.equal('IDEMPOTENCY_MISMATCH');
      expect(error.message).to.equal('This Idempotency-Key was sent with another request before.');
    }
    const again = await send(create(), { headers: { ...sent.headers, 'user-agent': 'other' } });
    expect(isReplay(again)).to.equal(true);
  });

  it('knows keys by caller and route, and those of callers without credentials by their request too', async () => {
    const sent: Sent[] = [
      {},
      { caller: { ...user, id: 'another user' } },
      { route: 'POST /others' },
      { caller: apiKey },
      { caller: anonymous },
      { caller: anonymous, body: 'other' },
    ];
    for (const one of sent) expect(isReplay(await send(create(), one))).to.equal(false);
    for (const one of sent) expect(isReplay(await send(create(), one))).to.equal(true);
    for (const caller of [user, apiKey]) {
      expect((await errorOf(send(create(), { caller, body: 'other' }))).code).to.equal('IDEMPOTENCY_MISMATCH');
    }
  });

  it('locks the key for the time of its route, and keeps a response for a day', async () => {
    for (const [route, lockMs] of [
      [{}, 5 * second],
      [{ timeoutMs: minute }, minute],
    ] as const) {
      const before = Date.now();
      await send(create(route), { url: `/${lockMs}`, headers: { 'idempotency-key': `${lockMs}` } }, () => {
        const record = recordsNow().at(-1);
        const now = Date.now();
        expect(record?.['lockedUntil'].getTime()).to.be.within(before + lockMs, now + lockMs);
        expect(record?.['expiresAt'].getTime()).to.be.within(before + day, now + day);
      });
    }
  });

  it('releases the key of a refused request', async () => {
    for (const status of [400, 499])
      expect(
        await send(create(), {}, fails(Object.assign(new Error('refused'), { status }))).catch(() => 'refused'),
      ).to.equal('refused');
    expect(recordsNow()).to.deep.equal([]);
    await send(create());
    expect(operations.map((operation) => operation?.attemptedBefore)).to.deep.equal([false, false, false]);
    expect(new Set(operations.map((operation) => operation?.id)).size).to.equal(3);
  });

  it('continues the operation of a failed request, whatever was thrown', async () => {
    const errors: unknown[] = [failed, new Error(), 'no error', null, { status: 400 }];
    errors.push(...[500, '400'].map((status) => Object.assign(new Error(), { status })));
    for (const [number, error] of errors.entries()) {
      const sent = { headers: { 'idempotency-key': `key ${number}` } };
      let thrown: unknown = 'nothing';
      await send(create(), sent, fails(error)).catch((reason: unknown) => {
        thrown = reason;
      });
      expect(thrown).to.equal(error);
      expect(isReplay(await send(create(), sent))).to.equal(false);
      const [first, second] = operations.slice(-2);
      expect(first).to.include({ attemptedBefore: false });
      expect(second).to.include({ id: first?.id, attemptedBefore: true });
      expect(second?.begunAt).to.deep.equal(first?.begunAt);
      expect(Date.now() - (first?.begunAt.getTime() ?? 0)).to.be.within(0, minute);
    }
  });

  it('continues the operation of a request that has got the error of its timeout', async () => {
    const middleware = create();
    await send(middleware, {}, (ctx) => {
      ctx.state.timedOut = true;
    });
    const repeated = await send(middleware);
    expect(isReplay(repeated)).to.equal(false);
    expect(operations[1]).to.deep.include({ id: operations[0]?.id, attemptedBefore: true });
  });

  it('has a route with a lock respond each time', async () => {
    const middleware = create({ idempotency: 'lock' });
    for (const attemptedBefore of [false, true]) {
      expect(isReplay(await send(middleware))).to.equal(false);
      expect(operations.at(-1)).to.include({ attemptedBefore });
    }
  });

  it('responds although the record cannot be written, and logs it', async () => {
    const ctx = await send(create(), {}, (handled, operation) => {
      store.arm({ fault: 'command lost', skipped: 0 });
      return created(handled, operation);
    });
    expect(ctx.status).to.equal(201);
    expect(log.lines.join('\n')).to.include('idempotency record not written');
    changeRecords({ lockedUntil: new Date(0) });
    await send(create());
    expect(operations[1]).to.include({ id: operations[0]?.id, attemptedBefore: true });
  });
});
