// Token counts of log messages in the encoding o200k_base. Counting is the most expensive step of
// ingest, and log lines repeat words. So a line is split at positions that no token can cross, and
// the counts of short parts are cached.
import { createPartCounter, type PartCounter } from './count-part-tokens.ts';
import { createWordCounter } from './count-word-tokens.ts';
import type { TokenRanks } from './token-ranks.ts';

/**
 * In UTF-16 code units. The cost model defines that longer runs are split, and their parts counted
 * one by one.
 */
const maxRunLength = 256;

/**
 * Counts the tokens of a text; 0 for an empty text. Text that looks like a special token is
 * ordinary text. The time is linear in the length of the text, because the length of words is bounded.
 */
export type TokenCounter = (text: string) => number;

export function createTokenCounter(ranks: TokenRanks): TokenCounter {
  keepStringMethodsFast();
  const countPart = createPartCounter(createWordCounter(ranks));
  return (text) => {
    if (text.length <= maxRunLength) return countPiece(text, countPart);
    let tokens = 0;
    let start = 0;
    for (const cut of findCuts(text)) {
      tokens += countPiece(text.slice(start, cut), countPart);
      start = cut;
    }
    return tokens + countPiece(text.slice(start), countPart);
  };
}

/**
 * Gives `String.prototype` fast properties in V8, for the whole process. `class … extends String`, as
 * in the Redis client, takes them away, and counting tokens takes twice as long then.
 */
function keepStringMethodsFast(): void {
  // V8 restores them before the first name, so the loop needs no iteration.
  for (const _name in Object('')) break;
}

/** Multiplies tokens by a model's multiplier in hundredths (118 for 1.18), and rounds up. */
export function scaleTokens(tokens: number, multiplierHundredths: number): number {
  return Math.floor((tokens * multiplierHundredths + 99) / 100);
}

/**
 * Finds positions to cut a text at, so that no run of white space or of other characters exceeds
 * `maxRunLength`.
 */
function findCuts(text: string): number[] {
  const cuts: number[] = [];
  let start = 0;
  let inSpace = false;
  for (let i = 0; i < text.length; i += 1) {
    const space = isRunSpace(text.charCodeAt(i));
    if (space !== inSpace) {
      inSpace = space;
      start = i;
    } else if (i - start === maxRunLength) {
      start = splitsSurrogatePair(text, i) ? i - 1 : i;
      cuts.push(start);
    }
  }
  return cuts;
}

/** The white space that ends a run. The encoding knows further white space. */
function isRunSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0xfeff;
}

function splitsSurrogatePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

const other = 0;
const space = 1;
const digit = 2;
const visible = 3;
/** The kind of every ASCII character. All other characters are `other`. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 0x20) return space;
  if (code >= 0x30 && code <= 0x39) return digit;
  return code > 0x20 && code < 0x7f ? visible : other;
});

/**
 * Counts a text without long runs, part by part. The encoding first splits a text into words, and
 * no word crosses these borders: from a visible ASCII character to a space; between an ASCII digit
 * and another visible ASCII character; and from a single space to a digit. The following character
 * affects a word only if the word is white space of two or more characters, and no border follows
 * such a word.
 */
function countPiece(text: string, countPart: PartCounter): number {
  const { length } = text;
  let tokens = 0;
  let start = 0;
  let before = other;
  let onlyDigits = true;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (kinds[code] ?? other) : other;
    if (kind !== before && i > start) {
      const isBorder =
        kind === space
          ? before !== other
          : kind === digit
            ? before === visible || (before === space && i - start === 1)
            : kind === visible && before === digit;
      if (isBorder) {
        if (onlyDigits) tokens += countDigitTokens(i - start);
        // Most parts are a single ASCII character, which is one token.
        else tokens += i - start === 1 && before !== other ? 1 : countPart(text, start, i);
        start = i;
        onlyDigits = true;
      }
    }
    if (kind !== digit) onlyDigits = false;
    before = kind;
  }
  if (start === length) return tokens;
  return tokens + (onlyDigits ? countDigitTokens(length - start) : countPart(text, start, length));
}

/**
 * The encoding splits digits into groups of three from the left, and has a token for every number
 * of up to three digits.
 */
function countDigitTokens(digits: number): number {
  return Math.ceil(digits / 3);
}
