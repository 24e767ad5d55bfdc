// Finds the countries that a text names: `SUNAT`, `es-PE`, `country=PE`, `@example.com.pe`.
import { COUNTRIES } from '../../shared/pii/national-ids.ts';
import { ALPHA3_CODES } from './alpha3-codes.ts';
import { characterClasses } from './character-classes.ts';
import type { ScannedText } from './scanned-text.ts';
import { beginsCamelCasePart } from './text-keywords.ts';
import { hashWord, hashWordAt, normalizeWord, WordSet } from './word-hash.ts';

const { CLASSES, codeAt, FOREIGN, LETTER } = characterClasses;

/** The countries by the hashes of their words. Two countries can share a word, such as `afp`. */
const COUNTRIES_OF_WORDS = new Map<number, string[]>();
for (const { code, adjectives, words = '' } of COUNTRIES) {
  for (const word of [...adjectives, ...words.split(' ')]) {
    const hash = hashWord(normalizeWord(word));
    COUNTRIES_OF_WORDS.set(hash, [...(COUNTRIES_OF_WORDS.get(hash) ?? []), code]);
  }
}

/** The same words. The set rejects most words of a text before a lookup in the map. */
const WORDS = new WordSet(COUNTRIES.flatMap(({ adjectives, words = '' }) => [...adjectives, ...words.split(' ')]));

/**
 * The code of a country in a locale (`es-PE`), in a field (`"countryCode":"PE"`, `COUNTRY=USA`) and
 * at the end of a host's name.
 */
const CODE =
  /\b[a-z]{2}[_-]([A-Z]{2})\b|(?:[Cc]ountry|COUNTRY|[Pp]a[ií]s)(?:_?[Cc](?:ode|d)|_CODE)?["']?\s?[=:>]{1,2}\s?["']?([A-Z]{2,3})\b|(?:[@/][\w.-]{1,80}|\.(?:com?|go[bv]?|gouv|gub|org|edu|net|ac))\.([a-z]{2})(?![\w-]|\.\w)/gu;
const ALPHA2_CODES = new Map([...ALPHA3_CODES].map(([alpha2, alpha3]) => [alpha3.toUpperCase(), alpha2]));

/** The countries of the current text, ISO 3166-1 alpha-2. A text is read once, if at all. */
export class TextCountries {
  #text = '';
  readonly #named = new Set<string>();
  readonly #inFields = new Set<string>();

  /** The countries that the text names, also in a field. */
  in(text: ScannedText): ReadonlySet<string> {
    this.#read(text);
    return this.#named;
  }

  /** The countries that are the value of a field: `country=PE`. */
  inFields(text: ScannedText): ReadonlySet<string> {
    this.#read(text);
    return this.#inFields;
  }

  #read(text: ScannedText): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#named.clear();
    this.#inFields.clear();
    this.#readWords(text);
    CODE.lastIndex = 0;
    // A match of `matchAll` takes longer.
    for (let found = CODE.exec(text); found !== null; found = CODE.exec(text)) {
      const [, locale, field, host] = found;
      if (field !== undefined) this.#inFields.add(ALPHA2_CODES.get(field) ?? field);
      else if (host !== undefined) this.#named.add(host.toUpperCase());
      else if (locale !== undefined) this.#named.add(locale);
    }
    for (const country of this.#inFields) this.#named.add(country);
  }

  #readWords(text: ScannedText): void {
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      if (isLetter(codeAt(text, at)) && (at === start || !beginsCamelCasePart(text, at, text.length))) continue;
      const hash = hashWordAt(text, start, at);
      if (at > start && WORDS.has(hash))
        for (const country of COUNTRIES_OF_WORDS.get(hash) ?? []) this.#named.add(country);
      start = isLetter(codeAt(text, at)) ? at : at + 1;
    }
  }
}

function isLetter(code: number): boolean {
  return ((CLASSES[code] as number) & (LETTER | FOREIGN)) !== 0;
}
