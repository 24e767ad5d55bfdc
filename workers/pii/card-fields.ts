// Recognizes the other fields of a card beside its number: `&cvv=***`, `"expiryMonth":"12"`.
import { type Candidate, hasOneGroup } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { testAt } from './sticky-pattern.ts';

const { codeAt, isListed, isQuoteOrBlank, listCodes } = characterClasses;
const { BLANK } = codes;

const MAX_DISTANCE = 64;
const FIELD =
  '(?:\\w{1,24}\\.)?(?:cvv2?|cvc2?|cvn2?|card_?holder(?:_?name)?|holder_?name|name_?on_?card|card_?exp\\w{0,12}|exp(?:iry|iration|ires)?_?(?:month|year|mm|yy)|' +
  '(?:(?:cc_?)?exp(?:iry|iration|ires)?|valid(?:ity|ite|_?thru|_?to|_?until))(?:_?date)?' +
  '(?=["\']?\\s?[=:>]\\s?["\']?(?:(?:0[1-9]|1[0-2])[/-]?(?:20)?[2-4]\\d|20[2-4]\\d[/-]?(?:0[1-9]|1[0-2]))(?!\\d)))';
const FIELD_AFTER = new RegExp(
  `^["')\\]]{0,2}(?:\\s?[,;&|]\\s?|\\s|</[\\w:.-]{1,32}>\\s{0,8}<)["':]?${FIELD}["']?\\s?[=:>]`,
  'iu',
);
const FIELD_BEFORE = new RegExp(
  `[{[,;&|\\s]["':]?${FIELD}["']?\\s?[=:]>?\\s?["']?[\\w*/ .-]{1,32}["']?\\s?[,;&|]`,
  'iu',
);

const MAX_FIELD_LENGTH = 40;
/**
 * The field of ISO 8583 that has the card number: `DE002 4111…`, `F2=`, `bit 2:`, `[field 2]`,
 * `[002]`, `<field id="2" value="`, `"DE2":"`. A name of the field can follow: `F002(PAN)`.
 */
