// Starts no servers, so that every change of the code can be tried against it.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import type { RouteDeps } from '../../../api/app-deps.ts';
import { maxJsonBytes } from '../../../api/http/body/json-body.ts';
import type { AppContext, Operation } from '../../../api/http/context.ts';
import { idempotencyKey } from '../../../api/http/idempotency-key.ts';
import { createIdempotencyStore } from '../../../api/http/idempotency-store.ts';
import { deriveServiceKeys } from '../../../shared/crypto/service-keys.ts';
import { day, minute, second } from '../../../shared/durations.ts';
import { AppError, unavailable } from '../../../shared/errors.ts';
import { captureLog } from '../../support/capture-log.ts';
import { documentsIn, toBson, withDocuments } from '../../support/scheduled-store/scheduled-collection.ts';
import { createScheduledModels } from '../../support/scheduled-store/scheduled-models.ts';
import { ScheduledStore, type StepScheduler } from '../../support/scheduled-store/scheduled-store.ts';
import { waitUntil } from '../../support/wait-until.ts';

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
    Object.assign(ctx.state, { caller, route, receivedBody: [Buffer.from(body)] });
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
  ): Middleware => idempotencyKey({ models, log: log.log, config } as unknown as RouteDeps)(route);

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
  const refused = new AppError('CONFLICT', 'refused');
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

  it('passes a request without a key on, with no operation', async () => {
    const ctx = createContext({});
    delete ctx.headers['idempotency-key'];
    let handled = 0;
    await create()(ctx, async () => {
      handled += 1;
    });
    expect([handled, ctx.state.operation]).to.deep.equal([1, undefined]);
  });

  it('refuses keys that are empty, or longer than 255 characters', async () => {
    for (const key of ['', 'k'.repeat(256)]) {
      const error = await errorOf(send(create(), { headers: { 'idempotency-key': key } }));
      expect(error.code).to.equal('VALIDATION_ERROR');
      expect(error.details).to.deep.equal([{ field: 'Idempotency-Key', error: 'must be 1 to 255 characters long' }]);
    }
    for (const key of ['k', 'k'.repeat(255)]) await send(create(), { headers: { 'idempotency-key': key } });
    expect(operations).to.have.length(2);
  });

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

  it('stores bodies encrypted, of JSON as text, and none as an empty one', async () => {
    await send(create(), { url: '/json' }, (ctx) => {
      ctx.body = { secret: 'secret' };
    });
    const json = await send(create(), { url: '/json' });
    expect(json.body).to.equal('{"secret":"secret"}');
    expect(json.response.headers).to.not.have.property('etag');
    expect(JSON.stringify(recordsNow())).to.not.include('secret');
    const headers = { 'idempotency-key': 'another' };
    await send(create(), { headers }, (ctx) => {
      ctx.status = 204;
    });
    const again = await send(create(), { headers });
    expect([again.status, again.body]).to.deep.equal([204, '']);
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

  it('reads a body in pieces as one', async () => {
    await send(create(), { body: 'onetwo' });
    const ctx = createContext({ body: '' });
    Object.assign(ctx.state, { receivedBody: [Buffer.from('one'), Buffer.from('two')] });
    await store.run('request', async () => create()(ctx as never, async () => {}));
    expect(isReplay(ctx)).to.equal(true);
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

  it('is in progress until the attempt has ended', async () => {
    await send(create(), {}, async () => {
      const error = await errorOf(send(create()));
      expect([error.code, error.message]).to.deep.equal([
        'CONFLICT',
        'A request with this Idempotency-Key is in progress.',
      ]);
      expect(error.headers).to.deep.equal({ 'Retry-After': '1' });
    });
    expect(isReplay(await send(create()))).to.equal(true);
  });

  it('locks the key for 5 seconds, and keeps a response for a day', async () => {
    const before = Date.now();
    await send(create(), {}, () => {
      const [record] = recordsNow();
      const now = Date.now();
      expect(record?.['lockedUntil'].getTime()).to.be.within(before + 5 * second, now + 5 * second);
      expect(record?.['expiresAt'].getTime()).to.be.within(before + day, now + day);
    });
    changeRecords({ expiresAt: new Date(Date.now() - 1) });
    expect(isReplay(await send(create()))).to.equal(false);
    expect(new Set(operations.map((operation) => operation?.id)).size).to.equal(2);
  });

  it('takes an expired record for none, also for another request', async () => {
    await send(create());
    changeRecords({ expiresAt: new Date(Date.now() - 1) });
    expect(isReplay(await send(create(), { body: 'other' }))).to.equal(false);
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
      expect(second?.seed).to.deep.equal(first?.seed);
      const seed = createHmac('sha256', keys.operations).update(first?.id ?? '');
      expect(first?.seed).to.deep.equal(seed.digest());
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

  it('continues the operation of a failed request after a refusal, too', async () => {
    for (const error of [failed, refused]) {
      await errorOf(send(create(), {}, fails(error)));
      expect(recordsNow()[0]).to.not.have.property('attemptId');
    }
    await send(create());
    expect(new Set(operations.map((operation) => operation?.id)).size).to.equal(1);
  });

  it('claims a key although the reply of the database is lost', async () => {
    store.arm({ fault: 'reply lost', skipped: 0 });
    await send(create(), {}, fails(failed)).catch(() => {});
    expect(operations[0]).to.include({ attemptedBefore: false });
    // The insert is refused, then the lock is taken.
    store.arm({ fault: 'reply lost', skipped: 1 });
    await send(create(), {}, fails(failed)).catch(() => {});
    store.arm({ fault: 'command lost', skipped: 2 });
    await send(create());
    expect(operations.map((operation) => operation?.attemptedBefore)).to.deep.equal([false, true, true]);
    expect(new Set(operations.map((operation) => operation?.id)).size).to.equal(1);
    expect(isReplay(await send(create()))).to.equal(true);
  });

  it('leaves the records of other keys as they are', async () => {
    const other = { headers: { 'idempotency-key': 'another' } };
    await send(create(), other);
    const before = recordsNow();
    await send(create(), {}, fails(failed)).catch(() => {});
    await send(create({ isReplayable: async () => false }));
    await send(create({ isReplayable: async () => false }));
    const [record] = recordsNow().slice(-1);
    store.replace(
      withDocuments(store.primary, 'idempotency_records', [
        [record?.['_id'], toBson({ ...record, expiresAt: new Date(0) })],
      ]),
    );
    await send(create());
    expect(recordsNow()).to.deep.include.members(before);
    expect(recordsNow()).to.have.length(2);
  });

  it('makes no record for a route that finds repeats itself', async () => {
    for (let sent = 0; sent < 2; sent += 1)
      expect(isReplay(await send(create({ findsRepeats: true })))).to.equal(false);
    expect(operations).to.deep.equal([undefined, undefined]);
    expect(recordsNow()).to.deep.equal([]);
  });

  it('has a route respond each time that stores no responses', async () => {
    const middleware = create({ storesResponse: false });
    for (const attemptedBefore of [false, true]) {
      expect(isReplay(await send(middleware))).to.equal(false);
      expect(operations.at(-1)).to.include({ attemptedBefore });
    }
    expect(operations[1]?.id).to.equal(operations[0]?.id);
  });

  it('begins a new operation if the response is of something that exists no longer', async () => {
    let exists = true;
    const seen: unknown[][] = [];
    const middleware = create({
      isReplayable: async (...given: unknown[]) => {
        seen.push(given);
        return exists;
      },
    });
    await send(middleware);
    expect(isReplay(await send(middleware))).to.equal(true);
    exists = false;
    const ctx = await send(middleware);
    expect(isReplay(ctx)).to.equal(false);
    expect(operations).to.have.length(2);
    expect(ctx.body).to.deep.equal({ made: operations[1]?.id });
    expect(operations[1]?.id).to.not.equal(operations[0]?.id);
    for (const [body, , caller] of seen) expect([body, caller]).to.deep.equal([{ made: operations[0]?.id }, user]);
  });

  it('finds records of the previous secret, and makes new ones with the current secret', async () => {
    const newer = { keys: deriveServiceKeys(randomBytes(32)), previousKeys: keys };
    await send(create());
    expect(isReplay(await send(create({}, newer)))).to.equal(true);
    await send(create({}, newer), { headers: { 'idempotency-key': 'new' } });
    expect(isReplay(await send(create({}, { keys: newer.keys }), { headers: { 'idempotency-key': 'new' } }))).to.equal(
      true,
    );
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

  it('reads a body up to the limit', async () => {
    const withBody = async (body: string) => {
      const ctx = createContext({ headers: { 'idempotency-key': randomUUID() } });
      Object.assign(ctx.state, { receivedBody: undefined, bodyMemory: { grow: () => {} } });
      ctx.req.push(body);
      ctx.req.push(null);
      await store.run('request', async () => create()(ctx, async () => {}));
      return Buffer.concat(ctx.state.receivedBody ?? []).toString();
    };
    const longest = 'x'.repeat(maxJsonBytes);
    expect(await withBody(longest)).to.equal(longest);
    expect((await errorOf(withBody(`${longest}x`))).code).to.equal('PAYLOAD_TOO_LARGE');
  });
});

describe('the records of idempotency keys', () => {
  const { idempotencyRecord: model } = createScheduledModels();
  const keys = deriveServiceKeys(randomBytes(32));
  const claim = async (of = model) => createIdempotencyStore(of, keys).claim('id', 'fingerprint');
  async function claimFirst() {
    const claimed = await claim();
    if (claimed.state !== 'claimed') throw new Error(`The key is ${claimed.state}.`);
    return claimed;
  }
  let store: ScheduledStore;
  beforeEach(() => {
    store = new ScheduledStore(immediately, () => {});
  });

  /** The model, with other methods. */
  const withMethods = (methods: object) =>
    Object.assign(Object.create(model), { create: (record: object) => model.create(record) }, methods) as typeof model;
  /** The first read of a record returns `found`, after `happen`. */
  function withFirstRead(happen: () => Promise<unknown>, found?: null): typeof model {
    let reads = 0;
    return withMethods({
      findById: (id: string) => ({
        readConcern: (level: 'majority') => ({
          lean: async () => {
            const record = await model.findById(id).readConcern(level).lean();
            reads += 1;
            if (reads > 1) return record;
            await happen();
            return found === undefined ? record : found;
          },
        }),
      }),
    });
  }

  it('a record is claimed, locked and continued', async () => {
    await store.run('request', async () => {
      const first = await claimFirst();
      expect(await claim()).to.deep.equal({ state: 'inProgress' });
      await createIdempotencyStore(model, keys).unlock(first);
      const { operationId, begunAt } = first;
      expect(await claim()).to.deep.include({ state: 'claimed', operationId, begunAt, attemptedBefore: true });
    });
  });

  it('a record is claimed by one of two attempts that have read the same', async () => {
    await store.run('request', async () => {
      const first = await claimFirst();
      await createIdempotencyStore(model, keys).unlock(first);
      expect(await claim(withFirstRead(() => claim()))).to.deep.equal({ state: 'inProgress' });
    });
  });

  it('a record is claimed anew if it has been removed since the insert', async () => {
    await store.run('request', async () => {
      const first = await claim();
      const removed = withFirstRead(() => model.deleteOne({ _id: 'id' }), null);
      const second = await claim(removed);
      expect(second).to.include({ state: 'claimed', attemptedBefore: false });
      expect(second).to.not.have.property('operationId', 'operationId' in first && first.operationId);
    });
  });

  it('a record is not claimed if the database refuses a command', async () => {
    const refused = new Error('refused');
    const refuse = async () => {
      throw refused;
    };
    const errorOf = (claiming: Promise<unknown>) => claiming.catch((error: unknown) => error);
    await store.run('request', async () => {
      expect(await errorOf(claim(withMethods({ create: refuse })))).to.equal(refused);
      const first = await claimFirst();
      await createIdempotencyStore(model, keys).unlock(first);
      expect(await errorOf(claim(withMethods({ updateOne: refuse })))).to.equal(refused);
    });
  });

  it('locks are renewed one after the other, also after a failure, until they are released', async () => {
    const updates: {
      filter: unknown;
      lockedUntil: Date;
      end: { resolve: () => void; reject: (reason: Error) => void };
    }[] = [];
    const slow = withMethods({
      updateOne: (filter: object, { $set }: { $set: { lockedUntil: Date } }) =>
        new Promise<void>((resolve, reject) => {
          updates.push({ filter, ...$set, end: { resolve, reject } });
        }),
    });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    // mocha starts a timer of its own at the first await.
    await turn();
    const before = timers();
    const begunAt = Date.now();
    const release = createIdempotencyStore(slow, keys, { renewalTime: 1 }).hold({ id: 'id', attemptId: 'attempt' });
    let ticks = 0;
    const clock = setInterval(() => {
      ticks += 1;
    }, 1);
    await waitUntil('several times of a renewal', () => ticks > 5);
    expect(updates).to.have.length(1);
    updates[0]?.end.reject(new Error('The database is unreachable.'));
    await waitUntil('the next renewal', () => updates.length > 1);
    expect(updates).to.have.length(2);
    updates[1]?.end.resolve();
    await waitUntil('another renewal', () => updates.length > 2);
    release();
    clearInterval(clock);
    expect(timers()).to.equal(before);
    for (const { filter, lockedUntil } of updates) {
      expect(filter).to.deep.equal({ _id: 'id', attemptId: 'attempt' });
      expect(lockedUntil.getTime()).to.be.within(begunAt + 5 * second, Date.now() + 5 * second);
    }
    updates[2]?.end.resolve();
  });
});
