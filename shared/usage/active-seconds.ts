// The active seconds of an hour as they are stored: runs of seconds as gaps and lengths, of which an
// hour that is always active has one; or all bits, where the runs would be longer.
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
  const runs = runsOf(seconds);
  if (runs === undefined) {
    writer.integer(allBits);
    writer.bytes(seconds);
    return;
  }
  writer.integer(runs.length + 1);
  let end = 0;
  for (const run of runs) {
    writer.integer(run.start - end);
    writer.integer(run.end - run.start);
    end = run.end;
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

/** @returns undefined if there are too many. */
function runsOf(seconds: ActiveSeconds): { start: number; end: number }[] | undefined {
  const runs: { start: number; end: number }[] = [];
  let start: number | undefined;
  for (let at = 0; at < activeSecondsBytes; at += 1) {
    const byte = seconds[at] as number;
    // Most bytes continue what was before.
    if (byte === (start === undefined ? 0 : 0xff)) continue;
    for (let bit = 0; bit < 8; bit += 1) {
      const isActive = (byte & (1 << bit)) !== 0;
      if (isActive === (start !== undefined)) continue;
      const second = 8 * at + bit;
      if (start === undefined) start = second;
      else {
        runs.push({ start, end: second });
        start = undefined;
      }
    }
  }
  if (start !== undefined) runs.push({ start, end: secondsPerHour });
  return runs.length > maxRuns ? undefined : runs;
}

function addRun(seconds: ActiveSeconds, start: number, end: number): void {
  let second = start;
  while (second < end) {
    const isWholeByte = (second & 7) === 0 && end - second >= 8;
    if (isWholeByte) seconds[second >> 3] = 0xff;
    else addSecond(seconds, second);
    second += isWholeByte ? 8 : 1;
  }
}
