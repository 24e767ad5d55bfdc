// Decodes escapes, replaces Unicode variants by ASCII, composes decomposed characters and removes
// invisible characters. Maps the result back to the original offsets.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { Escape } from './escape.ts';
import { completesCharacter, INVISIBLE, normalizeCodeUnit } from './normalize-code-unit.ts';
import { isQuotedPrintable, readQuotedPrintable } from './quoted-printable.ts';
import { readEscape } from './read-escape.ts';
import type { ScannedText } from './scanned-text.ts';

const { CLASSES, codeAt, DIGIT, isTextWord, unitAt } = characterClasses;
const {
  AMPERSAND,
  BEYOND_ASCII,
  BLANK,
  CARRIAGE_RETURN,
  DIGIT_0,
  EQUALS,
  ESCAPE,
  LINE_FEED,
  MATHEMATICAL,
  PERCENT,
  TAB,
} = codes;

/** The low surrogates of mathematical digits: five alphabets of ten digits. */
const FIRST_MATHEMATICAL_DIGIT = 0xdfce;
const LAST_MATHEMATICAL_DIGIT = 0xdfff;

const CARD_GROUP_LENGTH = 4;
/** The blank after the first group of a card, whose blanks are not encoded. */
const REST_OF_CARD = /(?<=%20\d{4}) \d{4} \d{4} \d{4}(?!\d)/uy;

/** 1 for the characters that can begin an escape. */
const BEGINS_ESCAPE = new Uint8Array(BEYOND_ASCII);
for (const character of '%\\&=#^\u001b') BEGINS_ESCAPE[character.charCodeAt(0)] = 1;

/**
 * The normalized text. For each of its code units, `starts` and `ends` are the offsets in the
 * original text.
 */
interface NormalizedText {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Whether the character at `at`, which has the class `ENCODED`, changes when it is normalized. */
export function isEncoded(text: ScannedText, at: number): boolean {
  const code = unitAt(text, at);
  if (code === AMPERSAND || code === ESCAPE) return readEscape(text, at) !== undefined;
  if (code === LINE_FEED || code === CARRIAGE_RETURN) return codeAt(text, at - 1) === EQUALS;
  return true;
}

/** To allocate these takes longer than to normalize a line, so that all lines share them. */
const MAX_SHARED_LENGTH = 4096;
const SHARED_ARRAYS = createArrays(MAX_SHARED_LENGTH);

function createArrays(length: number): Pick<NormalizedText, 'starts' | 'ends'> & { readonly codes: Uint16Array } {
  return { codes: new Uint16Array(length), starts: new Int32Array(length), ends: new Int32Array(length) };
}

/**
 * Normalizes the whole text in one pass. The offsets are valid until the next text is normalized.
 */
export function normalizeText(original: ScannedText): NormalizedText {
  const isShort = original.length <= MAX_SHARED_LENGTH;
  const { codes, starts, ends } = isShort ? SHARED_ARRAYS : createArrays(original.length);
  const hasQuotedPrintable = isQuotedPrintable(original);
  /** Whether `at` is in or directly after a number with an encoded blank: `q=5769%205502`. */
  let followsUrlBlank = false;
  let length = 0;
  let at = 0;
  while (at < original.length) {
    const start = at;
    let code = unitAt(original, at++);
    if (code < BEYOND_ASCII) {
      const escape = BEGINS_ESCAPE[code] === 1 ? readEscapeAt(original, start, hasQuotedPrintable) : undefined;
      if (escape !== undefined) {
        code = escape.code;
        at = start + escape.length;
      }
    } else if (code === MATHEMATICAL) {
      const low = unitAt(original, at);
      if (low >= FIRST_MATHEMATICAL_DIGIT && low <= LAST_MATHEMATICAL_DIGIT) {
        code = DIGIT_0 + ((low - FIRST_MATHEMATICAL_DIGIT) % 10);
        at++;
      }
    }
    if (code >= BEYOND_ASCII) {
      const ascii = normalizeCodeUnit(code);
      if (ascii === INVISIBLE) continue;
      if (ascii > 0) code = ascii;
      else if (length > 0 && completesCharacter(code)) {
        const composed = String.fromCharCode(codes[length - 1] as number, code).normalize('NFC');
        if (composed.length === 1) {
          length--;
          code = composed.charCodeAt(0);
          codes[length] = code;
          ends[length++] = at;
          continue;
        }
      }
    }
    if (code !== BLANK) followsUrlBlank &&= isTextWord(code);
    else if (unitAt(original, start) === PERCENT) followsUrlBlank ||= CLASSES[codes[length - 1] as number] === DIGIT;
    else if (followsUrlBlank) {
      // A blank ends a URL, so it joins no groups: `?q=5769%205502%202844 200`. In
      // `5%204111 1111 1111 1111`, it joins those of a card.
      followsUrlBlank = false;
      REST_OF_CARD.lastIndex = start;
      if (REST_OF_CARD.test(original)) codes[length - CARD_GROUP_LENGTH - 1] = TAB;
      else code = TAB;
    }
    codes[length] = code;
    starts[length] = start;
    ends[length++] = at;
  }
  return { text: Buffer.from(codes.buffer, 0, length * 2).toString('utf16le'), starts, ends };
}

function readEscapeAt(text: ScannedText, at: number, hasQuotedPrintable: boolean): Escape | undefined {
  if (unitAt(text, at) !== EQUALS) return readEscape(text, at);
  return hasQuotedPrintable ? readQuotedPrintable(text, at) : undefined;
}
