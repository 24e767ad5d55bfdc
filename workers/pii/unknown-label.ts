// Decides whether bare digits have a label that is not known: `reference=4111…`, `Бронь № 4111…`.
// Such a label can name anything, so these digits need a keyword.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { NEUTRAL_LABEL_WORDS } from './neutral-words.ts';
import { NUMBERED_WORDS, STOP_WORDS } from './non-personal-words.ts';
import { findElementName, type OwnKey } from './own-key.ts';
import type { ScannedText } from './scanned-text.ts';
import { hashWordAt, hashWords } from './word-hash.ts';

const { codeAt, isLower, isQuoteOrBlank, isTextWord, isUpper, unitAt } = characterClasses;
const { BLANK, COLON, EQUALS } = codes;

/** The maximum length of the text before a number that is read. */
const MAX_LABEL_LENGTH = 64;
/** The noun of a label is at most so many words before the number: `order number is `. */
const MAX_WORDS = 4;
/** The maximum length of the text after a number that is read. */
const MAX_REST_LENGTH = 40;
/**
 * A column of a record: HL7 `|4111…|`, FIX `|11=4111…`, SWIFT `:20:4111…` and `EREF+4111…`,
 * `[gc][4111…]`, and SMTP after its status, `5.7.1 [4111…]`.
 */
const COLUMN =
  /(?:[|~^]|(?<![A-Z])[A-Z]{4}\+|[^\P{Cc}\s]|\]\s?\[|(?:[|;,\s\]}]|\p{Cc})\d{1,4}=|[:{]\d{2,3}[A-Z]?:|\}\s|\b[245]\.\d{1,3}\.\d{1,3}\s\[)$/u;
/**
 * A column of a list with commas. Card dumps have such columns too, so that only the form of
 * Diners Club, which is the shortest, needs a keyword.
 */
