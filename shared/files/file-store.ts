import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Connection, mongo } from 'mongoose';

/** Its first bytes are the time at which it was created. */
export type FileId = mongo.ObjectId;

export type FileStore = ReturnType<typeof createFileStore>;

export interface StoredFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface ByteRange {
  start: number;
  end: number;
}

export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** Read at once, so that a client that reads slowly occupies no more memory. */
const portionBytes = 1024 * 1024;
/** Four of them are a portion. */
const chunkSizeBytes = portionBytes / 4;

/** Files of one kind, in GridFS. @param bucketName begins the names of two collections. */
export function createFileStore(connection: Connection, bucketName: string) {
  const { db } = connection;
  if (db === undefined) throw new Error('The connection to MongoDB is not open.');
  const bucket = new mongo.GridFSBucket(db, { bucketName, chunkSizeBytes });
  const chunks = db.collection<{ files_id: FileId; n: number }>(`${bucketName}.chunks`);

  /** Removes a file, or what was written of it. */
  const remove = async (id: FileId): Promise<void> => {
    await db.collection(`${bucketName}.files`).deleteOne({ _id: id });
    await chunks.deleteMany({ files_id: id });
  };

  /** A stream of the driver would hold up to 16 MiB for a client that reads slowly. */
  const readPortion = async (id: FileId, range: ByteRange) => {
    try {
      return (await bucket.openDownloadStream(id, range).toArray()) as Uint8Array[];
    } catch (error) {
      throw isMissing(error) ? new FileMissing(`${bucketName} has no file ${String(id)}.`, { cause: error }) : error;
    }
  };

  return {
    remove,
    /** Stores a file. If it fails, removes the written part, unless the database is unreachable. */
    put: async (id: FileId, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredFile> => {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      const measured = async function* () {
        for await (const chunk of bytes) {
          hash.update(chunk);
          sizeBytes += chunk.length;
          yield chunk;
        }
      };
      try {
        await pipeline(measured(), bucket.openUploadStreamWithId(id, String(id)), { signal });
      } catch (error) {
        await remove(id);
        throw error;
      }
      return { sizeBytes, sha256: hash.digest('hex') };
    },
    /**
     * Opens the bytes from `start` up to and without `end`, and reads the first of them. The stream
     * fails if the file is removed before its end. @throws FileMissing
     */
    read: async (id: FileId, { start, end }: ByteRange): Promise<Readable> => {
      const read = (from: number) => readPortion(id, { start: from, end: Math.min(end, endOfPortion(from)) });
      const first = start < end ? await read(start) : [];
      const bytes = async function* () {
        yield* first;
        for (let from = endOfPortion(start); from < end; from = endOfPortion(from)) yield* await read(from);
      };
      return Readable.from(bytes(), { objectMode: false });
    },
    /** The ids of all files in ascending order, which is that of their times. */
    listIds: async function* (): AsyncGenerator<FileId> {
      let after: FileId | undefined;
      for (;;) {
        // The index of GridFS has all fields of this query. A file has at least one chunk, so every
        // file is found.
        const next = await chunks.findOne(after === undefined ? {} : { files_id: { $gt: after } }, {
          projection: { _id: 0, files_id: 1 },
          sort: { files_id: 1, n: 1 },
        });
        if (next === null) return;
        after = next.files_id;
        yield after;
      }
    },
  };
}

const endOfPortion = (from: number) => (Math.floor(from / portionBytes) + 1) * portionBytes;

const isMissing = (error: unknown) =>
  error instanceof mongo.MongoGridFSChunkError || (error as { code?: unknown }).code === 'ENOENT';
