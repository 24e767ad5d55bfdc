// Gives the label of a national id to the next values of its list: `pesel: 44051401359, 66…`.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { Finding } from './finding.ts';
import type { NumberShape } from './number-shapes.ts';
import type { ScannedText } from './scanned-text.ts';
import type { TextKeyword } from './text-keywords.ts';

const { codeAt, isQuoteOrBlank } = characterClasses;
const { BACKSLASH, COMMA, SEMICOLON } = codes;

/** The maximum number of characters between two values: `\", \"`. */
const MAX_GAP = 6;

/** The last national id of a text, which the next number can continue. */
export class ValueList {
  #text = '';
  #end = 0;
  #shape: NumberShape | undefined;
  #target = -1;

  /**
   * Called for each finding, with the target of its scheme; -1 for a scheme without check digits,
   * because any number of the same length would be a value.
   */
  remember({ text, shape }: Candidate, { end }: Finding, target: number): void {
    this.#shape = target < 0 ? undefined : shape;
    this.#target = target;
    this.#text = text;
    this.#end = end;
  }

  /** The keyword of the number, if it has the form of the last finding and continues its list. */
  keywordOf({ text, shape, start, lastFindingEnd }: Candidate): TextKeyword | undefined {
    if (shape !== this.#shape || lastFindingEnd !== this.#end || start - lastFindingEnd > MAX_GAP) return undefined;
    if (text !== this.#text || !isSeparator(text, lastFindingEnd, start)) return undefined;
    return { start, end: start, targets: [this.#target] };
  }
}

/** Whether a comma or a semicolon, with blanks and quotes at most, is in text[start, end). */
function isSeparator(text: ScannedText, start: number, end: number): boolean {
  let commas = 0;
  for (let at = start; at < end; at++) {
    const code = codeAt(text, at);
    if (code === COMMA || code === SEMICOLON) commas++;
    else if (!isQuoteOrBlank(code) && code !== BACKSLASH) return false;
  }
  return commas === 1;
}
