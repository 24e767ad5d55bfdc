// Recognizes the other fields of a card beside its number: `&cvv=***`, `"expiryMonth":"12"`.
import { type Candidate, hasOneGroup } from './candidate.ts';

const MAX_DISTANCE = 64;
const DATE = '(?:(?:0[1-9]|1[0-2])[/-]?(?:20)?[2-4]\\d|20[2-4]\\d[/-]?(?:0[1-9]|1[0-2]))(?!\\d)';
const FIELD =
  '(?:\\w{1,24}\\.)?(?:cv[cnv]2?|card_?holder(?:_?name)?|holder_?name|name_?on_?card|(?:card_?)?exp(?:iry|iration|ires)?_?(?:month|year|mm|yy)|' +
  `(?:(?:cc_?|card_?)?exp(?:iry|iration|ires)?|valid(?:ity|_?thru|_?to|_?until)?)(?:_?date)?(?=["']?\\s?[=:>]\\s?["']?${DATE}))`;
const FIELD_AFTER = new RegExp(
  `^["')\\]]{0,2}(?:\\s?[,;&|]\\s?|\\s|</[\\w:.-]{1,32}>\\s{0,8}<)["':]?${FIELD}["']?\\s?[=:>]`,
  'iu',
);
const FIELD_BEFORE = new RegExp(
  `[{[,;&|\\s]["':]?${FIELD}["']?\\s?[=:]>?\\s?["']?[\\w*/ .-]{1,32}["']?\\s?[,;&|]`,
  'iu',
);
/**
 * The expiry date after a number in groups, `6759 6721 1011 5389 08/30`, or with its name after
 * any.
 */
const EXPIRY_AFTER = /^ (?:0[1-9]|1[0-2])\/(?:20)?[2-4]\d(?![\d/])/u;
const NAMED_EXPIRY_AFTER =
  /^ \(?(?:exp(?:iry|ires)?(?: date)?|valid(?: thru)?)[.:]? (?:0[1-9]|1[0-2])\/?(?:20)?[2-4]\d(?![\d/])/iu;

/** Whether another field of the card is next to the number. */
export function hasCardFields(number: Candidate): boolean {
  const { text, start, end } = number;
  const after = text.slice(end, end + MAX_DISTANCE);
  if (!hasOneGroup(number) && EXPIRY_AFTER.test(after)) return true;
  if (NAMED_EXPIRY_AFTER.test(after) || FIELD_AFTER.test(after)) return true;
  return FIELD_BEFORE.test(text.slice(Math.max(0, start - MAX_DISTANCE), start));
}
