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
import { unavailable } from '../../../shared/errors.ts';
import { captureLog } from '../../support/capture-log.ts';
import { createScheduledModels, documentsIn } from '../../support/scheduled-store/scheduled-collection.ts';
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

/** A request. `handle` is its handler, which responds with 201 otherwise. */
interface Sent {
  body?: string;
  url?: string;
  headers?: Record<string, string>;
  caller?: { id: string; user: object | null; key: object | null };
  route?: string;
  settings?: Parameters<ReturnType<typeof idempotencyKey>>[0];
  handle?: (ctx: AppContext) => void;
}

describe('the middleware of idempotency keys', () => {
  const withKey = idempotencyKey({
    models: createScheduledModels(),
    config: { keys: deriveServiceKeys(randomBytes(32)) },
  } as unknown as RouteDeps);
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

  async function send(sent: Sent = {}): Promise<AppContext> {
    const { body = '{}', url = '/changes', headers = {}, caller = user, route = 'POST /changes' } = sent;
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'POST', url, headers: { 'idempotency-key': 'the key', ...headers } });
    const ctx = app.createContext(request, new ServerResponse(request)) as unknown as AppContext;
    Object.assign(ctx.state, { caller, route, log: log.log, receivedBody: [Buffer.from(body)] });
    await store.run('request', async () =>
      withKey(sent.settings ?? {})(ctx as never, async () => {
        operations.push(ctx.state.operation);
        ctx.status = 201;
        ctx.body = { made: ctx.state.operation?.id };
        sent.handle?.(ctx);
      }),
    );
    return ctx;
  }

  const isReplay = (ctx: AppContext) => ctx.response.get('Idempotent-Replayed') === 'true';
  const errorOf = (sending: Promise<unknown>): Promise<unknown> =>
    sending.then(
      () => expect.fail('The request did not fail.'),
      (failure: unknown) => failure,
    );
  const fails = (error: unknown) => () => {
    throw error;
  };
  const recordsNow = () => documentsIn(store.primary, 'idempotency_records');
  const mismatch = {
    code: 'IDEMPOTENCY_MISMATCH',
    message: 'This Idempotency-Key was sent with another request before.',
  };

  it('sends the first response again, with its status and the headers that are part of it', async () => {
    const stored = {
      'Content-Type': 'text/csv',
      Location: '/there',
      ETag: '"1"',
      'Preference-Applied': 'wait=1',
      'Cache-Control': 'no-store',
    };
    const handle = (ctx: AppContext) => {
      ctx.status = 202;
      ctx.body = 'one,two';
      ctx.set({ ...stored, 'X-Other': 'of the first' });
    };
    expect(isReplay(await send({ handle }))).to.equal(false);
    const again = await send({ handle: fails(new Error('The request is carried out again.')) });
    expect([again.status, again.body, isReplay(again)]).to.deep.equal([202, 'one,two', true]);
    for (const [name, value] of Object.entries(stored)) expect(again.response.get(name), name).to.equal(value);
    expect(again.response.headers).to.not.have.property('x-other');
    expect(Object.keys(recordsNow()[0]?.['response'].headers)).to.have.members(Object.keys(stored));
  });

  it('refuses the key for a request with another address, body or header that changes its meaning', async () => {
    const headers = { 'x-scenario-id': '1', 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    await send({ headers });
    const others: Sent[] = [
      { headers, body: '{ }' },
      { headers, url: '/changes?answer=summary' },
      ...Object.keys(headers).map((name) => ({ headers: { ...headers, [name]: 'other' } })),
    ];
    for (const other of others) expect(await errorOf(send(other))).to.include(mismatch);
    expect(isReplay(await send({ headers: { ...headers, 'user-agent': 'other' } }))).to.equal(true);
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
    for (const expected of [false, true]) for (const one of sent) expect(isReplay(await send(one))).to.equal(expected);
    for (const caller of [user, apiKey]) expect(await errorOf(send({ caller, body: 'other' }))).to.include(mismatch);
  });

  it('locks the key for the time of its route, and keeps a response for a day', async () => {
    for (const [timeoutMs, lockMs] of [
      [undefined, 5 * second],
      [minute, minute],
    ]) {
      const before = Date.now();
      await send({
        url: `/${lockMs}`,
        headers: { 'idempotency-key': `${lockMs}` },
        settings: timeoutMs === undefined ? {} : { timeoutMs },
      });
      const { lockedUntil, expiresAt } = recordsNow().at(-1) as Record<string, Date>;
      expect(Number(lockedUntil) - before).to.be.within(lockMs as number, (lockMs as number) + Date.now() - before);
      expect(Number(expiresAt) - before).to.be.within(day, day + Date.now() - before);
    }
  });

  it('releases the key of a refused request', async () => {
    for (const status of [400, 499]) {
      const refused = Object.assign(new Error('refused'), { status });
      expect(await errorOf(send({ handle: fails(refused) }))).to.equal(refused);
    }
    expect(recordsNow()).to.deep.equal([]);
    await send();
    expect(operations.map((operation) => operation?.attemptedBefore)).to.deep.equal([false, false, false]);
    expect(new Set(operations.map((operation) => operation?.id)).size).to.equal(3);
  });

  it('continues the operation of a request that has failed, whatever was thrown, or has got its timeout', async () => {
    const errors: unknown[] = [unavailable('failed', 1), new Error(), 'no error', null, { status: 400 }];
    errors.push(...[500, '400'].map((status) => Object.assign(new Error(), { status })));
    const timesOut = (ctx: AppContext) => {
      ctx.state.timedOut = true;
    };
    for (const [number, handle] of [...errors.map(fails), timesOut].entries()) {
      const headers = { 'idempotency-key': `key ${number}` };
      const thrown = await send({ headers, handle }).catch((reason: unknown) => reason);
      if (number in errors) expect(thrown).to.equal(errors[number]);
      expect(isReplay(await send({ headers }))).to.equal(false);
      const [first, again] = operations.slice(-2);
      expect(first).to.include({ attemptedBefore: false });
      expect(again).to.deep.equal({ ...first, attemptedBefore: true });
      expect(Date.now() - (first?.begunAt.getTime() ?? 0)).to.be.within(0, minute);
    }
  });

  it('has a route with a lock respond each time', async () => {
    for (const attemptedBefore of [false, true]) {
      expect(isReplay(await send({ settings: { idempotency: 'lock' } }))).to.equal(false);
      expect(operations.at(-1)).to.include({ attemptedBefore });
    }
  });

  it('responds although the record cannot be written, and logs it', async () => {
    const { status } = await send({ handle: () => store.arm({ fault: 'command lost', skipped: 0 }) });
    expect(status).to.equal(201);
    expect(log.lines.join('\n')).to.include('idempotency record not written');
  });
});
