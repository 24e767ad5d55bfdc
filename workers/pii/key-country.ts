// Finds the country that is named directly before a number: `cedula_ec=`, `ES/AT/`.
import { COUNTRIES } from '../../shared/pii/national-ids.ts';
import { characterClasses } from './character-classes.ts';
import type { OwnKey } from './own-key.ts';
import type { ScannedText } from './scanned-text.ts';

const { isLower, isTextWord, isUpper, unitAt } = characterClasses;

/** Codes of countries that are also words of keys: `card_no`, `logged_in`, `numero_de`. */
const ORDINARY_WORDS = new Set('NO IN IS DE IT DO ID AT BE SI MY CO US LA EL AE'.split(' '));
/** After `id`, these codes name a country: `national_id_de`. */
const CODES_AFTER_ID = new Set('DE IT BE SI US AE'.split(' '));
const ENDS_WITH_ID = /id[_-]?$/iu;
/** By their codes. A key of Slovakia can have a number of Czechia, and the reverse. */
const KEY_COUNTRIES = new Map(COUNTRIES.map(({ code }) => [code, code === 'SK' ? 'CZ' : code]));

/** The country whose code is the last part of the key: `cedula_ec`, `cedulaIdentidadUy`. */
export function findKeyCountry(text: ScannedText, { start, end }: OwnKey): string | undefined {
  const from = end - 2;
  if (from <= start || !isTextWord(unitAt(text, from)) || !isTextWord(unitAt(text, end - 1))) return undefined;
  const isPart = isTextWord(unitAt(text, from - 1))
    ? isUpper(unitAt(text, from)) && isLower(unitAt(text, from - 1)) && isLower(unitAt(text, end - 1))
    : true;
  if (!isPart) return undefined;
  const code = text.slice(from, end).toUpperCase();
  const country = KEY_COUNTRIES.get(code);
  if (country === undefined || !ORDINARY_WORDS.has(code)) return country;
  return CODES_AFTER_ID.has(code) && ENDS_WITH_ID.test(text.slice(start, from)) ? country : undefined;
}

/** The countries of eIDAS, which are those of the European Economic Area. */
const EEA = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);
/** The countries that issued a person's identifier and that receive it: `ES/AT/44393163N`. */
const EIDAS_COUNTRIES = /(?<![\w/])([A-Z]{2})\/[A-Z]{2}\/$/u;
const EIDAS_LENGTH = 7;

/** The country that issued the identifier of eIDAS at `numberStart`. */
export function findEidasCountry(text: string, numberStart: number): string | undefined {
  const code = EIDAS_COUNTRIES.exec(text.slice(Math.max(0, numberStart - EIDAS_LENGTH), numberStart))?.[1];
  return code !== undefined && EEA.has(code) ? KEY_COUNTRIES.get(code) : undefined;
}
