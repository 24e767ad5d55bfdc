import { mongo } from 'mongoose';
import { unavailable } from '../errors.ts';
import { FileMissing, type FileStore, readInPortions } from './file-store.ts';
import { readElement, readElements, type S3Client, S3Error } from './s3-client.ts';

/**
 * Bytes in memory while a file is written. S3 accepts 10,000 parts, which are 80 GiB; each but the
 * last has at least 5 MiB.
 */
const partBytes = 8 * 1024 * 1024;

/** @param folder the beginning of the keys, which ends with `/`. */
export function createS3Store(client: S3Client, folder: string): FileStore {
  const send: S3Client = (method, key, options) =>
    client(method, key, options).catch((error: unknown) => {
      options?.signal?.throwIfAborted();
      throw storeError(error);
    });
  const keyOf = (id: mongo.ObjectId) => folder + id.toHexString();

  const putParts = async (key: string, parts: AsyncIterable<Buffer<ArrayBuffer>>, signal: AbortSignal) => {
    const { body } = await send('POST', key, { query: { uploads: '' }, signal });
    const uploadId = readElement(body.toString(), 'UploadId') ?? '';
    try {
      const listed: string[] = [];
      for await (const part of parts) {
        const number = String(listed.length + 1);
        const { headers } = await send('PUT', key, { query: { partNumber: number, uploadId }, body: part, signal });
        listed.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('ETag')}</ETag></Part>`);
      }
      const complete = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
      await send('POST', key, { query: { uploadId }, body: complete, signal }).catch(async (error: unknown) => {
        // If the reply of the first attempt was lost, the second one fails, but the object exists.
        await send('GET', key, { headers: { Range: 'bytes=0-1' }, signal }).catch(() => {
          throw error;
        });
      });
    } catch (error) {
      // An abandoned upload occupies the bucket; docs/deploying.md has a rule against it.
      await send('DELETE', key, { query: { uploadId } }).catch(() => {});
      throw error;
    }
  };

  return {
    put: async (id, bytes, signal) => {
      const parts = inParts(bytes);
      const { value: first = Buffer.alloc(0) } = await parts.next();
      signal.throwIfAborted();
      if (first.length < partBytes) await send('PUT', keyOf(id), { body: first, signal });
      else await putParts(keyOf(id), startingWith(first, parts), signal);
    },
    read: (id, range) =>
      readInPortions(range, async ({ start, end }) => {
        const { body } = await send('GET', keyOf(id), { headers: { Range: `bytes=${start}-${end - 1}` } });
        return [body];
      }),
    remove: async (id) => {
      await send('DELETE', keyOf(id));
    },
    listIds: async function* () {
      for (let token: string | undefined; ; ) {
        const query = {
          'list-type': '2',
          prefix: folder,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        };
        const page = (await send('GET', '', { query })).body.toString();
        for (const key of readElements(page, 'Key')) {
          const name = key.slice(folder.length);
          // Others can have put files of their own into the bucket.
          if (/^[0-9a-f]{24}$/.test(name)) yield mongo.ObjectId.createFromHexString(name);
        }
        token = readElement(page, 'NextContinuationToken');
        // Some stores end with an empty one.
        if (!token) return;
      }
    },
  };
}

/** Joins bytes into buffers of `partBytes`; only the last is shorter. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer<ArrayBuffer>, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length < partBytes) continue;
    const joined = Buffer.concat(pieces);
    let start = 0;
    for (; joined.length - start >= partBytes; start += partBytes) yield joined.subarray(start, start + partBytes);
    pieces = [joined.subarray(start)];
    length = joined.length - start;
  }
  if (length > 0) yield Buffer.concat(pieces);
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/**
 * All but a missing object is temporary for a request and a job: an outage, a limit, credentials
 * that are being replaced.
 */
export function storeError(error: unknown): Error {
  if (error instanceof S3Error && error.code === 'NoSuchKey') return new FileMissing(error.message, { cause: error });
  return unavailable('The store of files does not respond; send the request again later.', 5, error);
}
