// Finds the countries that a text names: `SUNAT`, `es-PE`, `country=PE`, `@example.com.pe`.
import { COUNTRIES } from '../../shared/pii/national-ids.ts';
import { hashWord, hashWordAt, normalizeWord } from './word-hash.ts';

/** The countries by the hashes of their words. Two countries can share a word, such as `afp`. */
const COUNTRIES_OF_WORDS = new Map<number, string[]>();
for (const { code, adjectives, words = '' } of COUNTRIES) {
  for (const word of [...adjectives, ...words.split(' ')]) {
    const hash = hashWord(normalizeWord(word));
    COUNTRIES_OF_WORDS.set(hash, [...(COUNTRIES_OF_WORDS.get(hash) ?? []), code]);
  }
}

/** A word, or a part of a `camelCase` word. */
const WORD = /\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+(?!\p{Ll})/gu;
/** The code of a country in a locale, in a field, and at the end of the name of a host. */
const CODE =
  /\b[a-z]{2}[_-]([A-Z]{2})\b|(?:[Cc]ountry|COUNTRY|[Pp]a[ií]s)(?:_?[Cc](?:ode|d))?["']?\s?[=:>]{1,2}\s?["']?([A-Z]{2})\b|(?:[@/][\w.-]{1,80}|\.(?:com?|go[bv]?|gouv|gub|org|edu|net|ac))\.([a-z]{2})(?![\w-]|\.\w)/gu;

/**
 * The countries that the current text names. A text is read once, and only if two schemes compete.
 */
export class TextCountries {
  #text = '';
  #countries: ReadonlySet<string> = new Set();

  /** The codes of the countries, ISO 3166-1 alpha-2. */
  in(text: string): ReadonlySet<string> {
    if (text !== this.#text) {
      this.#text = text;
      this.#countries = findCountries(text);
    }
    return this.#countries;
  }
}

function findCountries(text: string): ReadonlySet<string> {
  const countries = new Set<string>();
  for (const [word] of text.matchAll(WORD))
    for (const country of COUNTRIES_OF_WORDS.get(hashWordAt(word, 0, word.length)) ?? []) countries.add(country);
  for (const [, ...found] of text.matchAll(CODE)) {
    for (const code of found) if (code !== undefined) countries.add(code.toUpperCase());
  }
  return countries;
}
