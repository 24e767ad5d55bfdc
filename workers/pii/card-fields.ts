// Recognizes the other fields of a card beside its number: `&cvv=***`, `"expiryMonth":"12"`.
import type { Candidate } from './candidate.ts';

const MAX_DISTANCE = 64;
const FIELD =
  '(?:cvv2?|cvc2?|cvn2?|card_?holder(?:_?name)?|holder_?name|name_?on_?card|card_?exp\\w{0,12}|exp(?:iry|iration|ires)?_?(?:month|year|mm|yy)|' +
  'exp(?:iry|iration)?(?:_?date)?(?=["\']?\\s?[=:]\\s?["\']?(?:0[1-9]|1[0-2])[/-]?(?:20)?[2-4]\\d(?!\\d)))';
const FIELD_AFTER = new RegExp(`^["')\\]]{0,2}\\s?[,;&|]\\s?["']?${FIELD}["']?\\s?[=:]`, 'iu');
const FIELD_BEFORE = new RegExp(`[{[,;&|\\s]["']?${FIELD}["']?\\s?[=:]\\s?["']?[\\w*/ .-]{1,32}["']?\\s?[,;&|]`, 'iu');

/** Whether a field of the same card is directly after the number, or before it. */
export function hasCardFields({ text, start, end }: Candidate): boolean {
  return (
    FIELD_AFTER.test(text.slice(end, end + MAX_DISTANCE)) ||
    FIELD_BEFORE.test(text.slice(Math.max(0, start - MAX_DISTANCE), start))
  );
}
