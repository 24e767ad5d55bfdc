// Labels of values that are not personal data: `order_id=`, `trace `, a unit after the number.
import { characters, classAt, isQuoteOrBlank, isTextWordAt } from './characters.ts';
import { findWordStart, hashWord, hashWords } from './keyword-index.ts';
import words from './non-personal-words.json' with { type: 'json' };
import { type DirectKey, findElementName, type NumberContext } from './number-context.ts';
import { type Candidate, isBareDigits } from './scanned-text.ts';

const { DIGIT } = characters;

/** Words of identifiers and quantities. A number that such a word labels is not a finding. */
const NON_PERSONAL_WORDS = hashWords(Object.values(words.values).join(' '));
/** Words that name such a value only before a word for "number": `customerNo=`. */
const NUMBERED_WORDS = hashWords(words.beforeNumber);
/** Words of a label without a meaning of their own. The words before them decide. */
const STOP_WORDS = hashWords(words.withoutMeaning);
/** Words that end in `id` and do not name an identifier: `card invalid: 4111…`. */
const WORDS_IN_ID = hashWords(words.endInId);

/** The word `id` directly before the number: `id 4111… not found`. */
const AFTER_ID = /(?<![\w-])ids?\s["'(]?$/iu;
/** A keyword within this distance names the number: `SSN 123…`, `ssn is 123…`. */
const NAMING_DISTANCE = 4;
/** So many words without a meaning of their own can be before a number: `order id is`. */
const MAX_STOP_WORDS = 3;
/** The maximum number of characters between a word and the number that it labels. */
const MAX_LABEL_GAP = 4;
/**
 * The label that marks a number as not personal data. `key`: the number's direct key (`order_id=`),
 * the name of its XML element without a keyword near, or its unit. `word`: the word before the
 * number (`order `). `id`: the number's direct key is only `id`, so a payment card needs a keyword.
 */
export type NonPersonalLabel = 'none' | 'key' | 'word' | 'id';

export function findNonPersonalLabel(number: Candidate, context: NumberContext): NonPersonalLabel {
  const { text, start } = number;
  if (context.directKey !== undefined) return findLabelInKey(number, context.directKey);
  const isBare = isBareDigits(number);
  const element = findElementName(text, start);
  if (element !== undefined && context.keywordDistance > start - element.start + NAMING_DISTANCE) {
    const label = findLabelInKey(number, element);
    if (isBare || context.keywordDistance === Infinity) return label;
  }
  if (isLabelledByWord(number)) return 'word';
  return AFTER_ID.test(text.slice(Math.max(0, start - 6), start)) ? 'id' : 'none';
}

/**
 * Finds a label in the number's direct key. Any word of the key can label bare digits. Only the last
 * word with a meaning of its own labels other forms: `session.user=123-45-6789`.
 */
function findLabelInKey(number: Candidate, key: DirectKey): NonPersonalLabel {
  const { text } = number;
  const idKey = classifyIdKey(text, key);
  // The value of `user_id=` is a key of a database table.
  if (idKey === 'prefixed') return 'key';
  const isBare = isBareDigits(number);
  let areStopWords = true;
  for (let end = key.end, isLast = true; end > key.start; isLast = false) {
    const wordEnd = findWordEnd(text, end, key.start);
    if (wordEnd < 0) break;
    const start = findWordStart(text, wordEnd);
    const hash = hashWord(text, start, wordEnd);
    if (isNonPersonal(text, start, wordEnd, hash)) return 'key';
    if (!isLast && areStopWords && NUMBERED_WORDS.has(hash)) return 'key';
    areStopWords &&= STOP_WORDS.has(hash);
    // In `order id: `, the key has no meaning without the word before it.
    if (
      isLast &&
      areStopWords &&
      start === key.start &&
      text.charAt(start - 1) === ' ' &&
      endsNonPersonal(text, start - 1)
    )
      return 'key';
    if (!isBare && !areStopWords) break;
    end = start;
  }
  return idKey === 'id' ? 'id' : 'none';
}

/** Whether the last word before the number, or the word before stop words, is not personal. */
function isLabelledByWord(number: Candidate): boolean {
  const { text, start: numberStart } = number;
  let end = numberStart;
  while (end > 0 && !isTextWordAt(text, end - 1)) {
    if (numberStart - end >= MAX_LABEL_GAP || !canFollowLabel(text.charAt(end - 1))) return false;
    end--;
  }
  if (end === 0) return false;
  const start = findWordStart(text, end);
  const hash = hashWord(text, start, end);
  return isNonPersonal(text, start, end, hash) || (STOP_WORDS.has(hash) && isNumberOfAnything(text, start));
}

/** Whether a word that is not personal precedes the stop word at `start`: `order id is`. */
function isNumberOfAnything(text: string, start: number): boolean {
  let wordStart = start;
  for (let words = 0; words < MAX_STOP_WORDS && wordStart > 1; words++) {
    const end = wordStart - 1;
    if (!' _'.includes(text.charAt(end)) || !isTextWordAt(text, end - 1)) return false;
    wordStart = findWordStart(text, end);
    const hash = hashWord(text, wordStart, end);
    if (isNonPersonal(text, wordStart, end, hash)) return true;
    if (!STOP_WORDS.has(hash)) return false;
  }
  return false;
}

/** Whether the word that ends at `end` is not personal. */
function endsNonPersonal(text: string, end: number): boolean {
  if (!isTextWordAt(text, end - 1)) return false;
  const start = findWordStart(text, end);
  return isNonPersonal(text, start, end, hashWord(text, start, end));
}

/**
 * Whether the word with the given hash is not personal. Digits at its end do not count: `gtin14`.
 */
function isNonPersonal(text: string, start: number, end: number, hash: number): boolean {
  if (NON_PERSONAL_WORDS.has(hash)) return true;
  let lettersEnd = end;
  while (lettersEnd > start && classAt(text, lettersEnd - 1) === DIGIT) lettersEnd--;
  return lettersEnd < end && NON_PERSONAL_WORDS.has(hashWord(text, start, lettersEnd));
}

/** The end of the last word before `before` whose last character is at `lowest` or later, or -1. */
function findWordEnd(text: string, before: number, lowest: number): number {
  for (let at = before - 1; at >= lowest; at--) if (isTextWordAt(text, at)) return at + 1;
  return -1;
}

/** Whether the character can be between a label and its number: `order #123`, `注文「123`. */
function canFollowLabel(character: string): boolean {
  return isQuoteOrBlank(character) || '#№([./-「'.includes(character);
}

/** The name of a reference: `payment_ref`, `paymentReference`. */
const REFERENCE = /(?:[\s_.-][Rr]ef|[a-z]Ref)(?:erence)?$/u;

/**
 * `id`: the key is `id`, `ids` or `_id`. `prefixed`: it is longer and ends in `id`, `ids` or a word
 * for a reference.
 */
function classifyIdKey(text: string, { start, end }: DirectKey): 'id' | 'prefixed' | 'other' {
  const key = text.slice(start, end);
  if (REFERENCE.test(key)) return 'prefixed';
  if (!/ids?$/iu.test(key)) return 'other';
  if (/^_?ids?$/iu.test(key)) return 'id';
  const last = end - (key.endsWith('s') ? 1 : 0);
  return WORDS_IN_ID.has(hashWord(text, findWordStart(text, last), last)) ? 'other' : 'prefixed';
}
