// The tokens of the encoding o200k_base, in arrays that threads share: 5 MiB for all threads, where
// a map of strings needs 30 MiB for each. The list is the one of tiktoken, which gpt-tokenizer
// contains.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Tokens by their bytes. The rank of a token is its position in the list, and its id. */
export interface TokenRanks {
  /** The bytes of all tokens, in the order of their ranks. */
  readonly bytes: Uint8Array;
  /** Where the bytes of each rank end. */
  readonly ends: Uint32Array;
  /** A hash table with open addressing, 2^n slots: a rank plus 1, or 0 if it is free. */
  readonly slots: Uint32Array;
  /** Length of the longest token in bytes. */
  readonly maxBytes: number;
}

const newline = 0x0a;
const blank = 0x20;

/** The list of the package: a line per token, with its bytes in base64, a blank, its rank. */
const readList = () => readFileSync(createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken'));

/** Reads the list. The arrays have shared memory, so threads that receive them do not copy them. */
export function readTokenRanks(list = readList()): TokenRanks {
  const bytes = Buffer.alloc(list.length);
  const ends: number[] = [];
  let length = 0;
  let maxBytes = 0;
  for (let start = 0; start < list.length; ) {
    const end = list.indexOf(newline, start);
    const encoded = list.toString('latin1', start, list.indexOf(blank, start));
    const written = bytes.write(encoded, length, 'base64');
    length += written;
    maxBytes = Math.max(maxBytes, written);
    ends.push(length);
    start = end < 0 ? list.length : end + 1;
  }
  const ranks: TokenRanks = {
    bytes: share(bytes.subarray(0, length)),
    ends: new Uint32Array(new SharedArrayBuffer(4 * ends.length)),
    slots: new Uint32Array(new SharedArrayBuffer(4 * tableSize(ends.length))),
    maxBytes,
  };
  ranks.ends.set(ends);
  for (let rank = 0; rank < ends.length; rank += 1) {
    const slot = findSlot(ranks, ranks.bytes, startOf(ranks, rank), endOf(ranks, rank));
    ranks.slots[slot] = rank + 1;
  }
  return ranks;
}

/** The rank of `bytes[from, to)`; -1 if they are not a token. */
export function findRank(ranks: TokenRanks, bytes: Uint8Array, from: number, to: number): number {
  return (ranks.slots[findSlot(ranks, bytes, from, to)] as number) - 1;
}

/** The slot of `bytes[from, to)`, or the free slot where they belong. */
function findSlot(ranks: TokenRanks, bytes: Uint8Array, from: number, to: number): number {
  const { slots } = ranks;
  const mask = slots.length - 1;
  let slot = hash(bytes, from, to) & mask;
  for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
    if (equals(ranks, entry - 1, bytes, from, to)) return slot;
    slot = (slot + 1) & mask;
  }
  return slot;
}

function equals(ranks: TokenRanks, rank: number, bytes: Uint8Array, from: number, to: number): boolean {
  const start = startOf(ranks, rank);
  const length = to - from;
  if (endOf(ranks, rank) - start !== length) return false;
  for (let at = 0; at < length; at += 1) if (ranks.bytes[start + at] !== bytes[from + at]) return false;
  return true;
}

const startOf = ({ ends }: TokenRanks, rank: number) => (rank === 0 ? 0 : (ends[rank - 1] as number));
const endOf = ({ ends }: TokenRanks, rank: number) => ends[rank] as number;

/** FNV-1a, and its high bits mixed into the low ones. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ (bytes[at] as number), 0x01000193);
  return value ^ (value >>> 15);
}

/** A power of two, more than twice the number of tokens. */
const tableSize = (tokens: number) => 2 ** Math.ceil(Math.log2(2 * tokens));

function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
