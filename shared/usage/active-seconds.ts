import type { SecondsOfHour } from './stored-hour.ts';

/**
 * Which of the 3,600 seconds of an hour had an entry: second s is bit `s & 31` of word `s >> 5`.
 * Words, because hours are merged and counted by the million; of a little-endian machine, because
 * their bytes are stored.
 */
export type ActiveSeconds = Int32Array;
/** The words of `ActiveSeconds`. */
export const activeSecondsWords = 113;
/** The bits of all seconds. */
const storedBytes = 450;
/** In a document, the number of a second takes about nine bytes. */
const maxListed = 50;

export function noSeconds(): ActiveSeconds {
  return new Int32Array(activeSecondsWords);
}

/** Adds a second of the hour, 0 to 3,599. */
export function addSecond(seconds: ActiveSeconds, second: number): void {
  seconds[second >> 5] = (seconds[second >> 5] as number) | (1 << (second & 31));
}

/** Adds the seconds of `more`. */
export function addSeconds(seconds: ActiveSeconds, more: ActiveSeconds): void {
  for (let at = 0; at < activeSecondsWords; at += 1) seconds[at] = (seconds[at] as number) | (more[at] as number);
}

/** The form in which the usage of a batch is stored. */
export function storeSeconds(seconds: ActiveSeconds): SecondsOfHour {
  const listed: number[] = [];
  for (let at = 0; at < activeSecondsWords; at += 1) {
    for (let rest = seconds[at] as number; rest !== 0; rest &= rest - 1) {
      if (listed.length === maxListed) return bytesOf(seconds);
      listed.push(32 * at + 31 - Math.clz32(rest & -rest));
    }
  }
  return listed;
}

/** The result shares its memory with others. */
export function readSeconds(stored: SecondsOfHour): ActiveSeconds {
  const seconds = pooledSeconds();
  if (stored instanceof Uint8Array) bytesOf(seconds).set(stored);
  else for (const second of stored) addSecond(seconds, second);
  return seconds;
}

/** The bits of the seconds, in the same memory. */
const bytesOf = (seconds: ActiveSeconds) => new Uint8Array(seconds.buffer, seconds.byteOffset, storedBytes);

/**
 * No seconds, in memory of the pool of Node.js: for arrays that are soon dropped. Memory of its own
 * takes longer to create and to free than an hour takes to read.
 */
export function pooledSeconds(): ActiveSeconds {
  const { buffer, byteOffset } = Buffer.allocUnsafe(4 * activeSecondsWords).fill(0);
  return new Int32Array(buffer, byteOffset, activeSecondsWords);
}
