import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { decryptByAny, encrypt, encryptionBytes } from '../crypto/encryption.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import type { EntryUsageReport } from './model-usage/read-model-usage.ts';

/** An entry after validation by the API. Aliases and time formats of the sender are converted. */
export interface LogEntryInput {
  /** Position in the request. Default: that in its batch. */
  index?: number | undefined;
  message: string;
  /** Milliseconds since the epoch. Default: the time of receipt. */
  timestamp?: number;
  source?: string;
  level?: string;
  /** The size of its attributes, which are not stored. */
  attributeBytes?: number;
  usage?: EntryUsageReport;
  /** Whether the entry reports a usage that is not understood. */
  usageUnread?: boolean;
  /** The record without its message, in JSON that can be cut off: it is only scanned. */
  fields?: string;
  /** The same of the resource and the scope, which many entries share. */
  originFields?: string;
  /** Where the message is a part of the record in JSON: the path of that part, '' of the record. */
  messagePath?: string;
}

export interface BatchToStore {
  /** Milliseconds since the epoch. */
  receivedAt: number;
  entries: readonly LogEntryInput[];
}

/** An entry as it is processed. */
export interface AcceptedEntry extends Omit<LogEntryInput, 'originFields'> {
  index: number;
  timestamp: number;
  /** Whether the entry has a time of its own. */
  timed: boolean;
  /** The position of its `originFields` in `origins`. */
  origin?: number;
}

export interface AcceptedBatch {
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** Absent: entries have no `origin`. */
  origins?: readonly string[];
  entries: AcceptedEntry[];
}

/** Compresses and encrypts a batch, which can be opened under its id only. */
export async function encryptBatch(key: Buffer, batch: BatchToStore, batchId: string): Promise<Buffer> {
  return encrypt(key, await pack(await serialize(batch)), batchId);
}

/** Bytes of a short batch, unpacked: at worst, it is processed in less than a slice. */
export const shortBytes = 24 * 1024;

export const undecryptable =
  'The entries are encrypted with another secret, or damaged; set SERVICE_SECRET or SERVICE_SECRET_PREVIOUS of all workers to that of the web process which accepted them.';

/** By its message, because an error from a thread has no class. */
export const isUndecryptable = (error: unknown) => error instanceof Error && error.message === undecryptable;

/** @returns null for a batch that is not short. @throws Error `undecryptable` */
export function openShortBatch(
  keys: readonly Uint8Array[],
  encrypted: Uint8Array,
  batchId: string,
): AcceptedBatch | null {
  if (encrypted.length > shortBytes + encryptionBytes) return null;
  const content = open(keys, encrypted, batchId);
  return unpackedBytes(content) > shortBytes ? null : parseBatch(content);
}

/** Takes milliseconds, so it is called in a thread. @throws Error `undecryptable` */
export function openBatch(keys: readonly Uint8Array[], encrypted: Uint8Array, batchId: string): AcceptedBatch {
  return parseBatch(open(keys, encrypted, batchId));
}

function open(keys: readonly Uint8Array[], encrypted: Uint8Array, batchId: string): Buffer {
  try {
    return decryptByAny(keys, encrypted, batchId);
  } catch (error) {
    throw new Error(undecryptable, { cause: error });
  }
}

/** Without defaults. The fields of entries follow, since JSON would escape them. */
interface SerializedBatch {
  receivedAt: number;
  origins?: string[];
  items: SerializedEntry[];
}

type SerializedEntry = Omit<LogEntryInput, 'fields' | 'originFields'> & Pick<AcceptedEntry, 'origin'>;

/** No JSON contains this character. */
const separator = '\0';

