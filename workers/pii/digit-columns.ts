// Recognizes cards that can be groups of a hex dump, or counters in columns.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { hexValue } from './hexadecimal.ts';
import { hasDigitNeighbour } from './number-surroundings.ts';
import { matchCard } from './payment-card.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt, DIGIT, unitAt, wordClassOrZero } = characterClasses;
const { BLANK, COLON, DIGIT_0 } = codes;

const CARD_LENGTH = 16;
const CARD_GROUP_LENGTH = 4;
const GROUPS_PER_CARD = 4;
/**
 * The lengths of a group of digits that can be a part of the same value as the card next to it.
 */
const CARD_NEIGHBOUR = { min: 4, max: 7 };
/** Expiry date and security code are at most two groups, so three groups are columns. */
const MIN_COLUMNS = 3;
const MAX_COLUMN_LENGTH = 20;
const MAX_OFFSET_DISTANCE = 64;
/**
 * The offset of a line of a hex dump, `00000010: ` or `0x0010`, which has 16 bytes. Other groups of
 * the line can precede the number if the offset ends in a colon.
 */
const DUMP_OFFSET = /(?:^|\s)0[\dxX][\dA-Fa-f]*0(?::?\s{1,2}|:\s{1,2}(?:[\dA-Fa-f]{4}\s){1,7})$/u;

/** Whether the card can be groups of a hex dump or counters in columns, so it needs a keyword. */
export function isInDigitColumns(number: Candidate): boolean {
  if (followsDumpOffset(number)) return true;
  if (!number.shape.hasBlanks) return false;
  return (hasDigitNeighbour(number, CARD_NEIGHBOUR) || isFollowedByColumns(number)) && !isFollowedByCard(number);
}

function followsDumpOffset({ text, start }: Candidate): boolean {
  if (codeAt(text, start - 1) !== BLANK) return false;
  const left = codeAt(text, start - 2);
  // An offset ends in a zero, and a group before the number has four digits.
  if (left !== COLON && left !== BLANK && left !== DIGIT_0 && !isHexGroup(text, start - 1)) return false;
  return DUMP_OFFSET.test(text.slice(Math.max(0, start - MAX_OFFSET_DISTANCE), start));
}

/** Whether the four characters before `end` are hexadecimal digits. */
function isHexGroup(text: ScannedText, end: number): boolean {
  for (let at = end - CARD_GROUP_LENGTH; at < end; at++) if (hexValue(codeAt(text, at)) < 0) return false;
  return true;
}

/** Whether a second card in groups of four follows. */
function isFollowedByCard({ text, end }: Candidate): boolean {
  const value = new Uint8Array(CARD_LENGTH);
  let at = end;
  for (let group = 0; group < GROUPS_PER_CARD; group++) {
    if (codeAt(text, at) !== BLANK) return false;
    for (let i = 0; i < CARD_GROUP_LENGTH; i++) {
      if (wordClassOrZero(text, at + 1 + i) !== DIGIT) return false;
      value[group * CARD_GROUP_LENGTH + i] = unitAt(text, at + 1 + i) - DIGIT_0;
    }
    at += CARD_GROUP_LENGTH + 1;
  }
  return wordClassOrZero(text, at) === 0 && matchCard(value, CARD_LENGTH, true) !== undefined;
}

/** Whether several groups of digits follow, each after one blank or two. */
function isFollowedByColumns({ text, end }: Candidate): boolean {
  let columns = 0;
  let at = end;
  while (columns < MIN_COLUMNS && codeAt(text, at) === BLANK) {
    const start = codeAt(text, at + 1) === BLANK ? at + 2 : at + 1;
    at = start;
    while (at - start < MAX_COLUMN_LENGTH && wordClassOrZero(text, at) === DIGIT) at++;
    if (at === start || (at < text.length && unitAt(text, at) !== BLANK)) break;
    columns++;
  }
  return columns === MIN_COLUMNS;
}
