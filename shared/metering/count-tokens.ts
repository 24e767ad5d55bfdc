// Token counts of log messages in the encoding o200k_base. Counting is the most expensive step of
// ingest, and log lines repeat words. So a line is split at positions that no token can cross, and
// the counts of short parts are cached.

import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { findRank, type TokenRanks } from './token-ranks.ts';

/** UTF-16 code units. The cost model defines that parts of longer runs count one by one. */
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

/** Where to cut a text, so that no run of white space or others exceeds `maxRunLength`. */
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

/** The encoding splits digits into threes from the left, and has a token for each. */
function countDigitTokens(digits: number): number {
  return Math.ceil(digits / 3);
}

// Log lines repeat words, so the counts of short parts are cached, in arrays: a map would need a
// string for every part, which takes longer to make and to look up than the part takes to be read.

/** Number of cached parts, a power of two. A part has one slot, and replaces an earlier one. */
const slotCount = 2 ** 15;
/** Code units of a cached part. A longer one is usually an id, which does not occur again. */
const slotLength = 64;
/** Slots hold ASCII only. */
const maxCode = 0x7f;

/** Counts the tokens of `text[start, end)`, which are whole words. */
export type PartCounter = (text: string, start: number, end: number) => number;

/** @param countTokens counts the tokens of a text. */
export function createPartCounter(countTokens: (text: string) => number): PartCounter {
  const codes = new Uint8Array(slotCount * slotLength);
  /** 0 for a free slot. */
  const lengths = new Uint8Array(slotCount);
  const counts = new Uint8Array(slotCount);

  const isCached = (slot: number, text: string, start: number, length: number) => {
    if (lengths[slot] !== length) return false;
    const first = slot * slotLength;
    for (let at = 0; at < length; at += 1) {
      if (codes[first + at] !== text.charCodeAt(start + at)) return false;
    }
    return true;
  };

  return (text, start, end) => {
    const length = end - start;
    const slot = length <= slotLength ? slotOf(text, start, end) : -1;
    if (slot < 0) return countTokens(text.slice(start, end));
    if (isCached(slot, text, start, length)) return counts[slot] as number;
    const tokens = countTokens(text.slice(start, end));
    const first = slot * slotLength;
    for (let at = 0; at < length; at += 1) codes[first + at] = text.charCodeAt(start + at);
    lengths[slot] = length;
    // At most one per code unit.
    counts[slot] = tokens;
    return tokens;
  };
}

/** The slot of a part, from its FNV-1a hash. @returns -1 for a part that is not cached. */
function slotOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > maxCode) return -1;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (slotCount - 1);
}

/** Matches the words of a text. No token crosses the border of a word. */
const wordPattern = O200K_TOKEN_SPLIT_REGEX;

/** The rank of two tokens that do not merge, which is above all others. */
const noRank = 0x7fffffff;
/** The time is quadratic in the length of a word; only odd white space makes longer ones. */
const maxWordBytes = 1024;

/** Creates a function that counts the tokens of a text of whole words. */
export function createWordCounter(ranks: TokenRanks): (text: string) => number {
  let bytes = Buffer.alloc(0);
  /** Where each token of the word begins, and the end of the word. */
  const starts = new Uint16Array(maxWordBytes + 1);
  /** The rank of the pair that begins with each token. */
  const pairRanks = new Int32Array(maxWordBytes);

  const rankOf = (from: number, to: number) => {
    const rank = to - from > ranks.maxBytes ? -1 : findRank(ranks, bytes, from, to);
    return rank === -1 ? noRank : rank;
  };

  /** Merges the pair of the lowest rank, the leftmost one of several, until no pair is a token. */
  function countPiece(from: number, to: number): number {
    if (rankOf(from, to) !== noRank) return 1;
    let count = to - from;
    const rankPair = (at: number) => {
      pairRanks[at] =
        at + 2 > count ? noRank : rankOf(from + (starts[at] as number), from + (starts[at + 2] as number));
    };
    for (let at = 0; at <= count; at += 1) starts[at] = at;
    for (let at = 0; at < count; at += 1) rankPair(at);
    for (;;) {
      let lowest = noRank;
      let merged = -1;
      for (let at = 0; at < count; at += 1) {
        const rank = pairRanks[at] as number;
        if (rank < lowest) [lowest, merged] = [rank, at];
      }
      if (merged === -1) return count;
      starts.copyWithin(merged + 1, merged + 2, count + 1);
      pairRanks.copyWithin(merged + 1, merged + 2, count);
      count -= 1;
      rankPair(merged);
      if (merged > 0) rankPair(merged - 1);
    }
  }

  return (text) => {
    let tokens = 0;
    for (const word of text.match(wordPattern) ?? []) {
      // A UTF-16 code unit takes up to three bytes in UTF-8.
      if (bytes.length < 3 * word.length) bytes = Buffer.alloc(3 * word.length);
      const length = bytes.write(word);
      for (let start = 0; start < length; start += maxWordBytes) {
        tokens += countPiece(start, Math.min(start + maxWordBytes, length));
      }
    }
    return tokens;
  };
}
