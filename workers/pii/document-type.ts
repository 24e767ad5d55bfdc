// Recognizes the type of a document beside its number: `"dniType":"CC","dniNumber":"16…"`.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { canFollowKey } from './key-ends.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';
import { MAX_TYPE_DISTANCE, type TextKeyword } from './text-keywords.ts';
import { hashWords } from './word-hash.ts';

const { codeAt, isQuoteOrBlank, unitAt } = characterClasses;
const {
  AMPERSAND,
  APOSTROPHE,
  BACKSLASH,
  BLANK,
  COLON,
  COMMA,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  HYPHEN,
  SEMICOLON,
  UNDERSCORE_SIGN,
} = codes;

/** The field after a number that has its type: `","pid_type":"`, `</ID><ID_Type>DNK-`. */
const TYPE_FIELD =
  /^["'\\]{0,2}(?:<\/[\w:.-]{1,32}>)?[\s,;&|]{0,3}[<{]?["'\\]{0,2}(?:[\w:.-]{0,32}[_:.-])?(?:\w{0,16})type(?:[_:.-]\w{1,16})?["'\\]{0,2}\s?[=:>]\s?["'\\]{0,2}(?:[A-Z]{2,3}[-_ ])?$/iu;

const MIN_TYPE_DISTANCE = 6;

/** Whether the value of a field can begin at `start`. Rejects the words of sentences. */
function canFollowTypeKey(text: ScannedText, start: number): boolean {
  const left = unitAt(text, start - 1);
  return (
    left === GREATER_THAN ||
    left === EQUALS ||
    left === HYPHEN ||
    left === DOUBLE_QUOTE ||
    left === APOSTROPHE ||
    left === UNDERSCORE_SIGN ||
    (left === BLANK && unitAt(text, start - 2) === COLON)
  );
}

/** Whether the keyword that begins at `keywordStart` is the type of the number before it. */
export function isTypeOf({ text, end }: Candidate, keywordStart: number): boolean {
  const distance = keywordStart - end;
  if (distance < MIN_TYPE_DISTANCE || distance > MAX_TYPE_DISTANCE || !canFollowTypeKey(text, keywordStart))
    return false;
  const between = text.slice(end, keywordStart);
  return /type/iu.test(between) && TYPE_FIELD.test(between);
}

/** A part of the key of a document. */
const DOCUMENT = '[Dd]oc|DOC|[Ii]dent|IDENT|[Dd]ni|DNI|[Ll]egal|LEGAL';
/** The key of a type before its value: `dniType":"`, `"identification":{"type":"`. */
const TYPE_KEY = new RegExp(
  String.raw`(?:${DOCUMENT}|(?<![A-Za-z])id|I[dD])[\w"'\\.:{ -]{0,24}(?:[Tt]ype|TYPE|[Tt]ipo|TIPO)["'\\]{0,2}\s?[=:]\s?["'\\]{0,2}$`,
  'u',
);
const MAX_TYPE_KEY_LENGTH = 56;
/** The last letters of these keys. */
const TYPE_KEY_ENDS = hashWords('ype ipo');
/** The object and the key of a document before its number: `"identification":{"number":"`. */
const DOCUMENT_KEY = new RegExp(String.raw`(?:${DOCUMENT})[\w"'\\.:{ -]{0,24}$`, 'u');
const MAX_DOCUMENT_KEY_LENGTH = 40;
/** The fields from a type to the number of its document: `","dniNumber":"`. */
const DOCUMENT_FIELD = new RegExp(
  String.raw`^["'\\]{0,2}[\s,;&|]{1,3}["'\\]{0,2}[\w.-]{0,24}(?:${DOCUMENT}|[Nn]um|NUM|[Vv]alue|(?<![A-Za-z])id|I[dD])[\w.-]{0,16}["'\\]{0,2}\s?[=:]\s?["'\\]{0,2}$`,
  'u',
);

/** Whether the value that ends at `end`, possibly with a quote, is the last of its field. */
function endsField(text: ScannedText, end: number): boolean {
  let at = end;
  while (at < end + 2 && (isQuoteOrBlank(codeAt(text, at)) || codeAt(text, at) === BACKSLASH)) at++;
  const code = codeAt(text, at);
  return code === COMMA || code === SEMICOLON || code === AMPERSAND || codeAt(text, at - 1) === BLANK;
}

/**
 * Whether the keyword is the value of a key that ends in `type` and is beside the number's own key.
 * Both keys have to name a document: in `"paymentType":"CC"`, a credit card pays.
 */
export function isTypeOfDocument(number: Candidate, keyword: TextKeyword): boolean {
  const { text, start } = number;
  const left = codeAt(text, keyword.start - 1);
  if (left !== DOUBLE_QUOTE && left !== APOSTROPHE && left !== EQUALS) return false;
  if (keyword.end <= start && !endsField(text, keyword.end)) return false;
  const namesType =
    canFollowKey(text, keyword.start, TYPE_KEY_ENDS) &&
    TYPE_KEY.test(text.slice(Math.max(0, keyword.start - MAX_TYPE_KEY_LENGTH), keyword.start));
  if (keyword.end <= start) return namesType && DOCUMENT_FIELD.test(text.slice(keyword.end, start));
  const namesDocument = namesType || DOCUMENT_KEY.test(text.slice(Math.max(0, start - MAX_DOCUMENT_KEY_LENGTH), start));
  return namesDocument && isTypeOf(number, keyword.start);
}

/** The rest of the key of a type after a keyword: `dniType":`. */
const REST_OF_TYPE_KEY = /[_-]?type["']?\s?[=:]/iuy;

/** Whether the key with the keyword that ends at `end` has the type of the number before it. */
export function isKeyOfType(text: string, end: number): boolean {
  return testAt(REST_OF_TYPE_KEY, text, end);
}
