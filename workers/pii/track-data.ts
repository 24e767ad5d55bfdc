// Reads the magnetic stripe of a card (ISO/IEC 7813): the number, the name, the expiry date and
// further data. Track 1 is `%B4111111111111111^DOE/JOHN^2512…?`, track 2 is
// `;4111111111111111=2512…?`, and chips write track 2 as `4111111111111111D2512…F`.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { CLASSES, codeAt, DIGIT, WORD, wordClassOrZero } = characterClasses;
const { CARET, DOT, EQUALS, LOWER_D, PERCENT, SEMICOLON, UPPER_D } = codes;

const MIN_CARD_LENGTH = 13;
/** Longer than any track. */
const MAX_REST_LENGTH = 90;
const REST_OF_TRACK_1 = /^\^[^^\r\n]{2,26}\^(?:\d\d(?:0[1-9]|1[0-2])|\^)(?:[\w .-]*\?|\w*)/u;
const REST_OF_TRACK_2 = /^(?:=\d\d(?:0[1-9]|1[0-2])\d*\??|[Dd]\d\d(?:0[1-9]|1[0-2])\d*[Ff]?)(?!\w)/u;

/** A track at text[start, end), whose card number is text[cardStart, cardEnd). */
export interface Track {
  readonly start: number;
  readonly end: number;
  readonly cardStart: number;
  readonly cardEnd: number;
}

/**
 * Reads the track whose card number begins at `cardStart`. The track does not begin before
 * `minStart`.
 */
export function readTrack(text: ScannedText, cardStart: number, minStart: number): Track | undefined {
  let cardEnd = cardStart + 1;
  while (wordClassOrZero(text, cardEnd) === DIGIT) cardEnd++;
  // Most numbers are too short.
  if (cardEnd - cardStart < MIN_CARD_LENGTH) return undefined;
  const delimiter = codeAt(text, cardEnd);
  const isTrack1 = delimiter === CARET;
  if (!isTrack1 && delimiter !== EQUALS && delimiter !== UPPER_D && delimiter !== LOWER_D) return undefined;
  const pattern = isTrack1 ? REST_OF_TRACK_1 : REST_OF_TRACK_2;
  const rest = pattern.exec(text.slice(cardEnd, cardEnd + MAX_REST_LENGTH));
  if (rest === null) return undefined;
  const start = isTrack1 ? findStartOfTrack1(text, cardStart) : findStartOfTrack2(text, cardStart);
  return start < minStart ? undefined : { start, end: cardEnd + rest[0].length, cardStart, cardEnd };
}

/** The start of the format code `B` or of the sentinel before it; -1 without the format code. */
function findStartOfTrack1(text: ScannedText, cardStart: number): number {
  if (text.charAt(cardStart - 1).toUpperCase() !== 'B') return -1;
  const start = cardStart - 1;
  const left = codeAt(text, start - 1);
  if (left === PERCENT) return start - 1;
  return ((CLASSES[left] as number) & WORD) === 0 ? start : -1;
}

/** The start of the number or of the sentinel before it; -1 if the number is a part of a word. */
function findStartOfTrack2(text: ScannedText, cardStart: number): number {
  const left = codeAt(text, cardStart - 1);
  if (left === SEMICOLON) return cardStart - 1;
  return ((CLASSES[left] as number) & WORD) === 0 && left !== DOT ? cardStart : -1;
}
