import type { CodeUnits } from './characters.ts';
import { isQuotedPrintable } from './normalize-text.ts';
import type { NumberShape } from './number-shapes.ts';
import { readKeywords, type TextKeyword } from './text-keywords.ts';

/** A text with its keywords, which are read when the first number needs them. */
export class ScannedText {
  readonly text: string;
  readonly units: CodeUnits;
  #isQuotedPrintable: boolean | undefined;
  #keywords: readonly TextKeyword[] | undefined;

  constructor(text: string, units: CodeUnits) {
    this.text = text;
    this.units = units;
  }

  /** Whether the text shows that it is in quoted-printable. */
  get isQuotedPrintable(): boolean {
    this.#isQuotedPrintable ??= isQuotedPrintable(this.text);
    return this.#isQuotedPrintable;
  }

  get keywords(): readonly TextKeyword[] {
    this.#keywords ??= readKeywords(this.text, this.units);
    return this.#keywords;
  }
}

/** A number of a known shape that can be personal data: text[start, end). */
export interface Candidate {
  readonly scanned: ScannedText;
  readonly text: string;
  readonly shape: NumberShape;
  readonly start: number;
  readonly end: number;
  /** The keyword that directly precedes the number: `pesel44051401359`, `ssn_123456789`. */
  readonly glued: TextKeyword | undefined;
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