const MESSAGE_FIELD =
  /(?:(?<![A-Za-z\d])(?:D\.?E|F|P|S|field|fld|bit|data_?element)[\s_.#:-]{0,2}\[?|(?:^|\s)\[(?=002\])|<\w{1,16}\s(?:id|num|number|no|index|name|nr|key)=["'])0{0,2}2(?![\d.])["']?[\])]?(?:\s?(?:\([^()]{1,24}\)|\[[^[\]]{1,24}\]))?(?:\s?(?:[=:>]{1,2}|->)|\s(?:value|val|data)=|\s)\s{0,4}["'[<]?$/iu;

/** The tag of EMV that has the card number: `5A 4111…`, `5A=`, `tag 5A: `, also with its length. */
const EMV_TAG = /(?<![A-Za-z\d])5A["'\])]?(?:\s?[=:]\s?|\s)(?:(?:0[789]|0A)\s)?["'[]?$/u;
/** The tag of the expiry date after it. */
const EMV_EXPIRY_AFTER = /^["'\]]?[\s,;|]{1,2}["'[]?(?:tag\s)?5F24(?![A-Za-z\d])/u;
const MAX_EMV_LENGTH = 12;

function isEmvField({ text, start, end }: Candidate): boolean {
  const before = text.slice(Math.max(0, start - MAX_EMV_LENGTH), start);
  const after = text.slice(end, end + MAX_EMV_LENGTH);
  return (before.includes('5A') && EMV_TAG.test(before)) || (after.includes('5F24') && EMV_EXPIRY_AFTER.test(after));
}

/**
 * The field that has the card number in the gateway of UnionPay. Elsewhere it is an account's, so
 * that the name of UnionPay or another of its fields has to be near.
 */
const UNIONPAY_FIELD = /(?<![A-Za-z\d])accNo["']?\s?[=:]\s?["']?$/u;
const UNIONPAY = /银联|union\s?pay|(?<![A-Za-z\d])txn(?:Time|Amt|Type|SubType)["']?\s?[=:]/iu;

function isUnionPayField({ text, start, end }: Candidate): boolean {
  const before = text.slice(Math.max(0, start - MAX_FIELD_LENGTH), start);
  return (
    before.includes('accNo') &&
    UNIONPAY_FIELD.test(before) &&
    UNIONPAY.test(text.slice(Math.max(0, start - MAX_DISTANCE), end + MAX_DISTANCE))
  );
}

/**
 * The expiry date that follows a number in groups, as on a card: `6759 6721 1011 5389 08/30`, and
 * any number if it has its name: `8600… EXP 11/27`.
 */
const EXPIRY_AFTER = / (?:0[1-9]|1[0-2])\/(?:20)?[2-4]\d(?![\d/])/uy;
const NAMED_EXPIRY_AFTER =
  / \(?(?:exp(?:iry|ires)?(?: date)?|valid(?: thru)?)[.:]? (?:0[1-9]|1[0-2])\/?(?:20)?[2-4]\d(?![\d/])/iuy;
/**
 * The expiry date in the next column of a record, `6759…,08/30,`, or as the next two fields:
 * `number: "6759…", month: 8, year: 2030`.
 */
const EXPIRY_IN_FIELDS =
  /["']?\s?[,;|/\t]\s?["':]{0,2}(?:(?:0[1-9]|1[0-2])\/(?:20)?[2-4]\d["']?(?=\s?[,;|/\t\r\n)\]}]|$)|month["']?\s?(?:=>|[=:])\s?["']?\d{1,2}["']?\s?[,;&|]\s?["':]{0,2}year["']?\s?(?:=>|[=:])\s?["']?(?:20)?[2-4]\d(?!\d))/uy;

function isBeforeExpiryDate(number: Candidate): boolean {
  const { text, end } = number;
  if (codeAt(text, end) === BLANK) {
    if (!hasOneGroup(number) && testAt(EXPIRY_AFTER, text, end)) return true;
    if (testAt(NAMED_EXPIRY_AFTER, text, end)) return true;
  }
  return testAt(EXPIRY_IN_FIELDS, text, end);
}

/** A part of every name of a field, which rejects most texts before the patterns. */
const FIELD_PART = /cv[cnv]|holder|card|exp|valid/iu;

/** Whether another field of the card is next to the number. */
function isBesideField({ text, start, end }: Candidate): boolean {
  const before = text.slice(Math.max(0, start - MAX_DISTANCE), start);
  const after = text.slice(end, end + MAX_DISTANCE);
  return (FIELD_PART.test(after) && FIELD_AFTER.test(after)) || (FIELD_PART.test(before) && FIELD_BEFORE.test(before));
}

/** The digit, the bracket or the word before a delimiter: `DE2=`, `[2]`, `F002(PAN)`, `value=`. */
const ENDS_OF_MESSAGE_FIELD = listCodes('2)]eEaAlL');
const DELIMITERS = listCodes('=:>-[<');
const MAX_DELIMITER_LENGTH = 8;

/** Whether the number is the field of a message that has the card number. */
function isMessageField({ text, start }: Candidate): boolean {
  let at = start - 1;
  while (start - at < MAX_DELIMITER_LENGTH && isDelimiter(codeAt(text, at))) at--;
  if (!isListed(ENDS_OF_MESSAGE_FIELD, codeAt(text, at))) return false;
  return MESSAGE_FIELD.test(text.slice(Math.max(0, start - MAX_FIELD_LENGTH), start));
}

function isDelimiter(code: number): boolean {
  return isQuoteOrBlank(code) || isListed(DELIMITERS, code);
}

/** Whether the number is the field of a message, or a field of the same card is next to it. */
export function hasCardFields(number: Candidate): boolean {
  return (
    isBeforeExpiryDate(number) ||
    isMessageField(number) ||
    isUnionPayField(number) ||
    isEmvField(number) ||
    isBesideField(number)
  );
}
