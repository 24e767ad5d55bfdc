// Finds a keyword that directly precedes a number: `pesel44051401359`, `ssn_123456789`.
import { NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import { type Candidate, isBareDigits } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { CARD_TARGET, findWords, GENERAL_TARGET } from './keyword-index.ts';
import { byLetterPair, letterPairAt } from './letter-pairs.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';
import type { TextKeyword } from './text-keywords.ts';
import { hashWordAt, hashWords } from './word-hash.ts';

const {
  codeAt,
  CLASSES,
  DIGIT,
  FOREIGN,
  isTextWord,
  isUpper,
  LETTER,
  UNDERSCORE,
  unitAt,
  wordClassAt,
  wordClassOrZero,
} = characterClasses;
const { BLANK, CARET, COMMA, HYPHEN, UNDERSCORE_SIGN } = codes;

/** The indexes in `NATIONAL_IDS` of the schemes of a country. */
const TARGETS_BY_COUNTRY = new Map<string, number[]>();
NATIONAL_IDS.forEach(({ country }, target) => {
  TARGETS_BY_COUNTRY.set(country, [...(TARGETS_BY_COUNTRY.get(country) ?? []), target]);
});

const COUNTRIES_BY_PAIR = byLetterPair([...TARGETS_BY_COUNTRY.keys()].map((code) => [code, code]));

/** Two letters before digits are often a part of a value: `CI12345678`. */
const MIN_LENGTH = 3;
/**
 * The codes of cards' brands in a reservation and the first digits of their numbers: `*VI4111…`,
 * `CC/AX37…`, `F.CA51…`.
 */
const BRAND_DIGITS: readonly (string | undefined)[] = byLetterPair(
  Object.entries({
    VI: '4',
    CA: '25',
    MC: '25',
    IK: '25',
    MA: '56',
    AX: '3',
    DC: '3',
    JC: '3',
    DS: '6',
    UP: '6',
    TP: '1',
  }),
);
const BEFORE_BRAND_CODE = /^[\s*/.+:$‡¥§-]?$/u;
const BRAND_CODE_LENGTH = 2;
const BRAND_TARGETS = [CARD_TARGET];
const MAX_LENGTH = 24;

/**
 * Whether a word and a number of several digits can meet at `numberStart`. The check rejects most
 * names with a digit: `web1`, `jk2_init`, `workers2.properties`.
 */
export function canBeGlued(text: ScannedText, numberStart: number): boolean {
  const left = CLASSES[unitAt(text, numberStart - 1)] as number;
  if ((left & (LETTER | FOREIGN | UNDERSCORE)) === 0 || numberStart + 3 >= text.length) return false;
  return wordClassAt(text, numberStart + 2) === DIGIT || wordClassAt(text, numberStart + 3) === DIGIT;
}

/** Finds the whole word before `numberStart` if it is a keyword. */
export function findGluedKeyword(text: ScannedText, numberStart: number): TextKeyword | undefined {
  const end = unitAt(text, numberStart - 1) === UNDERSCORE_SIGN ? numberStart - 1 : numberStart;
  let start = end;
  while (start > 0 && end - start <= MAX_LENGTH && isLetter(unitAt(text, start - 1))) start--;
  const length = end - start;
  if (length === BRAND_CODE_LENGTH && end === numberStart && isUpper(unitAt(text, start)))
    return isBrandCode(text, start, end) ? { start, end, targets: BRAND_TARGETS } : undefined;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return undefined;
  if (start > 0 && CLASSES[unitAt(text, start - 1)] === DIGIT) return undefined;
  const hash = hashWordAt(text, start, end);
  const targets = findWords(hash)?.targets;
  if (targets === undefined) return undefined;
  // The name of a device can begin with three letters that are also a general keyword.
  const isShort = length === MIN_LENGTH && end === numberStart && targets.includes(GENERAL_TARGET);
  return { start, end, targets: isShort ? targets.filter((target) => target !== GENERAL_TARGET) : targets };
}

/** Whether text[start, end) is the code of a brand that issues numbers like the one at `end`. */
function isBrandCode(text: ScannedText, start: number, end: number): boolean {
  if (!isUpper(unitAt(text, start + 1))) return false;
  const digits = BRAND_DIGITS[letterPairAt(text, start)];
  return digits?.includes(text.charAt(end)) === true && BEFORE_BRAND_CODE.test(text.charAt(start - 1));
}

/** A person in a certificate (ETSI EN 319 412-1): `PNOEE-48302106234`, `TINIT-…`, `IDCES-…`. */
const SEMANTIC_IDENTIFIER = /(?<![\w-])(?:PNO|TIN|IDC)([A-Z]{2})-$/u;
const SEMANTIC_PREFIX_LENGTH = 6;
/**
 * The names of a person before the code in a certificate of Estonia: `CN=MARI\\,MAASIKAS\\,4830…`.
 */
const NAMES_IN_CERTIFICATE = /\bCN\s?=\s?\\{0,2}["']?(?:\p{L}[\p{L}\p{M} '-]{1,39}\\{0,2},\s?){2}$/u;
const MAX_NAMES_LENGTH = 96;
const CERTIFICATE_CODE_LENGTH = 11;
const GENERAL_TARGETS = [GENERAL_TARGET];
/** The code of a country directly before a number of it: `EE35306248808`. */
const COUNTRY_PREFIX_LENGTH = 2;

/** The country of a number, which is written before it. */
export interface CountryPrefix {
  readonly country: string;
  readonly keyword: TextKeyword;
}

/** Finds the semantic identifier of a country before `numberStart`; the hyphen is part of it. */
export function findSemanticPrefix(text: ScannedText, numberStart: number): CountryPrefix | undefined {
  const start = numberStart - SEMANTIC_PREFIX_LENGTH;
  if (start < 0 || !isUpper(unitAt(text, numberStart - 2)) || !isUpper(unitAt(text, start))) return undefined;
  const country = SEMANTIC_IDENTIFIER.exec(text.slice(Math.max(0, start - 1), numberStart))?.[1];
  if (country === undefined) return undefined;
  return { country, keyword: { start, end: numberStart - 1, targets: TARGETS_BY_COUNTRY.get(country) ?? [] } };
}

/** Finds the name `CN` before the names and the number of a person in a certificate. */
export function findCertificateKeyword(number: Candidate): TextKeyword | undefined {
  const { text, shape, start } = number;
  if (shape.length !== CERTIFICATE_CODE_LENGTH || !isBareDigits(number)) return undefined;
  const left = codeAt(text, start - 1);
  if (left !== COMMA && !(left === BLANK && codeAt(text, start - 2) === COMMA)) return undefined;
  const from = Math.max(0, start - MAX_NAMES_LENGTH);
  const names = NAMES_IN_CERTIFICATE.exec(text.slice(from, start));
  if (names === null) return undefined;
  const at = from + names.index;
  return { start: at, end: at + 2, targets: GENERAL_TARGETS };
}

/** The type of HL7 for a person's number at an authority, after the number: `^^^DOPA^NI`. */
const HL7_TYPE = /\^\^\^[^|^\s]{0,40}\^NI(?![\w])/uy;

/** Finds the type that HL7 writes after a person's number. It is a general keyword. */
export function findHl7Keyword({ text, start, end }: Candidate): TextKeyword | undefined {
  if (codeAt(text, end) !== CARET || !testAt(HL7_TYPE, text, end)) return undefined;
  return { start, end: start, targets: GENERAL_TARGETS };
}

/** Finds the code of a country before `numberStart`. The number still needs a keyword. */
export function findCountryPrefix(text: ScannedText, numberStart: number): CountryPrefix | undefined {
  const start = numberStart - COUNTRY_PREFIX_LENGTH;
  if (start < 0 || !isUpper(unitAt(text, start)) || !isUpper(unitAt(text, start + 1))) return undefined;
  if (wordClassOrZero(text, start - 1) !== 0 || codeAt(text, start - 1) === HYPHEN) return undefined;
  const country = COUNTRIES_BY_PAIR[letterPairAt(text, start)];
  if (country === undefined) return undefined;
  return { country, keyword: { start, end: numberStart, targets: [] } };
}

function isLetter(code: number): boolean {
  return ((CLASSES[code] as number) & (LETTER | FOREIGN)) !== 0;
}

/** The maximum number of characters between a keyword and the number after it: `"dni": "`. */
const MAX_GAP = 4;

/** The maximum number of words of a label, up to the number: `cedula_de_ciudadania`. */
const MAX_LABEL_WORDS = 3;

/** Keys whose document is in another field: `{"type":"DNI","number":"7…`, `"nro_doc":"7…`. */
const DOCUMENT_KEYS = hashWords('number doc');

/**
 * Whether a keyword of one word, or the key of a document, is among the last words before the
 * number at `numberStart`.
 */
export function followsKeyword(text: ScannedText, numberStart: number): boolean {
  const lowest = Math.max(0, numberStart - MAX_GAP);
  let end = numberStart;
  while (end > lowest && !isTextWord(unitAt(text, end - 1))) end--;
  for (let count = 0; count < MAX_LABEL_WORDS; count++) {
    let start = end;
    while (start > 0 && end - start <= MAX_LENGTH && isTextWord(unitAt(text, start - 1))) start--;
    if (start === end) return false;
    const hash = hashWordAt(text, start, end);
    if (DOCUMENT_KEYS.has(hash) || findWords(hash)?.targets !== undefined) return true;
    end = start - 1;
    const code = codeAt(text, end);
    if (code !== UNDERSCORE_SIGN && code !== HYPHEN && code !== BLANK) return false;
  }
  return false;
}
