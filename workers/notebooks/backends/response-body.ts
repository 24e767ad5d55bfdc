import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { UpstreamError } from './upstream-error.ts';

// Reads the bodies of a backend's responses without ever holding more than their limit.

const mebibyte = 1024 * 1024;

/**
 * Reads the body of a response, chunk by chunk. The unread rest is discarded with the
 * connection.
 */
export type BodyReader<T> = (body: AsyncIterable<Buffer>) => Promise<T>;

const decompressors: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Passes the unpacked body of a response to a reader. The connection is closed unless the body was
 * read to its end.
 * @param maxBytes counts unpacked bytes.
 * @throws UpstreamError when the body is longer or not of the encoding that it names, and whatever
 * the reader throws.
 */
export async function readBody<T>(response: IncomingMessage, maxBytes: number, read: BodyReader<T>): Promise<T> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const decompress = decompressors[encoding];
  try {
    if (!decompress && encoding !== 'identity') {
      throw new UpstreamError({ reason: 'its response has an unknown encoding', retryable: false });
    }
    // A packed body that is longer than the limit is longer still when it is unpacked.
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    // The callback form: both streams end together, also when the reader stops before the end.
    const body = decompress ? pipeline(response, decompress(), () => {}) : response;
    return await read(limitBytes(body as AsyncIterable<Buffer>, maxBytes));
  } catch (error) {
    if (isDecompressionError(error)) {
      throw new UpstreamError({ reason: 'its response is not of its encoding', retryable: false, cause: error });
    }
    throw error;
  } finally {
    if (!response.complete) response.destroy();
  }
}

async function* limitBytes(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Collects a body as text. */
export const readText: BodyReader<string> = async (body) => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** The beginning of a body as text, up to `maxBytes` and the rest of a chunk. */
export const readBeginning =
  (maxBytes: number): BodyReader<string> =>
  async (body) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
    return Buffer.concat(chunks).toString('utf8');
  };

function tooLarge(maxBytes: number): UpstreamError {
  return new UpstreamError({ reason: `its response is larger than ${maxBytes / mebibyte} MiB`, retryable: false });
}

function isDecompressionError(error: unknown): boolean {
  return ['Z_', 'ERR__ERROR_'].some((prefix) => (error as NodeJS.ErrnoException | null)?.code?.startsWith(prefix));
}
