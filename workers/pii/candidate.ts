import type { NumberShape } from './number-shapes.ts';
import type { OwnKey } from './own-key.ts';
import type { ScannedText } from './scanned-text.ts';
import type { TextKeyword } from './text-keywords.ts';

/** A number of a known shape that can be personal data: text[start, end). */
export interface Candidate {
  readonly text: ScannedText;
  readonly shape: NumberShape;
  readonly start: number;
  readonly end: number;
  /**
   * The keyword that directly precedes the number, `pesel44051401359`, `ssn_123456789`, or is in
   * the name of its column.
   */
  readonly gluedKeyword: TextKeyword | undefined;
  /** The end of the previous finding. */
  readonly lastFindingEnd: number;
  /** The name of its column, or of its field, far before it, without a keyword. */
  readonly column: OwnKey | undefined;
}

/** Whether the number has no separators. */
export function hasOneGroup({ shape }: Candidate): boolean {
  return shape.groups.length === 1;
}

/** Whether the number has neither separators nor letters. */
export function isBareDigits({ shape }: Candidate): boolean {
  return shape.groups.length === 1 && !shape.hasLetters;
}

/** The minimum length of digits with a check letter that have no other form than bare digits. */
const MIN_LENGTH_BEFORE_CHECK_LETTER = 15;

/** Whether the number has digits only, and possibly a check letter after many of them. */
export function isDigitsAndCheck(number: Candidate): boolean {
  const { text, shape, start, end } = number;
  if (!hasOneGroup(number)) return false;
  if (!shape.hasLetters) return true;
  return shape.length >= MIN_LENGTH_BEFORE_CHECK_LETTER && /^\d+$/u.test(text.slice(start, end - 1));
}
