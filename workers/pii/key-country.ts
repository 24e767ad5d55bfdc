// Finds the country that a key names: `cedula_ec=`.
import { COUNTRIES } from '../../shared/pii/national-ids.ts';
import { characterClasses } from './character-classes.ts';
import type { OwnKey } from './own-key.ts';

const { isLower, isTextWord, isUpper } = characterClasses;

/** Codes of countries that are also words of keys: `card_no`, `logged_in`, `numero_de`. */
const ORDINARY_WORDS = 'NO IN IS DE IT DO ID AT BE SI MY CO US LA EL AE';
const KEY_COUNTRIES = new Map(
  COUNTRIES.map(({ code }) => code)
    .filter((code) => !ORDINARY_WORDS.split(' ').includes(code))
    // A key of either country can have a number of the other.
    .map((code) => [code, code === 'SK' ? 'CZ' : code]),
);

/** The country whose code is the last part of the key: `cedula_ec`, `cedulaIdentidadUy`. */
export function findKeyCountry(text: string, { start, end }: OwnKey): string | undefined {
  const from = end - 2;
  if (from <= start || !isTextWord(text.charCodeAt(from)) || !isTextWord(text.charCodeAt(end - 1))) return undefined;
  const isPart = isTextWord(text.charCodeAt(from - 1))
    ? isUpper(text.charCodeAt(from)) && isLower(text.charCodeAt(from - 1)) && isLower(text.charCodeAt(end - 1))
    : true;
  return isPart ? KEY_COUNTRIES.get(text.slice(from, end).toUpperCase()) : undefined;
}
