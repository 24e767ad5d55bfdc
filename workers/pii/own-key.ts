// Finds the own key of a number, which is the key directly before it: `key=`, `key: "`.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';
import { hashWordAt, hashWords } from './word-hash.ts';

const { codeAt, isListed, isQuoteOrBlank, isTextWord, listCodes, unitAt } = characterClasses;
const {
  APOSTROPHE,
  BACKTICK,
  BLANK,
  CLOSE_BRACKET,
  CLOSE_SQUARE,
  COLON,
  COMMA,
  DIGIT_0,
  DIGIT_9,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  HASH,
  HYPHEN,
  LESS_THAN,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_SQUARE,
  UNDERSCORE_SIGN,
  UPPER_A,
} = codes;

/**
 * The maximum number of characters between the delimiter and the number, between key and delimiter,
 * and of the key.
 */
const MAX_OPENING_LENGTH = 8;
const MAX_CLOSING_LENGTH = 4;
const MAX_KEY_LENGTH = 40;
/** The length of a value before it, also with its type: `key:[5] "`, `["key"]=> string(5) "`. */
const LENGTH_BEFORE = /(?:\b[a-z]{1,8}\(\d{1,4}\)|\[\d{1,4}\])$/u;
const MAX_LENGTH_BEFORE = 16;
/**
 * The comma of a pair in a list of pairs, `[["user_id", 44…], ["LIMIT", 1]]`. A row of a table
 * has other values beside it.
 */
const PAIR_COMMA = /(?<=(?:\[|\],\s?)\["[a-z_][\w.]{0,39}"),\s?(?:"[^"]{1,40}"|[^",\]]{1,40})\]/iuy;

/**
 * Whether the character can be between the delimiter of a key and the value: `key=[{"`, `key: <#`.
 */
function opensValue(code: number): boolean {
  return (
    isQuoteOrBlank(code) ||
    code === OPEN_BRACKET ||
    code === OPEN_SQUARE ||
    code === OPEN_BRACE ||
    code === LESS_THAN ||
    code === HASH ||
    code === GREATER_THAN
  );
}

/** A key at text[start, end). */
export interface OwnKey {
  readonly start: number;
  readonly end: number;
}

/**
 * A field that names the value of the next field, `{"label":"ssn","value":"…`, and the attribute of
 * an XML element that names its content, `<Data Name="ssn">`.
 */
