import { Readable } from 'node:stream';
import zlib, { createUnzip } from 'node:zlib';
import { AppError } from '../../../shared/errors.ts';
import { bodyError, requireUtf8 } from '../../../shared/json/field-errors.ts';
import { jsonFault } from '../../../shared/json/json-fault.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../../shared/process/time-slices.ts';
import { alternatives, quoted } from '../../../shared/quoted.ts';
import type { AppContext } from '../context.ts';

const createZstd = (zlib as { createZstdDecompress?: typeof createUnzip }).createZstdDecompress;

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

const compressions = [...new Set(encodings.values())].filter((name) => name !== 'identity');

/** US-ASCII is a subset of UTF-8, and JSON defines no character set parameter. */
const utf8Charsets = ['', 'utf-8', 'utf8', 'us-ascii'];

/** @param charset that a content type names; empty if it names none. */
export const isUtf8Charset = (charset: string): boolean => utf8Charsets.includes(charset.toLowerCase());

const unpackedPieceBytes = 64 * 1024;

export function unsupportedType({ request }: AppContext, accepted: readonly string[]): AppError {
  const came = request.type === '' ? 'without the header Content-Type' : `as ${quoted(request.type)}`;
  const message = `The body came ${came}; send the header Content-Type: ${alternatives(accepted)}.`;
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message);
}

/** The largest body of an ordinary route. */
export const maxJsonBytes = 100 * 1024;

/**
 * Far more than any route takes: the errors of ten thousand fields or items would take longer than
 * everything else.
 */
const maxValues = 1000;

/** Validation refuses deeper values. */
const maxCountedLevels = 32;

/**
 * Reads the JSON body of a request, at most 100 KiB, for each route that has a schema of it.
 * @returns the parsed value; an empty object if an optional body was not sent.
 * @throws AppError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export async function readJsonBody(ctx: AppContext, { optional = false }): Promise<unknown> {
  const none = ctx.request.length === 0 || ctx.is() === null;
  if (none && optional) return {};
  if (!ctx.is('json')) {
    throw none ? bodyError('is required') : unsupportedType(ctx, ['application/json']);
  }
  const bytes = await readBody(ctx, maxJsonBytes, { isPackedAccepted: false });
  requireUtf8(bytes);
  const text = utf8.decode(bytes);
  const value = parseJson(text);
  if (value === undefined) throw bodyError(text.trim() === '' ? 'is required' : jsonFault(text));
  if (countValues(value) > maxValues) throw bodyError(`must have at most ${maxValues} fields and items`);
  return value;
}

const utf8 = new TextDecoder();

function countValues(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level === maxCountedLevels) return 0;
  const parts: unknown[] = Object.values(value);
  return parts.reduce<number>((count, part) => count + countValues(part, level + 1), parts.length);
}

interface ReadBodyOptions {
  isPackedAccepted?: boolean;
  /** Gets every piece of the unpacked body in order; its error refuses the body. */
  onPiece?: (piece: Buffer) => void;
  /** Whether the caller decodes the body by the charset that its type names. */
  isAnyCharsetAccepted?: boolean;
}

/**
 * Reads the body of a request, unpacked. A packed body is unpacked once all of it
 * has arrived, so that an unfinished one occupies no more memory than its sender has sent.
 * @param maxBytes of the body, as it is sent and unpacked.
 * @throws AppError VALIDATION_ERROR, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE or
 * UNSUPPORTED_MEDIA_TYPE.
 */
