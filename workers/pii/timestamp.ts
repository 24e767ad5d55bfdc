// Finds the end of a timestamp. Most log entries have one, and its digits are no number that a
// scheme has, so the scan passes it as a whole.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { canContinueRun } from './group-boundaries.ts';
import type { ScannedText } from './scanned-text.ts';

const { CONNECTORS, codeAt, unitAt } = characterClasses;
const { BEYOND_ASCII, BLANK, COLON, COMMA, DIGIT_0, DIGIT_9, DOT, HYPHEN, PLUS, UPPER_T, UPPER_Z } = codes;

/** The offsets of the parts of `2026-11-26T10:15:32`. */
export const YEAR_END = 4;
const MONTH_END = 7;
const TIME_START = 10;
const HOUR_END = 13;
const MINUTE_END = 16;
const SECOND_END = 19;
const MAX_FRACTION_LENGTH = 9;
const MILLISECONDS_LENGTH = 3;

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

function areTwoDigits(text: ScannedText, at: number): boolean {
  return at + 1 < text.length && isDigit(unitAt(text, at)) && isDigit(unitAt(text, at + 1));
}

/**
 * The end of the timestamp at `start`, `2026-11-26T10:15:32.123+02:00`; 0 if there is none, or if
 * what follows it can continue its last group.
 */
export function findTimestampEnd(text: ScannedText, start: number): number {
  // These reject most numbers that are read.
  if (start + SECOND_END > text.length) return 0;
  if (unitAt(text, start + YEAR_END) !== HYPHEN || unitAt(text, start + MONTH_END) !== HYPHEN) return 0;
  const beforeTime = unitAt(text, start + TIME_START);
  if (beforeTime !== UPPER_T && beforeTime !== BLANK) return 0;
  if (unitAt(text, start + HOUR_END) !== COLON || unitAt(text, start + MINUTE_END) !== COLON) return 0;
  if (!areTwoDigits(text, start) || !areTwoDigits(text, start + 2)) return 0;
  for (let at = start + YEAR_END + 1; at < start + SECOND_END; at += 3) if (!areTwoDigits(text, at)) return 0;
  const end = findZoneEnd(text, findFractionEnd(text, start + SECOND_END));
  if (end >= text.length) return end;
  const right = unitAt(text, end);
  if (right === BLANK) return canContinueRun(text, end + 1) ? 0 : end;
  return right < BEYOND_ASCII && CONNECTORS[right] === 0 ? end : 0;
}

/**
 * The end of the fraction of a second at `start`; `start` without one. Digits after a comma can
 * also be the next field of a list, so only milliseconds are a fraction.
 */
function findFractionEnd(text: ScannedText, start: number): number {
  const point = codeAt(text, start);
  if (point !== DOT && point !== COMMA) return start;
  const maxLength = point === DOT ? MAX_FRACTION_LENGTH : MILLISECONDS_LENGTH;
  const bound = Math.min(text.length, start + 1 + maxLength);
  let end = start + 1;
  while (end < bound && isDigit(unitAt(text, end))) end++;
  return end - start - 1 === 0 || isDigit(codeAt(text, end)) ? start : end;
}

/** The end of the zone at `start`, `Z`, `+0200` or `+02:00`; `start` without a zone. */
function findZoneEnd(text: ScannedText, start: number): number {
  const sign = codeAt(text, start);
  if (sign === UPPER_Z) return start + 1;
  if ((sign !== PLUS && sign !== HYPHEN) || !areTwoDigits(text, start + 1)) return start;
  const minutes = codeAt(text, start + 3) === COLON ? start + 4 : start + 3;
  return areTwoDigits(text, minutes) ? minutes + 2 : start;
}
