import { buffer } from 'node:stream/consumers';
import { mongo } from 'mongoose';
import type { Config } from '../config/config.ts';
import { deleteDocument } from '../connections/delete-document.ts';
import { isDuplicateKey } from '../connections/mongo.ts';
import { minute, second } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { type FileId, FileMissing, type FileStores } from '../files/file-store.ts';
import type { IngestEntriesPayload } from './ingest-entries.queue.ts';
import { createKnownUsage, type KnownUsage, noUsage } from './overflow-usage.ts';
import { notQueued, type OverflowedBatch, type OverflowedBatchModel } from './overflowed-batch.model.ts';
import { type BatchToSpool, encryptBatch } from './spooled-batch.ts';

/**
 * The batches that Redis has no capacity for, in the store of files. The file is written first, and
 * a row with the batch's id (`overflowed-batch.model.ts`) makes it an accepted batch. The row stays
 * until the entries count, so a batch is not lost with its job, and counts once however often the
 * job is added: a second delivery finds the usage record.
 *
 * An owner has at most half of the limit. Its batches overflow too while earlier ones have waited
 * for some seconds, so that they are processed in order, roughly.
 */
export interface IngestOverflow {
  readonly usage: KnownUsage;
  /** Whether further batches of the owner are not to overtake those that have overflowed. */
  holdsBack(owner: string | undefined): boolean;
  /**
   * Whether a further batch of the owner would be refused. For a second after a refusal, it is
   * assumed that the next batches are as large.
   * @returns the limit that it would exceed.
   */
  findFullLimit(owner: string | undefined): Promise<OverflowLimit | null>;
  /**
   * Stores the batches of a request, all or none.
   * @returns the limit that they would exceed; null if they are stored.
   * @throws AppError SERVICE_UNAVAILABLE while the store does not respond.
   */
  write(batches: readonly BatchToOverflow[], owner: string | undefined): Promise<OverflowLimit | null>;
  /**
   * @returns null if the batch has not overflowed.
   * @throws AppError SERVICE_UNAVAILABLE if its file is in a store that this process does not use.
   */
  read(batchId: string): Promise<OverflowedFile | null>;
  /**
   * Removes a batch. The file stays if it is in another store, whose purge removes it.
   * @param fileId if given, a batch that was accepted again since, with another file, stays.
   */
  remove(batchId: string, fileId?: FileId): Promise<void>;
}

interface OverflowedFile {
  fileId: FileId;
  /** For `openSpooledBatch`; null if the file is lost. */
  encrypted: Buffer | null;
}

interface BatchToOverflow {
  job: IngestEntriesPayload;
  batch: BatchToSpool;
}

/** The whole limit, or the owner's share of it. */
type OverflowLimit = 'overflow' | 'share';

/**
 * The least that a batch counts against the limits. It bounds the number of batches: 4 GiB have at
 * most 262,144.
 */
const leastCharge = 16 * 1024;
/** How long an owner's batches have waited before its further ones are held back. */
const holdBackAfter = 5 * second;
/** A file is accepted within this time of its id, or not at all. */
const acceptWithin = 30 * minute;
/** The owner of batches that count for no caller. */
const noOwner = '';
/** Files of a request that are written at the same time. */
const putsAtOnce = 8;

