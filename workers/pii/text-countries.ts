// Finds the countries that a text names: `SUNAT`, `es-PE`, `country=PE`, `@example.com.pe`.
import { COUNTRIES } from '../../shared/pii/national-ids.ts';
import { ALPHA3_CODES } from './alpha3-codes.ts';
import { characterClasses } from './character-classes.ts';
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

/** The code of a country in a field: `"countryCode":"PE"`, `COUNTRY=USA`. */
const FIELD = /(?:[Cc]ountry|COUNTRY|[Pp]a[ií]s)(?:_?[Cc](?:ode|d)|_CODE)?["']?\s?[=:>]{1,2}\s?["']?([A-Z]{2,3})\b/gu;
/** The code of a country in a locale, and at the end of the name of a host. */
const CODE =
  /\b[a-z]{2}[_-]([A-Z]{2})\b|(?:[@/][\w.-]{1,80}|\.(?:com?|go[bv]?|gouv|gub|org|edu|net|ac))\.([a-z]{2})(?![\w-]|\.\w)/gu;

const ALPHA2_CODES = new Map([...ALPHA3_CODES].map(([alpha2, alpha3]) => [alpha3.toUpperCase(), alpha2]));

/** The countries of the current text, ISO 3166-1 alpha-2. A text is read once, if at all. */
export class TextCountries {
  readonly #named = new LastResult(findCountries);
  readonly #fields = new LastResult(findFields);

  /** The countries that the text names, also in a field. */
  in(text: string): ReadonlySet<string> {
    return this.#named.of(text);
  }

  /** The countries that are the value of a field: `country=PE`. */
  inFields(text: string): ReadonlySet<string> {
    return this.#fields.of(text);
  }
}

/** The result of a function for the last text. */
class LastResult {
  readonly #find: (text: string) => ReadonlySet<string>;
  #text = '';
  #result: ReadonlySet<string> = new Set();

  constructor(find: (text: string) => ReadonlySet<string>) {
    this.#find = find;
  }

  of(text: string): ReadonlySet<string> {
    if (text !== this.#text) {
      this.#text = text;
      this.#result = this.#find(text);
    }
    return this.#result;
  }
}

function findCountries(text: string): ReadonlySet<string> {
  const countries = new Set(findFields(text));
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (isLetter(codeAt(text, at)) && (at === start || !beginsCamelCasePart(text, at, text.length))) continue;
    const hash = hashWordAt(text, start, at);
    if (at > start && WORDS.has(hash)) for (const country of COUNTRIES_OF_WORDS.get(hash) ?? []) countries.add(country);
    start = isLetter(codeAt(text, at)) ? at : at + 1;
  }
  for (const [, ...found] of text.matchAll(CODE)) {
    for (const code of found) if (code !== undefined) countries.add(code.toUpperCase());
  }
  return countries;
}

function isLetter(code: number): boolean {
  return ((CLASSES[code] as number) & (LETTER | FOREIGN)) !== 0;
}

function findFields(text: string): ReadonlySet<string> {
  const countries = new Set<string>();
  for (const [, code = ''] of text.matchAll(FIELD)) countries.add(ALPHA2_CODES.get(code) ?? code);
  return countries;
}
