import { type ActiveSeconds, activeSecondsWords } from './level-count.ts';
import { pooledWords } from './pooled-words.ts';
import type { SecondsOfHour } from './stored-hour.ts';

const wholeWords = 112;
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
      if (listed.length === maxListed) return bitsOf(seconds);
      listed.push(32 * at + 31 - Math.clz32(rest & -rest));
    }
  }
  return listed;
}

/** The result shares its memory with others. */
export function readSeconds(stored: SecondsOfHour): ActiveSeconds {
  const seconds = pooledWords();
  if (!(stored instanceof Uint8Array)) {
    for (const second of stored) addSecond(seconds, second);
    return seconds;
  }
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length);
  for (let at = 0; at < wholeWords; at += 1) seconds[at] = view.getInt32(4 * at, true);
  seconds[wholeWords] = view.getUint16(4 * wholeWords, true);
  return seconds;
}

function bitsOf(seconds: ActiveSeconds): Uint8Array {
  const bytes = new Uint8Array(storedBytes);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < wholeWords; at += 1) view.setInt32(4 * at, seconds[at] as number, true);
  view.setInt16(4 * wholeWords, seconds[wholeWords] as number, true);
  return bytes;
}
