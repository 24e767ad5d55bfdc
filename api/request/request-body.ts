import { AppError, validationError } from '../../shared/errors.ts';
import type { AppContext } from './context.ts';

/** Common to all request bodies: encodings, errors of reading, and UTF-8. */

const encodings = new Map([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  // The name of gzip before its registration.
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/** US-ASCII is a subset of UTF-8, and JSON defines no character set parameter. */
const charsets = ['', 'utf-8', 'utf8', 'us-ascii'];

/** A `VALIDATION_ERROR` of the body as a whole. */
export function bodyError(error: string): AppError {
  return validationError([{ field: 'body', error }]);
}

/** The encoding of the body. @throws AppError UNSUPPORTED_MEDIA_TYPE */
export function encodingOf(ctx: AppContext): string {
  const encoding = encodings.get(ctx.get('Content-Encoding').trim().toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent uncompressed, or compressed by gzip or deflate.');
}

/**
 * @throws AppError UNSUPPORTED_MEDIA_TYPE if the request names another character set, because the body would be
 * misread.
 */
export function requireUtf8(ctx: AppContext): void {
  if (charsets.includes(ctx.request.charset.toLowerCase())) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent in UTF-8.');
}

/**
 * Converts an error of reading or unpacking a body to the error for the caller. Any other error is returned unchanged.
 */
export async function readError(error: unknown, ctx: AppContext, maxBytes: number): Promise<unknown> {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if ('type' in error && error.type === 'entity.too.large') {
    await discardRest(ctx, 8 * maxBytes);
    return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
      headers: { Connection: 'close' },
    });
  }
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')) {
    return bodyError(`must be complete ${ctx.get('Content-Encoding')} data`);
  }
  // The connection was lost, or the body is shorter than its declared length.
  return 'status' in error && error.status === 400 ? bodyError('must be complete') : error;
}

const maxDiscardMs = 2000;

/**
 * Discards the rest of the body for a limited time. Otherwise a client that is still sending would lose the connection.
 */
function discardRest({ req }: AppContext, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    if (req.complete || req.destroyed) resolve();
    let left = bytes;
    const timer = setTimeout(resolve, maxDiscardMs);
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
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
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws AppError VALIDATION_ERROR if the bytes are not valid UTF-8. They are not replaced. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw bodyError('must be valid UTF-8');
  }
}
