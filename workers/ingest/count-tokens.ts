// Token counts of log messages, o200k_base. Counting is the dearest step of ingest, and log lines repeat their words,
// so a line is taken apart where no token can reach across, and the counts of its parts are kept.
import { countTokens as countWhole, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';

/** Text that looks like a special token is ordinary text. */
const asOrdinaryText = { disallowedSpecial: new Set<string>() };

/** Byte-pair encoding is quadratic in an unbroken run, so longer ones are cut; in UTF-16 code units. */
const longestRun = 256;

// Counts are kept here. The library's own memory of words would keep alive the messages they were cut from.
setMergeCacheSize(0);
// Two generations: what was not asked for while one filled up goes with it, so words that come again and again stay
// and ids that come once do not push them out.
const keptPerGeneration = 30_000;
const longestKept = 32;
let kept = new Map<string, number>();
let keptBefore = new Map<string, number>();

/** The number of tokens of a text; 0 for an empty one. Linear in its length, whatever it holds. */
export function countTokens(text: string): number {
  if (text.length <= longestRun) return countPiece(text);
  let tokens = 0;
  let start = 0;
  for (const cut of cutsInLongRuns(text)) {
    tokens += countPiece(text.slice(start, cut));
    start = cut;
  }
  return tokens + countPiece(text.slice(start));
}

/** Tokens times a model's multiplier, which is given in hundredths (118 for 1.18), up to the next whole token. */
export function scaleTokens(tokens: number, multiplierHundredths: number): number {
  return Math.floor((tokens * multiplierHundredths + 99) / 100);
}

/** Where to cut so that no run of white space, and no run of anything else, is longer than `longestRun`. */
function cutsInLongRuns(text: string): number[] {
  const cuts: number[] = [];
  let start = 0;
  let inSpace = false;
  for (let i = 0; i < text.length; i += 1) {
    const space = isRunSpace(text.charCodeAt(i));
    if (space !== inSpace) {
      inSpace = space;
      start = i;
    } else if (i - start === longestRun) {
      start = splitsPair(text, i) ? i - 1 : i;
      cuts.push(start);
    }
  }
  return cuts;
}

/** White space as the rule for long runs lists it; the encoding knows more kinds. */
function isRunSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0xfeff;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

const other = 0;
const space = 1;
const digit = 2;
const visible = 3;
/** The kind of every ASCII character; what lies beyond is `other`. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 0x20) return space;
  if (code >= 0x30 && code <= 0x39) return digit;
  return code > 0x20 && code < 0x7f ? visible : other;
});

/**
 * Counts a text without long runs, part by part. The encoding first splits a text into words, and no word reaches
 * across these borders: from a visible ASCII character to a space; between an ASCII digit and another visible ASCII
 * character, either way; and from a single space to a digit. What a word becomes depends on what follows it only for
 * two or more characters of white space, and no border lies behind those.
 */
function countPiece(text: string): number {
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
        tokens += onlyDigits ? digitTokens(i - start) : countPart(text.slice(start, i));
        start = i;
        onlyDigits = true;
      }
    }
    if (kind !== digit) onlyDigits = false;
    before = kind;
  }
  if (start === length) return tokens;
  return tokens + (onlyDigits ? digitTokens(length - start) : countPart(text.slice(start)));
}

/** The encoding takes digits in threes from the left, and has a token for every number of one to three digits. */
function digitTokens(digits: number): number {
  return Math.ceil(digits / 3);
}

function countPart(part: string): number {
  const known = kept.get(part);
  if (known !== undefined) return known;
  const tokens = keptBefore.get(part) ?? countWhole(part, asOrdinaryText);
  if (part.length <= longestKept) keep(part, tokens);
  return tokens;
}

function keep(part: string, tokens: number): void {
  if (kept.size === keptPerGeneration) {
    keptBefore = kept;
    kept = new Map();
  }
  kept.set(copyOf(part), tokens);
}

/** A part cut from a message would keep the whole message alive; a copy does not. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
