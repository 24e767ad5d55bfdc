import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SourceError, type SourceFile } from './price-point.ts';

export const isAddress = (location: string): boolean => /^https?:\/\//i.test(location);

/**
 * Is called after each chunk of a file.
 * @param read the bytes so far.
 * @param total the bytes of the whole file; null if unknown.
 */
export type OnProgress = (name: string, read: number, total: number | null) => void;

/** Opens a file or an address. Reading begins when the caller iterates over the bytes. */
export function openFile(location: string, onProgress: OnProgress): SourceFile {
  return {
    name: location,
    bytes: isAddress(location) ? download(location, onProgress) : readFile(location, onProgress),
  };
}

async function* readFile(path: string, onProgress: OnProgress): AsyncGenerator<Uint8Array> {
  try {
    const { size } = await stat(path);
    yield* counted(path, size, createReadStream(path), onProgress);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* download(address: string, onProgress: OnProgress): AsyncGenerator<Uint8Array> {
  try {
    const response = await fetch(address);
    if (!response.ok || response.body === null) throw new Error(`the server responds with ${response.status}`);
    // The length of a compressed response is not that of the bytes that are read.
    const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
    yield* counted(address, length === null ? null : Number(length), response.body, onProgress);
  } catch (error) {
    throw unreadable(address, error);
  }
}

async function* counted(
  name: string,
  total: number | null,
  bytes: AsyncIterable<Uint8Array>,
  onProgress: OnProgress,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    onProgress(name, read, total);
    yield chunk;
  }
}

function unreadable(name: string, error: unknown): SourceError {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new SourceError(name, `the file cannot be read: ${reason}`, { cause: error });
}
