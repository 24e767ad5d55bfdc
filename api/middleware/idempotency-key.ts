import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { AppError, validationError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/runtime/log.ts';
import type { AppDeps } from '../app-deps.ts';
import type { AppContext, AppState, Operation } from '../request/context.ts';
import {
  createIdempotencyStore,
  type IdempotencyStore,
  type KnownOperation,
  type StoredAnswer,
} from '../request/idempotency-store.ts';

const header = 'Idempotency-Key';
const maxLength = 255;

/** Headers that are stored with an answer; the others belong to the request that received it. */
const keptHeaders = ['Content-Type', 'Location', 'ETag', 'Preference-Applied', 'Cache-Control'];

/**
 * Answers a POST with a known `Idempotency-Key` as the first time. A refused request (4xx) releases its key; a failed one
 * (5xx) continues as the same operation when it is sent again.
 */
export function idempotencyKey({ models, config, log }: AppDeps): Middleware<AppState> {
  const store = createIdempotencyStore(models.idempotencyRecord, config.spoolKey);

  return async (ctx, next) => {
    if (ctx.headers['idempotency-key'] === undefined) await next();
    else await answerOnce(ctx, next);
  };

  async function answerOnce(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
    const id = recordId(ctx, store);
    const claim = await store.claim(id, await takeFingerprint(ctx, store, config.ingest.maxBytes));
    if (claim.state === 'mismatch') {
      throw new AppError('IDEMPOTENCY_MISMATCH', `This ${header} was sent with another request before.`);
    }
    if (claim.state === 'inProgress') {
      throw new AppError('CONFLICT', `A request with this ${header} is in progress.`, {
        headers: { 'Retry-After': '1' },
      });
    }
    if (claim.state === 'answered') {
      const { answer } = claim;
      ctx.state.operation = operation(claim, { attemptedBefore: true, answered: answer.status });
      await replay(ctx, answer, next);
      return;
    }
    ctx.state.operation = operation(claim, { attemptedBefore: claim.attemptedBefore, answered: null });
    try {
      await next();
    } catch (error) {
      await settle(statusOf(error) < 500 ? store.forget(claim) : store.unlock(claim));
      throw error;
    }
    await settle(store.answer(claim, answerOf(ctx)));
  }

  /** The request keeps its result even if its record cannot be written; a remaining lock expires. */
  async function settle(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => log.warn('idempotency record not written', errorFields(error)));
  }
}

function operation(
  { operationId, begunAt }: KnownOperation,
  rest: Pick<Operation, 'attemptedBefore' | 'answered'>,
): Operation {
  return { id: operationId, begunAt, canAnswerAgain: false, ...rest };
}

function recordId(ctx: AppContext, store: IdempotencyStore): string {
  const key = ctx.get(header);
  if (key.length < 1 || key.length > maxLength) {
    throw validationError([{ field: header, error: `must be 1 to ${maxLength} characters long` }]);
  }
  return store
    .digest()
    .update(JSON.stringify([ctx.state.caller.id, ctx.state.route, key]))
    .digest('hex');
}

/** A digest of the address, the headers and the body of a request. The body is buffered for the handler to read again. */
async function takeFingerprint(ctx: AppContext, store: IdempotencyStore, maxBytes: number): Promise<string> {
  const digest = store
    .digest()
    .update(JSON.stringify([ctx.url, ctx.get('X-Scenario-ID'), ctx.get('Content-Encoding')]));
  const pieces: Buffer[] = [];
  let size = 0;
  const request = ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    for await (const piece of request) {
      size += piece.length;
      if (size > maxBytes) break;
      digest.update(piece);
      pieces.push(piece);
    }
  } catch {
    // The client disconnected.
    throw validationError([{ field: 'body', error: 'must be complete' }]);
  }
  if (size > maxBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
      headers: { Connection: 'close' },
    });
  }
  const { headers, socket } = ctx.req;
  ctx.req = Object.assign(Readable.from(pieces, { objectMode: false }), {
    headers,
    socket,
  }) as unknown as typeof ctx.req;
  return digest.digest('hex');
}

async function replay(ctx: AppContext, { status, headers, body }: StoredAnswer, answerAgain: () => Promise<unknown>) {
  if (body === undefined) await answerAgain();
  else ctx.body = body;
  ctx.status = status;
  ctx.set(headers);
  ctx.set('Idempotent-Replayed', 'true');
}

function answerOf(ctx: AppContext): StoredAnswer {
  const headers: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = ctx.res.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  if (ctx.state.operation?.canAnswerAgain) return { status: ctx.status, headers };
  const body = typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body ?? undefined);
  return { status: ctx.status, headers, body: body ?? '' };
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