export async function readBody(
  ctx: AppContext,
  maxBytes: number,
  { isPackedAccepted = true, onPiece = () => {}, isAnyCharsetAccepted = false }: ReadBodyOptions = {},
): Promise<Buffer> {
  const { charset } = ctx.request;
  // Bytes in another character set would be misread.
  if (!isAnyCharsetAccepted && !isUtf8Charset(charset)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent in UTF-8, not ${quoted(charset)}.`);
  }
  const encoding = encodingOf(ctx, isPackedAccepted ? compressions : []);
  const pieces = ctx.state.receivedBody ?? (await receiveBody(ctx, maxBytes));
  // They need not be retained until the end of the request.
  delete ctx.state.receivedBody;
  return collect(encoding === 'identity' ? pieces : unpack(ctx, pieces, encoding, maxBytes), onPiece);
}

/**
 * Receives a body as it is sent, for digests of keys before it is read. A body that exceeds a limit
 * is not received to its end.
 * @throws AppError VALIDATION_ERROR if it is incomplete, PAYLOAD_TOO_LARGE or SERVICE_UNAVAILABLE.
 */
export async function receiveBody(ctx: AppContext, maxBytes: number): Promise<Buffer[]> {
  const { req, state } = ctx;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    // An abort before this point would not be reported again.
    if (req.destroyed) throw bodyError('must be complete');
    if ((ctx.request.length ?? 0) > maxBytes) throw tooLarge(maxBytes);
    // The request stays open for its response when reading ends early.
    for await (const piece of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      state.bodyMemory.grow(piece.length);
      pieces.push(piece);
    }
    return pieces;
  } catch (error) {
    if (cutOff.has(codeOf(error))) throw bodyError('must be complete');
    if (error instanceof AppError) await discardRest(ctx, 8 * maxBytes);
    throw error;
  }
}

function encodingOf(ctx: AppContext, accepted: readonly string[]): string {
  const sent = ctx.get('Content-Encoding').trim();
  const encoding = encodings.get(sent.toLowerCase()) ?? '';
  if (encoding === 'identity' || accepted.includes(encoding)) return encoding;
  const instead = accepted.length === 0 ? ', not as' : `, or compressed by one of ${accepted.join(', ')}, not`;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent uncompressed${instead} ${quoted(sent)}.`);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    headers: { Connection: 'close' },
  });
}

async function collect(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  onPiece: (piece: Buffer) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) {
    if (isSliceOver()) await nextSlice();
    onPiece(piece);
    pieces.push(piece);
  }
  const [only] = pieces;
  return pieces.length === 1 && only ? only : Buffer.concat(pieces);
}

async function* unpack(
  ctx: AppContext,
  packed: readonly Buffer[],
  encoding: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const create = encoding === 'zstd' && createZstd ? createZstd : createUnzip;
  const unzip = create({ chunkSize: unpackedPieceBytes });
  let size = 0;
  try {
    for await (const piece of Readable.from(packed, { objectMode: false }).pipe(unzip) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      ctx.state.bodyMemory.grow(piece.length);
      yield piece;
    }
  } catch (error) {
    if (!/^(?:Z_|ZSTD_|ERR_ZSTD)/.test(codeOf(error))) throw error;
    throw bodyError(`must be complete ${ctx.get('Content-Encoding')} data`);
  } finally {
    unzip.destroy();
  }
}

/** Error codes of a connection that the sender has closed, or that has ended. */
const cutOff = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

const maxDiscardMs = 2000;
/**
 * Bounds the process: discarding the bodies of many refused requests costs more than refusing them.
 */
const maxDiscards = 16;
let discards = 0;

/**
 * Reads on for a while: a client that is still sending would see a broken connection and not the
 * response. A connection on which the rest of the body is still to come is closed after the
 * response.
 */
async function discardRest(ctx: AppContext, bytes: number): Promise<void> {
  const { req } = ctx;
  if (req.complete || req.destroyed) return;
  discards += 1;
  await new Promise<void>((resolve) => {
    let left = bytes;
    const timer = setTimeout(resolve, maxDiscardMs);
    for (const event of ['end', 'close', 'error']) {
      req.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
    }
    if (discards > maxDiscards) return;
    req.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left <= 0) resolve();
    });
    req.resume();
  });
  discards -= 1;
  if (!req.complete) ctx.set('Connection', 'close');
}
