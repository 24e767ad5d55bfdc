import { pipeline } from 'node:stream/promises';
import { type Connection, mongo } from 'mongoose';
import { type FileId, FileMissing, type FileStore, portionBytes, readInPortions } from './file-store.ts';

/** Four of them are a portion that is read at once. */
const chunkSizeBytes = portionBytes / 4;

/** Files in MongoDB. @param bucketName the beginning of the names of two collections. */
export function createGridfsStore(connection: Connection, bucketName: string): FileStore {
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
    put: async (id, bytes, signal) => {
      try {
        await pipeline(bytes, bucket.openUploadStreamWithId(id, String(id)), { signal });
      } catch (error) {
        await remove(id);
        throw error;
      }
    },
    // A stream of the driver would hold up to 16 MiB for a client that reads slowly.
    read: (id, range) =>
      readInPortions(range, async (portion) => {
        try {
          return (await bucket.openDownloadStream(id, portion).toArray()) as Uint8Array[];
        } catch (error) {
          throw isMissing(error)
            ? new FileMissing(`${bucketName} has no file ${String(id)}.`, { cause: error })
            : error;
        }
      }),
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

/** Whether the file or a part of it does not exist. */
const isMissing = (error: unknown) =>
  error instanceof mongo.MongoGridFSChunkError || (error as { code?: unknown }).code === 'ENOENT';
