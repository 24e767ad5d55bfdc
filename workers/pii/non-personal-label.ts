// Labels of values that are not personal data: `order_id=`, `trace `, a unit after the number.
import { type Candidate, isBareDigits } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import {
  NON_PERSONAL_WORDS,
  NUMBERED_WORDS,
  REFERENCE_WORDS,
  STOP_WORDS,
  UNITS,
  WORDS_AFTER_ID,
  WORDS_IN_ID,
} from './non-personal-words.ts';
import type { NumberContext } from './number-context.ts';
import { findElementName, type OwnKey } from './own-key.ts';
import type { ScannedText } from './scanned-text.ts';
import { hashWord, hashWordAt } from './word-hash.ts';

const { codeAt, DIGIT, isLower, isQuoteOrBlank, isTextWord, isUpper, unitAt, wordClassAt } = characterClasses;
const {
  APOSTROPHE,
  BLANK,
  CASE_BIT,
  COMMA,
  CORNER_BRACKET,
  DOT,
  DOUBLE_QUOTE,
  HASH,
  HYPHEN,
  OPEN_BRACKET,
  OPEN_SQUARE,
  SEMICOLON,
  SLASH,
  TAB,
  UNDERSCORE_SIGN,
  VERTICAL_BAR,
} = codes;

/** A keyword within this distance names the number: `SSN 123…`, `ssn is 123…`. */
const NAMING_DISTANCE = 4;
const MAX_UNIT_LENGTH = 13;
const MAX_WORD_LENGTH = 40;
/** So many words without a meaning of their own can be before a number: `order id is`. */
const MAX_STOP_WORDS = 3;
/** The length of the key `number`. */
const NUMBER_KEY_LENGTH = 6;
const TYPE_FIELD = /["'](?:type|kind)["']\s?:\s?["'][\w-]{2,30}(["'],\s?["'])$/u;
const MAX_TYPE_FIELD_LENGTH = 48;
/** The maximum number of characters between a word and the number that it labels. */
const MAX_LABEL_GAP = 4;
/** The same between a keyword and such a label that it outweighs: `SSN for user_id 123`. */
const MAX_KEYWORD_GAP = 8;
/** The word that names several fields as a whole. */
const ROW = hashWord('row');
const TOKEN = hashWord('token');
/** A number of the key `pid` that is too long for the id of a process is the id of a person. */
const MIN_PERSON_ID_LENGTH = 11;
const PERSON_ID = hashWord('pid');
/** `PO number`. In other languages, `po` is a preposition. */
const PURCHASE_ORDER = hashWord('po');

/**
 * The label that marks a number as not personal data. `key`: the number's own key (`order_id=`),
 * the name of its XML element without a keyword near, or its unit. `word`: the word before the
 * number (`order `). `id`: the number's own key is only `id`, so a payment card needs a keyword.
 */
export type NonPersonalLabel = 'none' | 'key' | 'word' | 'id';

export function findNonPersonalLabel(number: Candidate, context: NumberContext): NonPersonalLabel {
  if (context.ownKey !== undefined) return findLabelInKey(number, context.ownKey);
  const element = findElementName(number.text, number.start);
  if (element !== undefined) {
    const label = findLabelInKey(number, element);
    if (!context.hasKeyword || (label === 'key' && isBareDigits(number) && !context.hasKeywordWithin(element)))
      return label;
  }
  if (isBareDigits(number) && isQuantity(number, context)) return 'key';
  return isLabelledByWord(number) || (isBareDigits(number) && isLabelledByIdWord(number, context)) ? 'word' : 'none';
}

/**
 * Finds a label in the number's own key. Any word of the key can label bare digits. Only the last
 * word with a meaning of its own labels other forms: `session.user=123-45-6789`.
 */
function findLabelInKey(number: Candidate, key: OwnKey): NonPersonalLabel {
  const { text } = number;
  const isBare = isBareDigits(number);
  if (number.shape.length >= MIN_PERSON_ID_LENGTH && hashWordAt(text, key.start, key.end) === PERSON_ID) return 'none';
  const idKey = classifyIdKey(text, key);
  // The value of `user_id=` is a key of a database table.
  if (idKey === 'prefixed') return 'key';
  let isLast = true;
  let areStopWords = true;
  for (let end = key.end; end > key.start; ) {
    const wordEnd = findWordEndBefore(text, end, key.start);
    if (wordEnd < 0) break;
    const start = findWordStart(text, wordEnd);
    const hash = hashWordAt(text, start, wordEnd);
    const isStopWord = STOP_WORDS.has(hash);
    if (isNonPersonalWord(text, start, wordEnd, hash)) return 'key';
    if (!isLast && areStopWords && NUMBERED_WORDS.has(hash)) return 'key';
    // In `order id: `, the key has no meaning without the word before it.
    if (
      isLast &&
      start === key.start &&
      start > 0 &&
      unitAt(text, start - 1) === BLANK &&
      isStopWord &&
      endsWithNonPersonalWord(text, start - 1)
    )
      return 'key';
    if (!isStopWord) areStopWords = false;
    if (!isBare && !areStopWords) break;
    isLast = false;
    end = start;
  }
  if (idKey === 'id') return 'id';
  return isNumberOfType(text, key) ? 'key' : 'none';
}

/** Whether the field before the key `number` names another type: `"type":"invoice","number":"…`. */
function isNumberOfType(text: ScannedText, { start, end }: OwnKey): boolean {
  if (end - start !== NUMBER_KEY_LENGTH || !isLetterAt(text, end - 1, 'r')) return false;
  const delimiter = TYPE_FIELD.exec(text.slice(Math.max(0, start - MAX_TYPE_FIELD_LENGTH), start))?.[1];
  return delimiter !== undefined && endsWithNonPersonalWord(text, start - delimiter.length);
}

/** Whether the last word before the number, or the word before stop words, is not personal. */
function isLabelledByWord(number: Candidate): boolean {
  const { text, start: numberStart } = number;
  for (let at = numberStart - 1; at >= 0 && !isTextWord(unitAt(text, at)); at--) {
    if (numberStart - at > MAX_LABEL_GAP || !canFollowLabel(unitAt(text, at))) return false;
  }
  const wordEnd = findWordEndBefore(text, numberStart, Math.max(0, numberStart - MAX_LABEL_GAP - 1));
  if (wordEnd < 0) return false;
  const start = findWordStart(text, wordEnd);
  const hash = hashWordAt(text, start, wordEnd);
  if (hash === ROW && isFirstOfQuotedFields(number)) return false;
  if (hash === PERSON_ID && number.shape.length >= MIN_PERSON_ID_LENGTH) return false;
  // A token can be a piece of text.
  if (hash === TOKEN && !isBareDigits(number)) return false;
  if (isNonPersonalWord(text, start, wordEnd, hash)) return true;
  return STOP_WORDS.has(hash) && isNumberOfAnything(text, start);
}

/** Whether a word that is not personal precedes the stop word at `start`: `order id is`. */
function isNumberOfAnything(text: ScannedText, start: number): boolean {
  let wordStart = start;
  for (let words = 0; words < MAX_STOP_WORDS && wordStart > 1; words++) {
    const before = unitAt(text, wordStart - 1);
    if (before !== BLANK && before !== UNDERSCORE_SIGN) return false;
    const end = wordStart - 1;
    if (!isTextWord(unitAt(text, end - 1))) return false;
    wordStart = findWordStart(text, end);
    const hash = hashWordAt(text, wordStart, end);
    if (isNonPersonalWord(text, wordStart, end, hash) || hash === PURCHASE_ORDER) return true;
    if (!STOP_WORDS.has(hash)) return false;
  }
  return false;
}

/** Whether the number is the first of several fields in quotes: `row "44051401359;12.50"`. */
function isFirstOfQuotedFields({ text, start, end }: Candidate): boolean {
  const left = unitAt(text, start - 1);
  if (left !== DOUBLE_QUOTE && left !== APOSTROPHE) return false;
  const right = unitAt(text, end);
  return right === SEMICOLON || right === COMMA || right === TAB || right === VERTICAL_BAR;
}

/**
 * Whether a key of a database table or a reference precedes the number: `user_id 123`, `paydayRef
 * 123`. A keyword within it or before it outweighs it: `citizen_id 123`, `NHS patient_id 123`.
 */
function isLabelledByIdWord({ text, start: numberStart }: Candidate, context: NumberContext): boolean {
  const end = numberStart - 1;
  if (end < 3 || unitAt(text, end) !== BLANK) return false;
  if (!endsWithIdWord(text, end) && !(context.hasKeyword && endsWithReference(text, end))) return false;
  let start = end - 3;
  while (start > 0 && end - start < MAX_WORD_LENGTH && isKeyCharacter(unitAt(text, start - 1))) start--;
  return numberStart - start + MAX_KEYWORD_GAP < context.keywordDistance;
}

/** Whether the word that ends at `end` has more than one part, and the last is `id`. */
function endsWithIdWord(text: ScannedText, end: number): boolean {
  if (!isLetterAt(text, end - 1, 'd') || !isLetterAt(text, end - 2, 'i')) return false;
  const before = unitAt(text, end - 3);
  return before === UNDERSCORE_SIGN || (isUpper(unitAt(text, end - 2)) && isLower(before));
}

/** Whether the word that ends at `end`, or its last part, names a reference. */
function endsWithReference(text: ScannedText, end: number): boolean {
  if (!isLetterAt(text, end - 1, 'f') && !isLetterAt(text, end - 1, 'e')) return false;
  return REFERENCE_WORDS.has(hashWordAt(text, findWordStart(text, end), end));
}

function isKeyCharacter(code: number): boolean {
  return isTextWord(code) || code === UNDERSCORE_SIGN;
}

/** Whether the word that ends at `end` is not personal. */
function endsWithNonPersonalWord(text: ScannedText, end: number): boolean {
  const wordEnd = findWordEndBefore(text, end, end - 1);
  if (wordEnd < 0) return false;
  const start = findWordStart(text, wordEnd);
  return isNonPersonalWord(text, start, wordEnd, hashWordAt(text, start, wordEnd));
}

/**
 * Whether the word text[start, end) with the given hash is not personal. Digits at its end do not
 * count: `gtin14`.
 */
function isNonPersonalWord(text: ScannedText, start: number, end: number, hash: number): boolean {
  if (NON_PERSONAL_WORDS.has(hash)) return true;
  let lettersEnd = end;
  while (lettersEnd > start && wordClassAt(text, lettersEnd - 1) === DIGIT) lettersEnd--;
  return lettersEnd < end && lettersEnd > start && NON_PERSONAL_WORDS.has(hashWordAt(text, start, lettersEnd));
}

/** The end of the last word before `before` whose last character is at `lowest` or later, or -1. */
function findWordEndBefore(text: ScannedText, before: number, lowest: number): number {
  for (let at = before - 1; at >= lowest; at--) if (isTextWord(codeAt(text, at))) return at + 1;
  return -1;
}

/** The start of the word that ends at `end`. A capital after a lower-case letter begins a word. */
function findWordStart(text: ScannedText, end: number): number {
  let at = end - 1;
  while (at > 0 && isTextWord(unitAt(text, at - 1)) && end - at < MAX_WORD_LENGTH) {
    if (isUpper(unitAt(text, at)) && isLower(unitAt(text, at - 1))) break;
    at--;
  }
  return at;
}

/** Whether the character can be between a label and its number: `order #123`, `注文「123`. */
function canFollowLabel(code: number): boolean {
  return (
    isQuoteOrBlank(code) ||
    code === HASH ||
    code === OPEN_BRACKET ||
    code === DOT ||
    code === OPEN_SQUARE ||
    code === CORNER_BRACKET ||
    code === SLASH ||
    code === HYPHEN
  );
}

/**
 * `id`: the key is `id`, `ids` or `_id`. `prefixed`: it is longer and ends in `id`, `ids` or a word
 * for a reference. `personIdExternal` ends in `id` in this sense.
 */
function classifyIdKey(text: ScannedText, { start, end: keyEnd }: OwnKey): 'id' | 'prefixed' | 'other' {
  let end = keyEnd;
  const lastStart = findWordStart(text, end);
  if (lastStart > start) {
    const last = hashWordAt(text, lastStart, end);
    if (REFERENCE_WORDS.has(last)) return 'prefixed';
    if (WORDS_AFTER_ID.has(last)) end = isTextWord(unitAt(text, lastStart - 1)) ? lastStart : lastStart - 1;
  }
  if (end - start > 2 && isLetterAt(text, end - 1, 's')) end--;
  if (end - start < 2 || !isLetterAt(text, end - 1, 'd') || !isLetterAt(text, end - 2, 'i')) return 'other';
  if (WORDS_IN_ID.has(hashWordAt(text, findWordStart(text, end), end))) return 'other';
  const prefixLength = end - 2 - start;
  const isWhole = prefixLength === 0 || (prefixLength === 1 && unitAt(text, start) === UNDERSCORE_SIGN);
  return isWhole ? 'id' : 'prefixed';
}

/** Whether the character at `at` is the letter, given in lower case, in either case. */
function isLetterAt(text: ScannedText, at: number, letter: string): boolean {
  return (unitAt(text, at) | CASE_BIT) === letter.charCodeAt(0);
}

/**
 * Whether a unit follows the number, `6363953901127 ns`, and no keyword names the number (`SSN
 * 123456789 us citizen`).
 */
function isQuantity({ text, end: numberEnd }: Candidate, context: NumberContext): boolean {
  if (context.namingDistance <= NAMING_DISTANCE) return false;
  const start = numberEnd + 1;
  if (start >= text.length || unitAt(text, numberEnd) !== BLANK) return false;
  let end = start;
  while (end < text.length && end - start < MAX_UNIT_LENGTH && isTextWord(unitAt(text, end))) end++;
  // Units are in lower case: `MS` is a title, `US` is a country.
  return isLower(unitAt(text, start)) && UNITS.has(hashWordAt(text, start, end));
}
