import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Connection, mongo } from 'mongoose';
import type { FileId } from './report.model.ts';

/** The files of reports, in GridFS, because web and worker share no disk. */
export interface ReportFiles {
  /** Stores a file. If it fails, the written part is removed. */
  write(id: FileId, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredFile>;
  /**
   * Reads the bytes from `start` up to and without `end`. The stream fails if the file is removed
   * before its end.
   */
  read(id: FileId, range: { start: number; end: number }): Readable;
  exists(id: FileId): Promise<boolean>;
  /** Removes a file, or what was written of it. */
  remove(id: FileId): Promise<void>;
  /** The ids of all files in ascending order, including those of which only a part was written. */
  listIds(): AsyncIterable<FileId>;
}

export interface StoredFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

const bucketName = 'report_files';
/**
 * Read by one query: 1 MiB. A stream of the driver would hold up to 16 MiB for a client that reads
 * slowly.
 */
const chunksPerQuery = 4;
const chunkSizeBytes = 256 * 1024;

export function createReportFiles(connection: Connection): ReportFiles {
  const { db } = connection;
  if (db === undefined) throw new Error('The connection to MongoDB is not open.');
  const bucket = new mongo.GridFSBucket(db, { bucketName, chunkSizeBytes });
  const chunks = db.collection<{ files_id: FileId; n: number }>(`${bucketName}.chunks`);

  const remove = async (id: FileId) => {
    await db.collection(`${bucketName}.files`).deleteOne({ _id: id });
    await chunks.deleteMany({ files_id: id });
  };

  return {
    remove,
    write: async (id, bytes, signal) => {
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
        await pipeline(measured, bucket.openUploadStreamWithId(id, String(id)), { signal });
      } catch (error) {
        await remove(id);
        throw error;
      }
      return { sizeBytes, sha256: hash.digest('hex') };
    },
    read: (id, { start, end }) => {
      const portion = chunksPerQuery * chunkSizeBytes;
      const read = async function* () {
        for (let from = start; from < end; ) {
          const to = Math.min(end, (Math.floor(from / portion) + 1) * portion);
          yield* bucket.openDownloadStream(id, { start: from, end: to });
          from = to;
        }
      };
      return Readable.from(read(), { objectMode: false });
    },
    exists: async (id) => (await bucket.find({ _id: id }, { projection: { _id: 1 }, limit: 1 }).next()) !== null,
    listIds: async function* () {
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
