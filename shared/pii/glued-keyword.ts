// Finds a keyword that directly precedes a number: `pesel44051401359`, `ssn_123456789`.
import { classAt, DIGIT, FOREIGN, LETTER, UPPER } from './characters.ts';
import { CARD_TARGET, GENERAL_TARGET, KEYWORD_INDEX } from './keyword-index.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import type { TextKeyword } from './text-keywords.ts';
import { hashWord } from './words.ts';

/** Two letters before digits are often a part of a value: `CI12345678`. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 24;
/**
 * The codes of brands in a reservation, and the first digits of their numbers: `*VI4111…`,
 * `CC/AX37…`.
 */
const BRAND_CODE = /(?:^|[\s*/.+:$‡¥§-])(?:VI4|(?:CA|MC|IK)[25]|MA[56]|AX3|DC3|JC3|(?:DS|UP)6|TP1)$/u;

/** A person in a certificate (ETSI EN 319 412-1): `PNOEE-48302106234`, `TINIT-…`, `IDCES-…`. */
const CERTIFICATE_PREFIX = /(?<![\w-])(?:PNO|TIN|IDC)([A-Z]{2})-$/u;

const TARGETS_BY_COUNTRY = new Map<string, number[]>();
NATIONAL_IDS.forEach(({ country }, target) => {
  TARGETS_BY_COUNTRY.set(country, [...(TARGETS_BY_COUNTRY.get(country) ?? []), target]);
});

/** Finds the identifier of a country before the number of a person in a certificate. */
export function findCertificateKeyword(text: string, numberStart: number): TextKeyword | undefined {
  const start = numberStart - 6;
  const country = CERTIFICATE_PREFIX.exec(text.slice(Math.max(0, start - 1), numberStart))?.[1];
  const targets = TARGETS_BY_COUNTRY.get(country ?? '');
  return targets && { start, end: numberStart, targets };
}

/** Finds the whole word before `numberStart` if it is a keyword. */
export function findGluedKeyword(text: string, numberStart: number): TextKeyword | undefined {
  const end = text.charAt(numberStart - 1) === '_' ? numberStart - 1 : numberStart;
  let start = end;
  while (end - start <= MAX_LENGTH && (classAt(text, start - 1) & (LETTER | FOREIGN)) !== 0) start--;
  const length = end - start;
  if (length === 2 && end === numberStart && classAt(text, start) === UPPER)
    return BRAND_CODE.test(text.slice(Math.max(0, start - 1), end + 1))
      ? { start, end, targets: [CARD_TARGET] }
      : undefined;
  if (length < MIN_LENGTH || length > MAX_LENGTH || classAt(text, start - 1) === DIGIT) return undefined;
  const targets = KEYWORD_INDEX.words.get(hashWord(text, start, end))?.targets;
  if (targets === undefined) return undefined;
  // The name of a device can begin with three letters that are also a general keyword.
  const isDevice = length === MIN_LENGTH && end === numberStart;
  return { start, end, targets: isDevice ? targets.filter((target) => target !== GENERAL_TARGET) : targets };
}