const NAME_FIELD =
  /(?<![a-z])(?:label|name|key|field|column|attribute|attr|param|parameter|property|code)["']?\s?[:=]>?\s?["']([^"'<>]{1,40})["'](?:,?\s?["']?$|(?:\s[\w:-]{1,20}=["'][^"'<>]{0,40}["']){0,3}\s?>$)/iu;
const MAX_NAME_DISTANCE = 96;
/** The last letters of these keys. */
const VALUE_KEY_ENDS = listCodes('eltaELTA');
const MAX_NUMBERED_KEY_LENGTH = 11;
/** Keys of CEF whose labels are in other fields. */
const NUMBERED_KEY = /^(?:c[sn]|cfp|flex(?:String|Number|Date))\d$/u;
/** Keys that say nothing but that a value follows: `value`, `attributeValue`, `data`. */
const VALUE_KEYS = hashWords('val value content text data');
const VALUE = 'value';
const LETTERS = /^[a-z]+$/iu;

/**
 * Finds the key of the value at `valueStart`. A key has at least one letter. The key `value` is
 * replaced by the name in the field before it.
 */
export function findOwnKey(text: ScannedText, valueStart: number): OwnKey | undefined {
  const key = findKeyBefore(text, findKeyEnd(text, valueStart));
  if (key === undefined) return undefined;
  const last = unitAt(text, key.end - 1);
  if (last >= DIGIT_0 && last <= DIGIT_9) {
    if (key.end - key.start > MAX_NUMBERED_KEY_LENGTH || !NUMBERED_KEY.test(text.slice(key.start, key.end))) return key;
    return findLabelOfCef(text, key) ?? key;
  }
  return isValueKey(text, key) ? (findNamedBefore(text, key.start) ?? key) : key;
}

function isValueKey(text: ScannedText, { start, end }: OwnKey): boolean {
  if (!isListed(VALUE_KEY_ENDS, unitAt(text, end - 1))) return false;
  if (VALUE_KEYS.has(hashWordAt(text, start, end))) return true;
  const valueStart = end - VALUE.length;
  return (
    valueStart > start && VALUE_KEYS.has(hashWordAt(text, valueStart, end)) && LETTERS.test(text.slice(start, end))
  );
}

/** The label of a numbered key of CEF, if it is directly before the key: `cs1Label=ssn cs1=`. */
function findLabelOfCef(text: ScannedText, { start, end }: OwnKey): OwnKey | undefined {
  const from = Math.max(0, start - MAX_NAME_DISTANCE);
  const label = `${text.slice(start, end)}Label=`;
  const at = text.slice(from, start).lastIndexOf(label);
  if (at < 0) return undefined;
  const labelStart = from + at + label.length;
  return labelStart < start - 1 && !text.slice(labelStart, start).includes('=')
    ? { start: labelStart, end: start - 1 }
    : undefined;
}

/** Finds the name in a field that ends at `end`. */
function findNamedBefore(text: ScannedText, end: number): OwnKey | undefined {
  const from = Math.max(0, end - MAX_NAME_DISTANCE);
  const name = NAME_FIELD.exec(text.slice(from, end));
  if (name === null) return undefined;
  const [field, value = ''] = name;
  const start = from + name.index + field.indexOf(value, field.search(/[:=]/u) + 1);
  return { start, end: start + value.length };
}

/** Finds the name of the XML element whose content begins at `valueStart`: `<name>`. */
export function findElementName(text: ScannedText, valueStart: number): OwnKey | undefined {
  if (codeAt(text, valueStart - 1) !== GREATER_THAN) return undefined;
  const name = findKeyBefore(text, valueStart - 1);
  if (name === undefined) return findNamedBefore(text, valueStart);
  const before = codeAt(text, name.start - 1);
  return before === LESS_THAN || before === COLON ? name : undefined;
}

/** Finds the key that ends at `end`. */
function findKeyBefore(text: ScannedText, end: number): OwnKey | undefined {
  const lowest = Math.max(0, end - MAX_KEY_LENGTH);
  let start = end;
  let hasLetter = false;
  while (start > lowest) {
    const code = unitAt(text, start - 1);
    if (!isTextWord(code) && !joinsWordsOfKey(code)) break;
    if (isTextWord(code) && code >= UPPER_A) hasLetter = true;
    start--;
  }
  if (codeAt(text, start) === BACKTICK) start++;
  return hasLetter ? { start: findQuotedStart(text, start, end), end } : undefined;
}

/** Whether the character can be between two words of a key: `order-id`, `` `orders`.`number` ``. */
function joinsWordsOfKey(code: number): boolean {
  return code === UNDERSCORE_SIGN || code === HYPHEN || code === DOT || code === BACKTICK;
}

/** Words in quotes before the last word of a key: `"Aadhaar UID"`. */
const QUOTED_WORDS = /["'](?:[\p{L}\p{M}\d.]+ ){1,4}$/u;

/** The start of a quoted key of several words, or `start`. */
function findQuotedStart(text: ScannedText, start: number, end: number): number {
  const quote = codeAt(text, end);
  if (codeAt(text, start - 1) !== BLANK || (quote !== DOUBLE_QUOTE && quote !== APOSTROPHE)) return start;
  const words = QUOTED_WORDS.exec(text.slice(Math.max(0, start - MAX_KEY_LENGTH), start));
  return words === null ? start : start - words[0].length + 1;
}

/** The index of the last character before `end` that cannot open a value. */
function skipOpening(text: ScannedText, end: number): number {
  let at = end - 1;
  const lowest = Math.max(0, end - MAX_OPENING_LENGTH);
  while (at >= lowest && opensValue(unitAt(text, at))) at--;
  return at;
}

/** Whether the character can be between a key and its delimiter: `["key"] =`, `key::`. */
function closesKey(code: number): boolean {
  return code === CLOSE_SQUARE || code === CLOSE_BRACKET || code === BACKTICK || code === COLON;
}

/** The end of the text before the delimiter of the value at `valueStart`; 0 without a delimiter. */
function findKeyEnd(text: ScannedText, valueStart: number): number {
  let at = skipOpening(text, valueStart);
  const last = at < 0 ? 0 : unitAt(text, at);
  if (last === CLOSE_SQUARE || last === CLOSE_BRACKET) {
    const length = LENGTH_BEFORE.exec(text.slice(Math.max(0, at + 1 - MAX_LENGTH_BEFORE), at + 1));
    if (length !== null) at = skipOpening(text, at + 1 - length[0].length);
  }
  if (at < 0) return 0;
  const delimiter = unitAt(text, at);
  if (delimiter === COMMA) return findPairKeyEnd(text, at);
  if (delimiter !== EQUALS && delimiter !== COLON) return 0;
  let end = at;
  while (end > 0 && at - end < MAX_CLOSING_LENGTH) {
    const code = unitAt(text, end - 1);
    if (!isQuoteOrBlank(code) && !closesKey(code)) break;
    end--;
  }
  return end;
}

/** The end of the key in a pair whose comma is at `comma`; 0 in other lists. */
function findPairKeyEnd(text: ScannedText, comma: number): number {
  PAIR_COMMA.lastIndex = comma;
  return PAIR_COMMA.test(text) ? comma - 1 : 0;
}
