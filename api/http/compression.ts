import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { createSemaphore } from '../../shared/process/semaphore.ts';
import type { AppContext, AppState } from './context.ts';
import { weakTag } from './entity-tag.ts';

type Encoding = 'br' | 'gzip';

/** In bytes. Smaller bodies fit into one packet. */
const minSize = 1024;

/**
 * Two bodies of all routes are compressed at the same time, outside the event loop. They share the
 * threads of the process with the hashing of passwords.
 */
const withSlot = createSemaphore(2);

const compressibleTypes = new Set([
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/csv',
  'text/html',
  'text/javascript',
]);

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } });

/** `each`: levels that take a few milliseconds per 100 KB. */
const levels = { each: { br: quality(4), gzip: {} }, once: { br: quality(9), gzip: { level: 9 } } };
const createStream = { br: () => createBrotliCompress(quality(4)), gzip: () => createGzip() };

/**
 * Compresses the responses of a route from 1 KB, with the encoding that the client prefers.
 * Requests with `Range` get the bytes as they are.
 * @param frequency `once`: the bodies are always the same objects or buffers, whose compressed
 * forms are cached.
 */
export function compression(frequency: 'each' | 'once'): Middleware<AppState> {
  const known = { br: new WeakMap<object, Promise<Buffer>>(), gzip: new WeakMap<object, Promise<Buffer>>() };
  const compress = (encoding: Encoding, bytes: Buffer, body: object): Promise<Buffer> => {
    const compressed = known[encoding].get(body) ?? pack[encoding](bytes, levels[frequency][encoding]);
    if (frequency === 'once') known[encoding].set(body, compressed);
    return compressed;
  };
  return async (ctx, next) => {
    await next();
    ctx.vary('Accept-Encoding');
    if (ctx.status === 304) repeatWeakTag(ctx);
    if (ctx.status !== 200 || ctx.get('Range') !== '' || !compressibleTypes.has(ctx.type)) return;
    const encoding = preferredEncoding(ctx);
    const isStream = ctx.body instanceof Readable;
    const body = ctx.body as object | string;
    const bytes = isStream ? null : toBytes(body);
    const size = bytes?.length ?? Number(ctx.res.getHeader('Content-Length'));
    if (!encoding || (size < minSize && ctx.acceptsEncodings('identity'))) {
      if (bytes) ctx.body = bytes;
      return;
    }
    if (bytes) {
      const compressed = await withSlot(async () =>
        ctx.res.destroyed ? null : compress(encoding, bytes, typeof body === 'string' ? bytes : body),
      );
      if (!compressed) return;
      ctx.body = compressed;
    } else {
      ctx.remove('Content-Length');
      if (ctx.method !== 'HEAD') ctx.body = pipeline(ctx.body as Readable, createStream[encoding](), ignoreError);
    }
    // Ranges are of the file itself.
    ctx.remove('Accept-Ranges');
    ctx.set('Content-Encoding', encoding);
    // The compressed bytes can change without the resource, which only a weak tag allows.
    const tag = ctx.res.getHeader('ETag');
    if (typeof tag === 'string') ctx.set('ETag', weakTag(tag));
  };
}

/**
 * The accepted encoding with the highest `q`; Brotli of those with the same. Null for no
 * compression.
 */
function preferredEncoding(ctx: AppContext): Encoding | null {
  const hasWeights = ctx.get('Accept-Encoding').includes(';');
  const encoding = (!hasWeights && ctx.acceptsEncodings('br')) || ctx.acceptsEncodings('br', 'gzip', 'identity');
  return encoding === 'br' || encoding === 'gzip' ? encoding : null;
}

/** The bytes that Koa would send. */
function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/**
 * A cache updates a response that it has stored with a weak tag only if the tag of the 304 is weak
 * too.
 */
function repeatWeakTag(ctx: AppContext): void {
  const tag = weakTag(String(ctx.res.getHeader('ETag')));
  if (ctx.get('If-None-Match').includes(tag)) ctx.set('ETag', tag);
}

/** Koa reports errors of the stream that it sends. */
const ignoreError = () => {};
