import { AppError, validationError } from '../../shared/errors.ts';
import type { AppContext } from './context.ts';

/** What all bodies have in common: their encodings, their faults, and that text is UTF-8. */

const encodings = new Map([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  // Its name before it had one.
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/** US-ASCII is a part of UTF-8, and JSON names no character set at all. */
const charsets = ['', 'utf-8', 'utf8', 'us-ascii'];

export function bodyFault(error: string): AppError {
  return validationError([{ field: 'body', error }]);
}

/** The encoding of the body. @throws AppError UNSUPPORTED_MEDIA_TYPE */
export function encodingOf(ctx: AppContext): string {
  const encoding = encodings.get(ctx.get('Content-Encoding').trim().toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body may be sent plain, or compressed by gzip or deflate.');
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE where a body names another character set: its bytes would be misread. */
export function requireUtf8(ctx: AppContext): void {
  if (charsets.includes(ctx.request.charset.toLowerCase())) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent in UTF-8.');
}

/** What an error of reading or unpacking a body means to its sender; errors that have another cause come back as they are. */
export async function bodyError(error: unknown, ctx: AppContext, maxBytes: number): Promise<unknown> {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if ('type' in error && error.type === 'entity.too.large') {
    await discardRest(ctx, 8 * maxBytes);
    return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
      headers: { Connection: 'close' },
    });
  }
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')) {
    return bodyFault(`must be complete ${ctx.get('Content-Encoding')} data`);
  }
  // The request was cut off, or is shorter than it says; whoever sent it is gone.
  return 'status' in error && error.status === 400 ? bodyFault('must be complete') : error;
}

const longestWait = 2000;

/** A sender that is still sending would not see the answer before the connection breaks, so some more is taken in. */
function discardRest({ req }: AppContext, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    if (req.complete || req.destroyed) resolve();
    let left = bytes;
    const timer = setTimeout(resolve, longestWait);
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

/** @throws AppError VALIDATION_ERROR for bytes that are no UTF-8, rather than replacing them. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw bodyFault('must be valid UTF-8');
  }
}
