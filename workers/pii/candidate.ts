import type { NumberShape } from './number-shapes.ts';
import type { TextKeyword } from './text-keywords.ts';

/** A number of a known shape that can be personal data: text[start, end). */
export interface Candidate {
  readonly text: string;
  readonly shape: NumberShape;
  readonly start: number;
  readonly end: number;
  /** The keyword that directly precedes the number: `pesel44051401359`, `ssn_123456789`. */
  readonly gluedKeyword: TextKeyword | undefined;
  /** The end of the previous finding. */
  readonly lastFindingEnd: number;
}

/** Whether the number has no separators. */
export function hasOneGroup({ shape }: Candidate): boolean {
  return shape.groups.length === 1;
}

/** Whether the number has neither separators nor letters. */
export function isBareDigits({ shape }: Candidate): boolean {
  return shape.groups.length === 1 && !shape.hasLetters;
}
