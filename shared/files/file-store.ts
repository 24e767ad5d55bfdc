import { Readable } from 'node:stream';
import type { mongo } from 'mongoose';

/** Its first bytes are the time at which it was created. */
export type FileId = mongo.ObjectId;

/**
 * Files of one kind. All processes share them: in GridFS (`gridfs-store.ts`) or behind an S3 API
 * (`s3-store.ts`).
 */
export interface FileStore {
  /** Stores a file. If it fails, what was written is removed, unless the store is unreachable. */
  put(id: FileId, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /**
   * Opens the bytes from `start` up to and without `end`, and reads the first of them. The stream
   * fails if the file is removed before its end. @throws FileMissing
   */
  read(id: FileId, range: ByteRange): Promise<Readable>;
  /** Removes a file, or what was written of it. */
  remove(id: FileId): Promise<void>;
  /** The ids of all files in ascending order, which is that of their times. */
  listIds(): AsyncIterable<FileId>;
}

/** Where files are, as `REPORT_STORE` says. */
export interface FileStores {
  /** Identifies the store: `gridfs` or `s3://bucket/prefix/`. */
  name: string;
  reports: FileStore;
  /** Batches of log entries that do not fit into Redis. */
  overflow: FileStore;
  /** Fails while the store does not respond, or belongs to another installation. Writes nothing. */
  check: () => Promise<void>;
}

export interface ByteRange {
  start: number;
  end: number;
}

/** The store has no such file. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** Read at once, so that a client that reads slowly occupies no more memory. */
export const portionBytes = 1024 * 1024;

/** Reads a range by portions that end at multiples of `portionBytes`. */
export async function readInPortions(
  { start, end }: ByteRange,
  readPortion: (range: ByteRange) => Promise<readonly Uint8Array[]>,
): Promise<Readable> {
  const read = (from: number) => readPortion({ start: from, end: Math.min(end, endOfPortion(from)) });
  const first = start < end ? await read(start) : [];
  const bytes = async function* () {
    yield* first;
    for (let from = endOfPortion(start); from < end; from = endOfPortion(from)) yield* await read(from);
  };
  return Readable.from(bytes(), { objectMode: false });
}

const endOfPortion = (from: number) => (Math.floor(from / portionBytes) + 1) * portionBytes;