function parseBatch(content: Buffer): AcceptedBatch {
  const serialized = unpack(content);
  const end = serialized.indexOf(separator);
  const json = end === -1 ? serialized : serialized.subarray(0, end);
  const { receivedAt, origins, items } = JSON.parse(json.toString()) as SerializedBatch;
  const fields = end === -1 ? [] : serialized.toString('utf8', end + 1).split(separator);
  const entries = items as (SerializedEntry & Pick<AcceptedEntry, 'timed' | 'fields'>)[];
  for (const [at, entry] of entries.entries()) {
    entry.index ??= at;
    entry.timed = entry.timestamp !== undefined;
    entry.timestamp ??= receivedAt;
    const ofEntry = fields[at];
    if (ofEntry) entry.fields = ofEntry;
  }
  return { receivedAt, ...(origins && { origins }), entries: entries as AcceptedEntry[] };
}

/** Characters that are serialized at once: entry by entry, short ones take twice as long. */
const portionLength = 32 * 1024;
const portionEntries = 100;
const comma = ','.charCodeAt(0);

async function serialize({ receivedAt, entries }: BatchToStore): Promise<Buffer> {
  const { items, origins, fields } = divideEntries(entries);
  const shared = origins.length > 0 ? `"origins":${JSON.stringify(origins)},` : '';
  return Buffer.concat([
    Buffer.from(`{"receivedAt":${receivedAt},${shared}"items":[`),
    ...(await serializeEntries(items)),
    Buffer.from(']}'),
    Buffer.from(fields === null ? '' : separator + fields.join(separator)),
  ]);
}

/** Separates entries from their fields, and from those that they share. */
function divideEntries(entries: readonly LogEntryInput[]) {
  // Most entries have none, and copies take long.
  const hasFields = (entry: LogEntryInput) => entry.fields !== undefined || entry.originFields !== undefined;
  if (!entries.some(hasFields)) return { items: entries as readonly SerializedEntry[], origins: [], fields: null };
  const origins = new Map<string, number>();
  const items = entries.map((entry): SerializedEntry => {
    if (!hasFields(entry)) return entry;
    const { fields: _, originFields, ...item } = entry;
    if (originFields === undefined) return item;
    const origin = origins.get(originFields) ?? origins.size;
    origins.set(originFields, origin);
    return { ...item, origin };
  });
  return { items, origins: [...origins.keys()], fields: entries.map(({ fields = '' }) => fields) };
}

/** @returns the items of a list in JSON. */
async function serializeEntries(entries: readonly SerializedEntry[]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let start = 0, end = 0; start < entries.length; start = end) {
    const last = Math.min(start + portionEntries, entries.length);
    for (let length = 0; end < last && length < portionLength; end += 1) length += entries[end]?.message.length ?? 0;
    if (isSliceOver()) await nextSlice();
    // Without the brackets of its list. Texts put together would be copied once more.
    const portion = Buffer.from(JSON.stringify(entries.slice(start, end)));
    portion[portion.length - 1] = comma;
    pieces.push(portion.subarray(1, end === entries.length ? -1 : undefined));
  }
  return pieces;
}

/** Shorter content is not compressed: that would take longer than to process it. */
const minPackedBytes = 2 * 1024;
/** Content that is compressed in a millisecond, and faster than a thread takes it over. */
const quickBytes = 384 * 1024;
/** Compressed content begins with this byte, unlike JSON, and with its unpacked length. */
const packedMark = 1;
const packedHeadBytes = 1 + 4;

/** By Brotli's lowest quality: a fourth of gzip's time, and it saves as much space. */
async function pack(content: Buffer): Promise<Buffer> {
  if (content.length <= minPackedBytes) return content;
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  };
  const head = Buffer.alloc(packedHeadBytes);
  head.writeUInt8(packedMark);
  head.writeUInt32BE(content.length, 1);
  if (isSliceOver()) await nextSlice();
  const packed =
    content.length <= quickBytes
      ? brotliCompressSync(content, options)
      : await promisify(brotliCompress)(content, options);
  return Buffer.concat([head, packed]);
}

function unpack(content: Buffer): Buffer {
  return isPacked(content) ? brotliDecompressSync(content.subarray(packedHeadBytes)) : content;
}

const unpackedBytes = (content: Buffer) => (isPacked(content) ? content.readUInt32BE(1) : content.length);

const isPacked = (content: Buffer) => content[0] === packedMark;
