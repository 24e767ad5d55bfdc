import { promisify } from 'node:util';
import { constants, gunzipSync, gzip, gzipSync } from 'node:zlib';
import { isSliceOver, nextSlice } from '../runtime/time-slices.ts';
import { openSealed, seal, sealedBytes } from './sealed.ts';

/** An entry after validation by the API. Aliases and time formats of the sender are converted. */
export interface SpooledEntry {
  /** Position in the request. */
  index: number;
  message: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  source?: string;
  level?: string;
  attributes?: Record<string, string | number | boolean>;
  /** Bytes of attributes that are not sent on, in addition to those of `attributes`. */
  attributeBytes?: number;
  usage?: {
    function_duration_ms?: number;
    function_memory_mb?: number;
    input_tokens?: number;
    output_tokens?: number;
    model?: string;
  };
}

export interface SpooledBatch {
  /** Milliseconds since the epoch. */
  receivedAt: number;
  entries: SpooledEntry[];
}

/** Compresses and encrypts a batch. The batch id is authenticated with it, so that it cannot be opened under another id. */
export async function sealBatch(key: Buffer, batch: SpooledBatch, batchId: string): Promise<Buffer> {
  return seal(key, await compress(await serialize(batch)), batchId);
}

/** @returns null for a batch that is not short. @throws Error as `openSealed` does. */
export function openShortBatch(key: Buffer, sealed: Buffer, batchId: string): SpooledBatch | null {
  if (sealed.length > shortBytes + sealedBytes) return null;
  const content = openSealed(key, sealed, batchId);
  // What is compressed can be of any length.
  return isCompressed(content) ? null : parseBatch(content);
}

/** Takes milliseconds for a large batch, so it is called in a thread. @throws Error as `openSealed` does. */
export function openSpooledBatch(key: Buffer, sealed: Buffer, batchId: string): SpooledBatch {
  const content = openSealed(key, sealed, batchId);
  // Short batches are not compressed.
  return parseBatch(isCompressed(content) ? gunzipSync(content) : content);
}

const parseBatch = (text: Buffer) => JSON.parse(text.toString()) as SpooledBatch;

/** What is serialized at once: entry by entry, short ones take twice as long. */
const portionLength = 32 * 1024;
const portionEntries = 100;

async function serialize({ receivedAt, entries }: SpooledBatch): Promise<string> {
  const portions: string[] = [];
  for (let start = 0, end = 0; start < entries.length; start = end) {
    const last = Math.min(start + portionEntries, entries.length);
    for (let length = 0; end < last && length < portionLength; end += 1) length += entries[end]?.message.length ?? 0;
    if (isSliceOver()) await nextSlice();
    portions.push(JSON.stringify(entries.slice(start, end)).slice(1, -1));
  }
  return `{"receivedAt":${receivedAt},"entries":[${portions.join(',')}]}`;
}

/** Bytes of a short batch. To compress it would take longer than to process it. */
const shortBytes = 2 * 1024;
/** A text that is compressed faster than a thread takes it over. */
const quickLength = 4 * 1024;
/** The lowest level saves most of the space. */
const compression = { level: constants.Z_BEST_SPEED };

/** On the threads of the platform, so that the event loop continues. */
const compress = async (text: string) => {
  if (Buffer.byteLength(text) <= shortBytes) return Buffer.from(text);
  return text.length < quickLength ? gzipSync(text, compression) : promisify(gzip)(text, compression);
};

/** JSON does not start with these bytes. */
const isCompressed = (content: Buffer) => content[0] === 0x1f && content[1] === 0x8b;
