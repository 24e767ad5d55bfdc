import { createHmac, randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { IdempotencyRecord, IdempotencyRecordModel } from '../../shared/connections/idempotency-record.model.ts';
import { isDuplicateKey, isMongoUnavailable, majority } from '../../shared/connections/mongo.ts';
import { decrypt, encrypt, type ServiceKeys } from '../../shared/crypto/encryption.ts';
import { day, second } from '../../shared/durations.ts';
import { AppError, validationError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import type { RouteDeps } from '../app-deps.ts';
import { maxJsonBytes, receiveBody } from './body/request-body.ts';
import type { AppContext, AppState } from './context.ts';
import type { Route } from './route.ts';

const header = 'Idempotency-Key';
const maxLength = 255;
const lifetime = day;

/** An attempt of a route with a time of its own has its lock for that time. */
const defaultLockMs = 5 * second;

/** The part of a request's fingerprint that is not its body. */
export const fingerprintHead = (ctx: AppContext): string =>
  JSON.stringify([ctx.url, ...['X-Scenario-ID', 'Content-Encoding', 'Content-Type'].map((name) => ctx.get(name))]);

/** Headers that are stored with a response. The other headers apply to a single request. */
const storedHeaders = ['Content-Type', 'Location', 'ETag', 'Preference-Applied', 'Cache-Control'];

type StoredResponse = NonNullable<IdempotencyRecord['response']>;

/** A request as one secret of the service identifies it. */
interface IdentifiedRequest {
  readonly keys: ServiceKeys;
  readonly id: string;
  readonly fingerprint: string;
}

/** The attempt that has the lock of a record, until another one takes it. */
interface Attempt {
  readonly attemptId: string;
  readonly operation: NonNullable<AppState['operation']>;
}

/**
 * Sends the first response again to a POST with a known `Idempotency-Key`. A request that is
 * refused (4xx) at its first attempt releases the key. One that failed (5xx) or was lost continues
 * the same operation when it is sent again. The records are in MongoDB, so they survive restarts
 * and an unreachable Redis. test/proof checks them in random schedules.
 */
export function idempotencyKey(
  deps: RouteDeps,
): (route: Pick<Route, 'timeoutMs' | 'idempotency'>) => Middleware<AppState> {
  const { models, config } = deps;
  const { idempotencyRecord: model } = models;

  return ({ timeoutMs = defaultLockMs, idempotency }) =>
    async (ctx, next) => {
      const key = idempotencyKeyOf(ctx);
      if (key === undefined) {
        await next();
        return;
      }
      ctx.state.receivedBody ??= await receiveBody(ctx, maxJsonBytes);
      const request = await identifyRequest(ctx, key, ctx.state.receivedBody);
      const claimed = await claim(model, request, timeoutMs);
      if ('status' in claimed) replay(ctx, request, claimed);
      else await carryOut(ctx, request, claimed, { isStored: idempotency !== 'lock', next });
    };

  /** By the previous secret if it has a record of the key. */
  async function identifyRequest(ctx: AppContext, key: string, body: readonly Buffer[]): Promise<IdentifiedRequest> {
    const previous = config.previousKeys && identify(config.previousKeys, ctx, key, body);
    if (previous && (await model.exists({ _id: previous.id }))) return previous;
    return identify(config.keys, ctx, key, body);
  }

  async function carryOut(
    ctx: AppContext,
    { id, keys }: IdentifiedRequest,
    { attemptId, operation }: Attempt,
    { isStored, next }: { isStored: boolean; next: () => Promise<unknown> },
  ): Promise<void> {
    /** The record, as long as no other attempt has taken its lock. */
    const own = { _id: id, attemptId };
    /** The next attempt continues the same operation. */
    const unlock = () => model.updateOne(own, { $set: { lockedUntil: new Date() }, $unset: { attemptId: 1 } });
    ctx.state.operation = operation;
    try {
      await next();
    } catch (error) {
      // An earlier attempt can have carried out what this one is refused.
      const hasStoredNothing = statusOf(error) < 500 && !operation.attemptedBefore;
      await settle(ctx, hasStoredNothing ? () => model.deleteOne(own) : unlock);
      throw error;
    }
    const response = isStored && !ctx.state.timedOut ? responseOf(ctx, keys, id) : undefined;
    await settle(ctx, response ? () => model.updateOne(own, { $set: { response } }) : unlock);
  }

  /** If the write fails, the response is sent nevertheless, and a remaining lock expires. */
  async function settle({ state: { log } }: AppContext, write: () => PromiseLike<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      log.warn('idempotency record not written', errorFields(error));
    }
  }
}

/** @throws AppError VALIDATION_ERROR for a key that is too short or too long. */
export function idempotencyKeyOf(ctx: AppContext): string | undefined {
  if (ctx.headers['idempotency-key'] === undefined) return undefined;
  const key = ctx.get(header);
  if (key.length >= 1 && key.length <= maxLength) return key;
  throw validationError([{ field: header, error: `must be 1 to ${maxLength} characters long` }]);
}

/**
 * Identifies an operation by its caller, route and key. For a caller without credentials, the
 * fingerprint is part of the id too, so that two clients at one address that send the same key do
 * not receive each other's responses. The digests are keyed, because a body can contain passwords.
 */
function identify(keys: ServiceKeys, ctx: AppContext, key: string, body: readonly Buffer[]): IdentifiedRequest {
  const digest = (...parts: readonly (string | Buffer)[]) => {
    const hmac = createHmac('sha256', keys.fingerprints);
    for (const part of parts) hmac.update(part);
    return hmac.digest('hex');
  };
  const { caller, route } = ctx.state;
  const fingerprint = digest(fingerprintHead(ctx), ...body);
  const isAnonymous = !caller.key && !caller.user;
  const id = digest(JSON.stringify([caller.id, route, key, ...(isAnonymous ? [fingerprint] : [])]));
  return { keys, id, fingerprint };
}

/**
 * Claims the key for one attempt by one insert, or finds the response of an earlier one.
 * @throws AppError IDEMPOTENCY_MISMATCH, or CONFLICT while another attempt has the lock.
 */
async function claim(
  model: IdempotencyRecordModel,
  { id, fingerprint }: IdentifiedRequest,
  lockMs: number,
): Promise<Attempt | StoredResponse> {
  const [attemptId, operationId] = [randomUUID(), randomUUID()];
  for (;;) {
    const now = new Date();
    const lock = { attemptId, lockedUntil: new Date(now.getTime() + lockMs) };
    const expiresAt = new Date(now.getTime() + lifetime);
    try {
      await model.create({ _id: id, fingerprint, operationId, ...lock, expiresAt });
      return { attemptId, operation: { id: operationId, begunAt: now, attemptedBefore: false } };
    } catch (error) {
      if (!isDuplicateKey(error) && !isMongoUnavailable(error)) throw error;
    }
    // The insert, or the lock below, can have succeeded although its response was lost. A failover
    // can undo it until a majority has it, and another request would claim the key as well.
    const known = await model.findById(id).readConcern(majority.level).lean<IdempotencyRecord>();
    if (!known) continue;
    const operation = {
      id: known.operationId,
      begunAt: new Date(known.expiresAt.getTime() - lifetime),
      attemptedBefore: known.operationId !== operationId,
    };
    if (known.attemptId === attemptId) return { attemptId, operation };
    if (known.expiresAt <= now) {
      // MongoDB removes expired records once a minute.
      await model.deleteOne({ _id: id, expiresAt: known.expiresAt });
      continue;
    }
    if (known.fingerprint !== fingerprint)
      throw new AppError('IDEMPOTENCY_MISMATCH', `This ${header} was sent with another request before.`);
    if (known.response) return known.response;
    if (known.lockedUntil > now)
      throw new AppError('CONFLICT', `A request with this ${header} is in progress.`, {
        headers: { 'Retry-After': '1' },
      });
    // An attempt that counted as lost can still respond; its response is stored.
    const unlocked = { _id: id, lockedUntil: known.lockedUntil, response: { $exists: false } };
    const { modifiedCount } = await model.updateOne(unlocked, { $set: lock });
    if (modifiedCount === 1) return { attemptId, operation: { ...operation, attemptedBefore: true } };
  }
}

function replay(ctx: AppContext, { keys, id }: IdentifiedRequest, response: StoredResponse): void {
  const { status, headers, encryptedBody } = response;
  ctx.body = decrypt(keys.responses, Buffer.from(encryptedBody, 'base64'), id).toString();
  ctx.status = status;
  ctx.set({ ...headers, 'Idempotent-Replayed': 'true' });
}

function responseOf(ctx: AppContext, keys: ServiceKeys, id: string): StoredResponse {
  const sent = storedHeaders.filter((name) => ctx.res.hasHeader(name));
  const headers = Object.fromEntries(sent.map((name) => [name, String(ctx.res.getHeader(name))]));
  const body = typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body ?? undefined);
  return { status: ctx.status, headers, encryptedBody: encrypt(keys.responses, body ?? '', id).toString('base64') };
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
