import type { LineTimes } from './line-times.ts';

/** How the lines of a stack trace begin that follow the first one. */
const continuation = /^(?:[ \t]|Caused by:|Suppressed:|\.\.\. \d{1,9} |--- End of )/;

/** Whether a line belongs to the entry before it by its form. */
export const isContinuation = (line: string): boolean => continuation.test(line);

/** Lines that show whether the entries of a text begin with a time. */
const maxSample = 1_000;

/**
 * Whether the entries of a text begin with a time, so that other lines belong to the entry before
 * them. A text that begins with one needs few, because an entry can have a hundred lines. Otherwise
 * one in eight: in a text without times, some lines mention one.
 * @param lines that are not blank, in order.
 */
export function beginWithTimes(lines: Iterable<string>, times: LineTimes): boolean {
  let [sample, timed, isFirstTimed] = [0, 0, false];
  for (const line of lines) {
    if (isContinuation(line)) continue;
    const isTimed = times.read(line) !== undefined;
    if (sample === 0) isFirstTimed = isTimed;
    if (isTimed) timed += 1;
    sample += 1;
    if (sample === maxSample) break;
  }
  return timed > 0 && timed * (isFirstTimed ? 128 : 8) >= sample;
}
