import { COUNTRIES } from './national-ids.ts';
import { hashWord } from './words.ts';

/** The hashes of the words that name a country: its names, cities and authorities. */
const WORDS_BY_COUNTRY = new Map(
  COUNTRIES.map(({ code, adjectives, words = '' }) => [
    code,
    new Set([...adjectives, ...words.split(' ')].map((word) => hashWord(word))),
  ]),
);
const WORD = /[\p{L}\p{M}]+/gu;
const MAX_TEXT_LENGTH = 1024;

/** Whether a word of the text names the country: `SUNAT`, `Perú`. */
export function namesCountry(text: string, country: string): boolean {
  const words = WORDS_BY_COUNTRY.get(country);
  if (words === undefined) return false;
  for (const [word] of text.slice(0, MAX_TEXT_LENGTH).matchAll(WORD)) if (words.has(hashWord(word))) return true;
  return false;
}
