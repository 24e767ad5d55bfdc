import type { Middleware } from 'koa';
import { AppError, validationError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import type { RouteDeps } from '../app-deps.ts';
import { maxJsonBytes } from './body/json-body.ts';
import { receiveBody } from './body/request-body.ts';
import type { AppContext, AppState } from './context.ts';
import { createIdempotencyStore, type IdempotencyStore, type StoredResponse } from './idempotency-store.ts';
import type { Route } from './route.ts';

const header = 'Idempotency-Key';
const maxLength = 255;

/** Headers that are part of the fingerprint of a request, together with address and body. */
const fingerprintHeaders = ['X-Scenario-ID', 'Content-Encoding', 'Content-Type'];

/** Headers that are stored with a response. The other headers apply to a single request. */
const storedHeaders = ['Content-Type', 'Location', 'ETag', 'Preference-Applied', 'Cache-Control'];

type RouteOfKeys = Pick<Route, 'isReplayable' | 'storesResponse' | 'findsRepeats' | 'body'>;

/**
 * Sends the first response again to a POST with a known `Idempotency-Key`. A request that is
 * refused (4xx) at its first attempt releases the key. One that failed (5xx) or was lost continues
 * the same operation when it is sent again.
 */
export function idempotencyKey(deps: RouteDeps): (route: RouteOfKeys) => Middleware<AppState> {
  const { models, config, log } = deps;
  const currentStore = createIdempotencyStore(models.idempotencyRecord, config.keys);
  const previousStore = config.previousKeys && createIdempotencyStore(models.idempotencyRecord, config.previousKeys);

  return (route) => async (ctx, next) => {
    const key = idempotencyKeyOf(ctx);
    if (key === undefined || route.findsRepeats) await next();
    else await respondOnce(route, key, ctx, next);
  };

  async function respondOnce(
    route: RouteOfKeys,
    key: string,
    ctx: AppContext,
    next: () => Promise<unknown>,
  ): Promise<void> {
    ctx.state.receivedBody ??= await receiveBody(ctx, maxJsonBytes);
    const body = ctx.state.receivedBody;
    const { store, id, fingerprint } =
      (previousStore && (await findIn(previousStore, ctx, key, body))) ?? identify(currentStore, ctx, key, body);
    const claim = await store.claim(id, fingerprint);
    if (claim.state === 'mismatch') {
      throw new AppError('IDEMPOTENCY_MISMATCH', `This ${header} was sent with another request before.`);
    }
    if (claim.state === 'inProgress') {
      throw new AppError('CONFLICT', `A request with this ${header} is in progress.`, {
        headers: { 'Retry-After': '1' },
      });
    }
    if (claim.state === 'responded') {
      const { response } = claim;
      if (route.isReplayable) {
        const isReplayable = await route.isReplayable(JSON.parse(response.body), deps, ctx.state.caller);
        if (!isReplayable) {
          await store.discard(id, claim.operationId);
          // The body is buffered, so it can be read again for a new operation.
          return respondOnce(route, key, ctx, next);
        }
      }
      replay(ctx, response);
      return;
    }
    const { operationId, begunAt, attemptedBefore } = claim;
    ctx.state.operation = { id: operationId, begunAt, seed: store.seedOf(operationId), attemptedBefore };
    const release = store.hold(claim);
    try {
      await next();
    } catch (error) {
      release();
      // An earlier attempt can have carried out what this one is refused.
      const hasStoredNothing = statusOf(error) < 500 && !claim.attemptedBefore;
      await settle(hasStoredNothing ? store.forget(claim) : store.unlock(claim));
      throw error;
    }
    release();
    const isStored = route.storesResponse !== false && !ctx.state.timedOut;
    await settle(isStored ? store.respond(claim, responseOf(ctx)) : store.unlock(claim));
  }

  /**
   * Waits for a write of the record. If it fails, the response is sent nevertheless, and a
   * remaining lock expires.
   */
  async function settle(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => log.warn('idempotency record not written', errorFields(error)));
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
 * not receive each other's responses.
 */
function recordId(ctx: AppContext, key: string, fingerprint: string, store: IdempotencyStore): string {
  const { caller, route } = ctx.state;
  const isAnonymous = !caller.key && !caller.user;
  return store
    .digest()
    .update(JSON.stringify([caller.id, route, key, ...(isAnonymous ? [fingerprint] : [])]))
    .digest('hex');
}

/** A digest of the address, the headers and the body of a request. */
function fingerprintOf(ctx: AppContext, body: readonly Buffer[], store: IdempotencyStore): string {
  const digest = store.digest().update(JSON.stringify([ctx.url, ...fingerprintHeaders.map((name) => ctx.get(name))]));
  for (const piece of body) digest.update(piece);
  return digest.digest('hex');
}

/** A request by the digests of a store. */
function identify(store: IdempotencyStore, ctx: AppContext, key: string, body: readonly Buffer[]) {
  const fingerprint = fingerprintOf(ctx, body, store);
  return { store, fingerprint, id: recordId(ctx, key, fingerprint, store) };
}

/** Like `identify`, for a store that has a record of the key. */
async function findIn(...request: Parameters<typeof identify>) {
  const identified = identify(...request);
  return (await identified.store.has(identified.id)) ? identified : undefined;
}

function replay(ctx: AppContext, { status, headers, body }: StoredResponse): void {
  ctx.body = body;
  ctx.status = status;
  ctx.set(headers);
  ctx.set('Idempotent-Replayed', 'true');
}

function responseOf(ctx: AppContext): StoredResponse {
  const headers: Record<string, string> = {};
  for (const name of storedHeaders) {
    const value = ctx.res.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const body = typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body ?? undefined);
  return { status: ctx.status, headers, body: body ?? '' };
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
