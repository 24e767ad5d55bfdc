// The active seconds of an hour as they are stored: runs of seconds as gaps and lengths, of which
// an hour that is always active has one; or all bits, where the runs would be longer.
import type { SequenceReader, SequenceWriter } from './byte-sequence.ts';
import { type ActiveSeconds, activeSecondsBytes } from './level-count.ts';

const secondsPerHour = 3_600;
/** In place of the number of runs, plus 1. */
const allBits = 0;
/** A run takes two bytes, and 28 gaps and lengths of an hour at the most a third one. */
const maxRuns = 210;

/** Adds a second of the hour, 0 to 3,599. */
export function addSecond(seconds: ActiveSeconds, second: number): void {
  seconds[second >> 3] = (seconds[second >> 3] as number) | (1 << (second & 7));
}

/** Adds the seconds of `more`. */
export function addSeconds(seconds: ActiveSeconds, more: ActiveSeconds): void {
  for (let at = 0; at < activeSecondsBytes; at += 1) seconds[at] = (seconds[at] as number) | (more[at] as number);
}

/** Writes at most 451 bytes; 3 or 4 for one second, 4 for all of them. */
export function writeSeconds(writer: SequenceWriter, seconds: ActiveSeconds): void {
  const ends = endsOf(seconds);
  if (ends === undefined) {
    writer.integer(allBits);
    writer.bytes(seconds);
    return;
  }
  writer.integer(ends.length / 2 + 1);
  let before = 0;
  for (const end of ends) {
    writer.integer(end - before);
    before = end;
  }
}

/** @throws RangeError if the bytes are damaged. */
export function readSeconds(reader: SequenceReader): ActiveSeconds {
  const tag = reader.small();
  if (tag === allBits) return reader.bytes(activeSecondsBytes);
  const seconds = new Uint8Array(activeSecondsBytes);
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
  let isRun = false;
  for (let at = 0; at < activeSecondsBytes; at += 1) {
    const byte = seconds[at] as number;
    // The bits that differ from the bit before them, from the lowest one on.
    let changes = (byte ^ ((byte << 1) | Number(isRun))) & 0xff;
    for (; changes !== 0; changes &= changes - 1) ends.push(8 * at + 31 - Math.clz32(changes & -changes));
    isRun = byte >= 0x80;
    if (ends.length > 2 * maxRuns) return undefined;
  }
  if (isRun) ends.push(secondsPerHour);
  return ends.length > 2 * maxRuns ? undefined : ends;
}

/** Adds the seconds from `start` up to `end`. */
function addRun(seconds: ActiveSeconds, start: number, end: number): void {
  let second = start;
  while (second < end) {
    const isWholeByte = (second & 7) === 0 && end - second >= 8;
    if (isWholeByte) seconds[second >> 3] = 0xff;
    else addSecond(seconds, second);
    second += isWholeByte ? 8 : 1;
  }
}