export function createIngestOverflow(deps: {
  model: OverflowedBatchModel;
  files: Pick<FileStores, 'name' | 'overflow'>;
  key: Buffer;
  config: { ingest: Pick<Config['ingest'], 'maxOverflowBytes'> };
}): IngestOverflow {
  const { model, key } = deps;
  const { name: store, overflow: files } = deps.files;
  const limit = deps.config.ingest.maxOverflowBytes;
  const usage = createKnownUsage(model);
  const refusals = createRefusals();

  const findLimit = async (owner: string, bytes: number): Promise<OverflowLimit | null> => {
    const all = await usage.read();
    if (all.bytes + bytes > limit) return 'overflow';
    const own = all.owners.get(owner) ?? noUsage();
    return own.batches > 0 && own.bytes + bytes > limit / 2 ? 'share' : null;
  };

  return {
    usage,
    holdsBack: (owner = noOwner) =>
      limit > 0 && Date.now() - (usage.known().owners.get(owner) ?? noUsage()).oldest > holdBackAfter,
    findFullLimit: async (owner = noOwner) =>
      limit === 0 ? 'overflow' : (refusals.find(owner) ?? (await findLimit(owner, leastCharge))),
    write: async (batches, owner = noOwner) => {
      if (limit === 0) return 'overflow';
      const encrypted: Buffer[] = [];
      for (const { job, batch } of batches) encrypted.push(await encryptBatch(key, batch, job.batchId));
      const charges = encrypted.map(({ length }) => Math.max(length, leastCharge));
      const exceeded = await findLimit(
        owner,
        charges.reduce((sum, charge) => sum + charge, 0),
      );
      if (exceeded) {
        refusals.add(owner, exceeded);
        return exceeded;
      }
      const begunAt = Date.now();
      const fileIds = await putAll(files, encrypted);
      const rows = rowsOf(batches, { encrypted, charges, fileIds, owner, store });
      await accept(rows, model, files);
      // The purge can have removed the files of a process that was frozen.
      if (Date.now() - begunAt > acceptWithin) {
        // Another attempt can have accepted them with files of its own.
        await model.deleteMany({ fileId: { $in: fileIds } });
        throw unavailable('The log entries could not be stored in time; send them again.', 5);
      }
      for (const { chargedBytes } of rows) usage.add(owner, chargedBytes);
      return null;
    },
    read: async (batchId) => {
      const row = await model.findById(batchId, { fileId: 1, store: 1, sizeBytes: 1 }).lean<OverflowedBatch>();
      if (!row) return null;
      const { fileId, sizeBytes } = row;
      if (row.store !== store) {
        throw unavailable(
          `The entries are in the store ${row.store}, and REPORT_STORE of this worker is ${store}; start a worker with the former.`,
          5,
        );
      }
      try {
        return { fileId, encrypted: await buffer(await files.read(fileId, { start: 0, end: sizeBytes })) };
      } catch (error) {
        if (error instanceof FileMissing) return { fileId, encrypted: null };
        throw error;
      }
    },
    remove: async (batchId, fileId) => {
      const row = await deleteDocument(model, { _id: batchId, ...(fileId ? { fileId } : {}) });
      if (row?.store === store) await removeFiles(files, [row.fileId]);
    },
  };
}

type Files = FileStores['overflow'];

/** @returns the id of the file of each batch. If one cannot be written, none stays. */
async function putAll(files: Files, encrypted: readonly Buffer[]): Promise<FileId[]> {
  const ids = encrypted.map(() => new mongo.ObjectId());
  const put = async (bytes: Buffer, index: number) =>
    files.put(ids[index] as FileId, onePiece(bytes), new AbortController().signal);
  for (let start = 0; start < encrypted.length; start += putsAtOnce) {
    const portion = encrypted.slice(start, start + putsAtOnce);
    const puts = await Promise.allSettled(portion.map((bytes, index) => put(bytes, start + index)));
    const refused = puts.find(({ status }) => status === 'rejected');
    if (!refused) continue;
    await removeFiles(files, ids.slice(0, start + putsAtOnce));
    throw (refused as PromiseRejectedResult).reason;
  }
  return ids;
}

function rowsOf(
  batches: readonly BatchToOverflow[],
  {
    encrypted,
    charges,
    fileIds,
    ...common
  }: Pick<OverflowedBatch, 'owner' | 'store'> & {
    encrypted: readonly Buffer[];
    charges: readonly number[];
    fileIds: readonly FileId[];
  },
): OverflowedBatch[] {
  const createdAt = new Date();
  return batches.map(({ job: { batchId, scenarioId, requestId, count } }, index) => {
    const sizeBytes = encrypted[index]?.length ?? 0;
    const chargedBytes = charges[index] ?? 0;
    const data = { scenarioId, requestId, count, ...common, fileId: fileIds[index] as FileId, sizeBytes, chargedBytes };
    return { _id: batchId, ...data, createdAt, queuedAt: notQueued };
  });
}

/** Inserts the rows, except those of batches that another attempt has accepted. */
async function accept(rows: readonly OverflowedBatch[], model: OverflowedBatchModel, files: Files): Promise<void> {
  try {
    await model.collection.insertMany(rows as never, { ordered: false });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const fileIds = rows.map(({ fileId }) => fileId);
    const found = await model.find({ fileId: { $in: fileIds } }, { fileId: 1 }).lean<OverflowedBatch[]>();
    const named = new Set(found.map(({ fileId }) => String(fileId)));
    await removeFiles(
      files,
      fileIds.filter((id) => !named.has(String(id))),
    );
  }
}

/** Succeeds in any case: the purge removes files that are left. */
async function removeFiles(files: Files, ids: readonly FileId[]): Promise<void> {
  await Promise.allSettled(ids.map((id) => files.remove(id)));
}

const refusalLasts = 1 * second;
const manyRefusals = 1000;

/** The owners whose batches were refused in the last second. */
function createRefusals() {
  const refusals = new Map<string, { limit: OverflowLimit; at: number }>();
  return {
    find: (owner: string): OverflowLimit | null => {
      const refusal = refusals.get(owner);
      if (!refusal) return null;
      if (performance.now() - refusal.at < refusalLasts) return refusal.limit;
      refusals.delete(owner);
      return null;
    },
    add: (owner: string, limit: OverflowLimit): void => {
      if (refusals.size >= manyRefusals) refusals.clear();
      refusals.set(owner, { limit, at: performance.now() });
    },
  };
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
