// The active seconds of an hour as they are stored: runs of seconds as gaps and lengths, of which
// an hour that is always active has one; or all bits, where the runs would be longer.
import type { SequenceReader, SequenceWriter } from './byte-sequence.ts';
import { type ActiveSeconds, activeSecondsWords } from './level-count.ts';
import { pooledWords } from './pooled-words.ts';

const secondsPerHour = 3_600;
const wordBits = 32;
/** The bits of all seconds, the lowest first. */
const storedBytes = secondsPerHour / 8;
/** In place of the number of runs, plus 1. */
const allBits = 0;
/** A run takes two bytes, and 28 gaps and lengths of an hour at the most a third one. */
const maxRuns = 210;

export function noSeconds(): ActiveSeconds {
  return new Int32Array(activeSecondsWords);
}

export function allSeconds(): ActiveSeconds {
  const seconds = noSeconds();
  addRun(seconds, 0, secondsPerHour);
  return seconds;
}

/** Adds a second of the hour, 0 to 3,599. */
export function addSecond(seconds: ActiveSeconds, second: number): void {
  seconds[second >> 5] = (seconds[second >> 5] as number) | (1 << (second & 31));
}

/** Adds the seconds of `more`. */
export function addSeconds(seconds: ActiveSeconds, more: ActiveSeconds): void {
  for (let at = 0; at < activeSecondsWords; at += 1) seconds[at] = (seconds[at] as number) | (more[at] as number);
}

/** Writes at most 451 bytes; 3 or 4 for one second, 4 for all of them. */
export function writeSeconds(writer: SequenceWriter, seconds: ActiveSeconds): void {
  const ends = endsOf(seconds);
  if (ends === undefined) {
    writer.integer(allBits);
    writer.bytes(bitsOf(seconds));
    return;
  }
  writer.integer(ends.length / 2 + 1);
  let before = 0;
  for (const end of ends) {
    writer.integer(end - before);
    before = end;
  }
}

/**
 * The result shares its memory with others.
 * @throws RangeError if the bytes are damaged.
 */
export function readSeconds(reader: SequenceReader): ActiveSeconds {
  const tag = reader.small();
  const seconds = pooledWords();
  if (tag === allBits) {
    setBits(seconds, reader.bytes(storedBytes));
    return seconds;
  }
  let end = 0;
  for (let run = 1; run < tag; run += 1) {
    const start = end + reader.small();
    end = start + reader.small();
    if (end > secondsPerHour) throw new RangeError('The seconds of an hour are damaged.');
    addRun(seconds, start, end);
  }
  return seconds;
}

/**
 * The seconds at which gaps and runs end, in turn.
 * @returns undefined if there are too many.
 */
function endsOf(seconds: ActiveSeconds): number[] | undefined {
  const ends: number[] = [];
  let before = 0;
  for (let at = 0; at < activeSecondsWords; at += 1) {
    const word = seconds[at] as number;
    // The bits that differ from the bit before them, from the lowest one on. The bits after the
    // hour are not set, so its last run ends too.
    let changes = word ^ ((word << 1) | before);
    for (; changes !== 0; changes &= changes - 1) ends.push(wordBits * at + 31 - Math.clz32(changes & -changes));
    before = word >>> 31;
    if (ends.length > 2 * maxRuns) return undefined;
  }
  return ends;
}

/** Adds the seconds from `start` up to `end`. */
function addRun(seconds: ActiveSeconds, start: number, end: number): void {
  for (let from = start; from < end; ) {
    const at = from >> 5;
    const to = Math.min(end, wordBits * (at + 1));
    // A shift by 32 is a shift by 0.
    const mask = (-1 >>> (wordBits - (to - from))) << (from & 31);
    seconds[at] = (seconds[at] as number) | mask;
    from = to;
  }
}

const wholeWords = storedBytes >> 2;

function bitsOf(seconds: ActiveSeconds): Uint8Array {
  const bytes = new Uint8Array(storedBytes);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < wholeWords; at += 1) view.setInt32(4 * at, seconds[at] as number, true);
  view.setInt16(4 * wholeWords, seconds[wholeWords] as number, true);
  return bytes;
}

function setBits(seconds: ActiveSeconds, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < wholeWords; at += 1) seconds[at] = view.getInt32(4 * at, true);
  seconds[wholeWords] = view.getUint16(4 * wholeWords, true);
}