const DINERS_LENGTH = 14;
const COMMA_BEFORE = /[,;\t]$/u;
const COMMA_AFTER = /^[,;\t]/u;
/** A second column of digits, as counters have: `4111… 1781770274253`. */
const NEXT_COLUMN = /^ \d{9,14}(?![\w.-])/u;
/** The arguments of a task before the number, which are digits too: `args=(5601852394, 4111…`. */
const ARGUMENTS = /\bargs=\((?:\d{1,19},\s?){1,6}$/u;
/** An expiry date after the number, alone or in the next column. */
const EXPIRY_DATE = /^[\s,;|]{1,2}(?:exp\w*[.:]?\s)?(?:0[1-9]|1[0-2])\/?(?:20)?[2-4]\d(?!\d)/iu;
/** Words without a meaning of their own that are no key of personal data. */
const REFERENCE_WORDS = hashWords('ref reference code key');
/** The field that has the card number in ISO 8583: `2=4111…`, `DE002: 4111…`. */
const CARD_FIELD = /(?:^|[|;,\s[{"'])(?:(?:DE|F|field|bit)[\s_-]?)?0{0,2}2[\]"']{0,2}\s?[=:]\s?["'[<]{0,2}$/iu;
/** Words in the record of a payment. */
const PAYMENT = /charge|payment|refund|settlement|purchase/iu;
/** The characters between a word and the number after it. */
const AFTER_WORD = /[\s"'`([{<#№º°.:*+-]{1,6}$/u;
/** A sign or a word for "number" that ends the label: `№ `, `#`, `nr. `, `Vorgangsnr. `. */
const NUMBER_SIGN =
  /(?:[#№]|n[º°]|\b(?:n[or]|num|number|numero|número|nummer)\.?|\p{L}{3}(?:nr|nummer)\.?)\s?["'([]?$/iu;
/** A word for a reference directly before the number: `refund ref `. */
const REFERENCE_BEFORE = /\b(?:ref|reference|code)[.:]?\s["'([]?$/iu;
/** The column of a table after the value: `Duplicate entry '4111…' for key 'orders.id'`. */
const KEY_AFTER = /^["'`)]{0,2} for (?:key|column) /u;

/** Whether the number has a label that is neither a keyword nor neutral. */
export function hasUnknownLabel(number: Candidate, ownKey: OwnKey | undefined): boolean {
  const { text, shape, start, end, gluedKeyword } = number;
  if (gluedKeyword !== undefined) return false;
  const rest = text.slice(end, end + MAX_REST_LENGTH);
  if (EXPIRY_DATE.test(rest)) return false;
  const before = text.slice(Math.max(0, start - MAX_LABEL_LENGTH), start);
  if (CARD_FIELD.test(before)) return false;
  const key = ownKey ?? findElementName(text, start);
  if (key !== undefined) return !hasNeutralWord(text, key) || isMeasurement(text, key, start);
  if (shape.length === DINERS_LENGTH && COMMA_BEFORE.test(before) && COMMA_AFTER.test(rest)) return true;
  if (NEXT_COLUMN.test(rest) || KEY_AFTER.test(rest)) return true;
  if (COLUMN.test(before) || ARGUMENTS.test(before)) return !PAYMENT.test(before);
  // Any word can precede personal data in a sentence. Before a sign for "number", it is a name.
  return (NUMBER_SIGN.test(before) || REFERENCE_BEFORE.test(before)) && hasUnknownWordBefore(number);
}

/** Whether the key is `value`, and its value is not text: `value=4111…`, `"value":4111…`. */
function isMeasurement(text: ScannedText, key: OwnKey, valueStart: number): boolean {
  const before = unitAt(text, valueStart - 1);
  return (before === EQUALS || before === COLON) && /^val(?:ue)?$/iu.test(text.slice(key.start, key.end));
}

/** Whether a word that is not neutral is directly before the number. */
export function hasUnknownWordBefore({ text, start }: Candidate): boolean {
  const before = text.slice(Math.max(0, start - MAX_LABEL_LENGTH), start);
  const gap = AFTER_WORD.exec(before)?.[0];
  return gap !== undefined && isUnknownWord(text, start - gap.length, NUMBER_SIGN.test(before));
}

/** Whether every word of the key is neutral, or has no meaning of its own. */
function hasNeutralWord(text: ScannedText, key: OwnKey): boolean {
  let end = key.end;
  while (end > key.start) {
    while (end > key.start && !isTextWord(unitAt(text, end - 1))) end--;
    if (end === key.start) break;
    const start = Math.max(key.start, findPartStart(text, end));
    const hash = hashWordAt(text, start, end);
    if (!NEUTRAL_LABEL_WORDS.has(hash) && (!STOP_WORDS.has(hash) || REFERENCE_WORDS.has(hash))) return false;
    end = start;
  }
  return true;
}

/**
 * Whether the word that ends at `end` is not neutral. Words without a meaning of their own are
 * skipped. Two capitalized words are the name of a person.
 */
function isUnknownWord(text: ScannedText, end: number, isNumbered: boolean): boolean {
  let wordEnd = end;
  for (let words = 0; words < MAX_WORDS && wordEnd > 0 && isTextWord(unitAt(text, wordEnd - 1)); words++) {
    const start = findPartStart(text, wordEnd);
    const hash = hashWordAt(text, start, wordEnd);
    if (REFERENCE_WORDS.has(hash)) return true;
    if (!STOP_WORDS.has(hash)) {
      if (isNumbered && NUMBERED_WORDS.has(hash)) return true;
      if (/^\d+$/u.test(text.slice(start, wordEnd))) return false;
      return !NEUTRAL_LABEL_WORDS.has(hash) && !isLastName(text, start, wordEnd);
    }
    if (!isQuoteOrBlank(codeAt(text, start - 1))) return false;
    wordEnd = start - 1;
  }
  return false;
}

/** Whether the word text[start, end) and the word before it are capitalized. */
function isLastName(text: ScannedText, start: number, end: number): boolean {
  if (!isCapitalized(text, start, end) || codeAt(text, start - 1) !== BLANK) return false;
  const firstEnd = start - 1;
  return isCapitalized(text, findPartStart(text, firstEnd), firstEnd);
}

function isCapitalized(text: ScannedText, start: number, end: number): boolean {
  return end - start > 1 && isUpper(unitAt(text, start)) && isLower(unitAt(text, start + 1));
}

/** The start of the word that ends at `end`, or of its last part: `Id` in `userId`. */
function findPartStart(text: ScannedText, end: number): number {
  let at = end - 1;
  while (at > 0 && end - at < MAX_LABEL_LENGTH && isTextWord(unitAt(text, at - 1))) {
    if (isUpper(unitAt(text, at)) && isLower(unitAt(text, at - 1))) break;
    at--;
  }
  return Math.max(at, 0);
}
