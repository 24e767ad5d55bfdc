import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import zlib, { createUnzip } from 'node:zlib';
import { AppError, validationError } from '../../shared/errors.ts';
import { isSliceOver, nextSlice } from '../../shared/runtime/time-slices.ts';
import type { AppContext } from './context.ts';

const createZstd = (zlib as { createZstdDecompress?: typeof createUnzip }).createZstdDecompress;

/** The accepted values of `Content-Encoding`. */
const encodings = new Map<string, string>([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  // The name of gzip before its registration.
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  // From Node 22.15 on.
  ...(typeof createZstd === 'function' ? ([['zstd', 'zstd']] as const) : []),
]);

const compressions = new Set([...encodings.values()].filter((name) => name !== 'identity'));

/** US-ASCII is a subset of UTF-8, and JSON defines no character set parameter. */
const charsets = ['', 'utf-8', 'utf8', 'us-ascii'];

/** A packed body may unpack to so many bytes in any case, and beyond them to so many times its own size. */
const freeBytes = 1024 * 1024;
const maxRatio = 100;
const unpackedPieceBytes = 64 * 1024;

/** A `VALIDATION_ERROR` of the body as a whole. */
export function bodyError(error: string): AppError {
  return validationError([{ field: 'body', error }]);
}

/**
 * Reads the body of a request, unpacked. The limits apply while it arrives: what exceeds one is not read to its end.
 * @param maxBytes of the body, as it is sent and unpacked.
 * @param options.look gets every piece of the unpacked body as it arrives; its error refuses the body.
 * @throws AppError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export async function readBody(
  ctx: AppContext,
  maxBytes: number,
  { look = () => {}, isUtf8Required = true }: { look?: (piece: Buffer) => void; isUtf8Required?: boolean } = {},
): Promise<Buffer> {
  requireUtf8(ctx);
  const encoding = encodingOf(ctx);
  try {
    // An abort before this point would not be reported again.
    if (ctx.req.destroyed) throw bodyError('must be complete');
    if ((ctx.request.length ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const body = encoding === 'identity' ? piecesOf(ctx.req) : unpack(ctx, encoding, maxBytes);
    const bytes = await collect(ctx, body, maxBytes, look);
    if (isUtf8Required && !isUtf8(bytes)) throw bodyError('must be valid UTF-8');
    return bytes;
  } catch (error) {
    if (error instanceof AppError) {
      await discardRest(ctx, 8 * maxBytes);
      throw error;
    }
    throw readError(error, ctx);
  }
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE if the body names another character set: its bytes would be misread. */
function requireUtf8(ctx: AppContext): void {
  if (charsets.includes(ctx.request.charset.toLowerCase())) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent in UTF-8.');
}

function encodingOf(ctx: AppContext): string {
  const encoding = encodings.get(ctx.get('Content-Encoding').trim().toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body must be sent uncompressed, or compressed by ${[...compressions].join(', ')}.`,
  );
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    headers: { Connection: 'close' },
  });
}

async function collect(
  ctx: AppContext,
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  look: (piece: Buffer) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    ctx.state.bodyMemory.grow(piece.length);
    // The pieces of a body that was buffered before arrive without a turn of the event loop between them.
    if (isSliceOver()) await nextSlice();
    look(piece);
    pieces.push(piece);
  }
  const [only] = pieces;
  return pieces.length === 1 && only ? only : Buffer.concat(pieces, size);
}

/** The request stays open for its answer when reading ends early. */
const piecesOf = (stream: Readable) => stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

async function* unpack({ req }: AppContext, encoding: string, maxBytes: number): AsyncGenerator<Buffer> {
  const create = encoding === 'zstd' && createZstd ? createZstd : createUnzip;
  const unzip = create({ chunkSize: unpackedPieceBytes });
  let packedSize = 0;
  let size = 0;
  req.on('data', (piece: Buffer) => {
    packedSize += piece.length;
    // Also where nothing comes out: a gzip body may have any number of empty members.
    if (packedSize > maxBytes) unzip.destroy(tooLarge(maxBytes));
  });
  // The end of the connection does not end what it is piped to.
  req.once('aborted', () => unzip.destroy(bodyError('must be complete')));
  try {
    for await (const piece of piecesOf(req.pipe(unzip))) {
      size += piece.length;
      if (size > Math.max(freeBytes, maxRatio * packedSize)) {
        throw new AppError('PAYLOAD_TOO_LARGE', `The body unpacks to more than ${maxRatio} times its size.`, {
          headers: { Connection: 'close' },
        });
      }
      yield piece;
    }
  } finally {
    req.unpipe(unzip);
    unzip.destroy();
  }
}

/** Converts an error of reading or unpacking to the error for the sender; any other error is returned unchanged. */
function readError(error: unknown, ctx: AppContext): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(?:Z_|ZSTD_|ERR_ZSTD)/.test(code)) return bodyError(`must be complete ${ctx.get('Content-Encoding')} data`);
  return cutOff.has(code) ? bodyError('must be complete') : error;
}

const cutOff = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

const maxDiscardMs = 2000;

/**
 * Reads on for a while: a client that is still sending would see a broken connection and not the answer. A connection on
 * which the rest of the body is still to come is closed after the answer.
 */
async function discardRest(ctx: AppContext, bytes: number): Promise<void> {
  const { req } = ctx;
  if (req.complete || req.destroyed) return;
  await new Promise<void>((resolve) => {
    let left = bytes;
    const timer = setTimeout(resolve, maxDiscardMs);
    req.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left <= 0) resolve();
    });
    for (const event of ['end', 'close', 'error']) {
      req.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
    }
    req.resume();
  });
  if (!req.complete) ctx.set('Connection', 'close');
}
