// The national ids: the rows of `schemes/`, which are imported, so that a bundle contains them.
import { type Check, compileCheck } from './checks.ts';
import contextWords from './context-words.json' with { type: 'json' };
import { anything, flag, kind, listOf, lowerCase, readFields, recordOf, text } from './data-fields.ts';
import type { PiiKind } from './pii-kind.ts';
import africa from './schemes/africa.json' with { type: 'json' };
import americas from './schemes/americas.json' with { type: 'json' };
import asia from './schemes/asia.json' with { type: 'json' };
import europe from './schemes/europe.json' with { type: 'json' };
import oceania from './schemes/oceania.json' with { type: 'json' };

/**
 * Written forms by the keyword that they need. `free`: none. `keyword`: a general keyword or a
 * keyword of the scheme. `own`: a keyword of the scheme, because too many other numbers have this
 * form.
 *
 * A form is the length and class of every group (`4` digits, `9x` digits and letters, `2a` letters)
 * with the separators between them (`-`, `.`, `/`, `+`, a blank, `(`, `[`).
 */
interface Shapes {
  readonly free?: readonly string[];
  readonly keyword?: readonly string[];
  readonly own?: readonly string[];
}

/**
 * The labels that people write next to a number, in lower case, by their source. `official`: the
 * law or authority of the scheme. `unsourced`: no source is known. The inflected forms of a label
 * have its source.
 */
type Labels = Readonly<Record<string, readonly string[]>>;

/**
 * A national id, which is a row of `schemes/`: what documents it, and how the scanner recognizes
 * its numbers. All its labels are its keywords.
 */
export interface NationalId extends PiiKind {
  readonly type: 'national_id';
  readonly country: string;
  readonly shapes: Shapes;
  readonly labels: Labels;
  /**
   * Labels that are also ordinary words, such as `run`. One is enough for the forms of
   * `shapes.keyword`, and only if nothing but punctuation is between it and the number.
   */
  readonly ambiguousLabels?: Labels;
  readonly check: Check;
  /** `format`: `check` verifies only dates and ranges. Otherwise it verifies check digits. */
  readonly evidence?: 'format';
  /**
   * True if one in ten similar values passes `check`. Under a label that is neither a keyword nor
   * neutral, the number needs a keyword.
   */
  readonly isWeak?: true;
  /** True if a number with lower-case letters needs no keyword. */
  readonly anyCase?: true;
  /**
   * Whether a value that passes `check` has no check digit, unlike others of the scheme. A general
   * keyword is not enough for it.
   */
  readonly isUnchecked?: Check;
  /**
   * Whether a value that passes `check` needs a keyword, such as a personnummer that can be a
   * timestamp.
   */
  readonly isAmbiguous?: Check;
}

/** A country with national ids. */
interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /**
   * English adjectives in lower case. An adjective before a general keyword names the country:
   * "Polish national id".
   */
  readonly adjectives: readonly string[];
  /**
   * Other words in lower case, separated by blanks, that name the country anywhere in a text: its
   * names, cities and authorities. They decide between countries that share a label, such as `dni`.
   */
  readonly words?: string;
}

interface NationalIds {
  readonly countries: readonly Country[];
  readonly nationalIds: readonly NationalId[];
}

const code = kind<string>('a code of ISO 3166-1 alpha-2', (value) => /^[A-Z]{2}$/.test(String(value)));
const id = kind<string>('lower-case letters and underscores', (value) => /^[a-z_]+$/.test(String(value)));
const form = kind<string>('a written form, such as "3-2-4" or "9x"', (value) =>
  /^\d{1,2}[xa]?(?:[-./+ ([]\d{1,2}[xa]?)*$/.test(String(value)),
);
const labels = recordOf(listOf(lowerCase));

const COUNTRY = { country: code, adjectives: listOf(lowerCase), schemes: listOf(anything) };
const SCHEME = {
  scheme: id,
  name: text,
  pattern: text,
  checksum: text,
  source: text,
  check: anything,
  shapes: recordOf(listOf(form)),
  labels,
};
const OPTIONAL = {
  context: text,
  evidence: kind<'format'>('"format", or absent', (value) => value === 'format'),
  isWeak: flag,
  anyCase: flag,
  isUnchecked: anything,
  isAmbiguous: anything,
  ambiguousLabels: labels,
};
const SHAPES = { free: listOf(form), keyword: listOf(form), own: listOf(form) };

/**
 * Reads the national ids of files, by their names. The order of files and rows is that of
 * precedence: if two schemes accept a value on equal evidence, the earlier one names the finding.
 * @throws Error that names the row and the field that is invalid.
 */
export function readNationalIds(files: Readonly<Record<string, unknown>>): NationalIds {
  const countries: Country[] = [];
  const rows: { where: string; country: string; row: ReturnType<typeof readScheme> }[] = [];
  for (const [file, content] of Object.entries(files)) {
    for (const data of content as readonly unknown[]) {
      const { country, adjectives, schemes } = readFields(`A country of ${file}`, data, COUNTRY, {});
      countries.push({ code: country, adjectives });
      for (const scheme of schemes) {
        const where = `${file}: ${String((scheme as { scheme?: unknown }).scheme)}`;
        rows.push({ where, country, row: readScheme(where, scheme) });
      }
    }
  }
  const rowsById = new Map(rows.map(({ row }) => [row.scheme, row]));
  if (rowsById.size < rows.length) throw new Error('Two schemes have the same id.');

  const compile = (where: string, data: unknown): Check =>
    compileCheck(where, data, (scheme) => {
      const other = rowsById.get(scheme);
      if (other === undefined) throw new Error(`${where}: there is no scheme "${scheme}".`);
      return compileCheck(where, other.check, () => {
        throw new Error(`${where}: the check of "${scheme}" is that of another scheme.`);
      });
    });
  const nationalIds = rows.map(({ where, country, row }): NationalId => {
    const { check, isUnchecked, isAmbiguous, ...others } = row;
    return {
      context: 'always needed',
      ...others,
      type: 'national_id',
      country,
      keywords: [row.labels, row.ambiguousLabels ?? {}].flatMap((sources) => Object.values(sources).flat()),
      check: compile(where, check),
      ...(isUnchecked !== undefined && { isUnchecked: compile(where, isUnchecked) }),
      ...(isAmbiguous !== undefined && { isAmbiguous: compile(where, isAmbiguous) }),
    };
  });
  return { countries, nationalIds };
}

function readScheme(where: string, data: unknown) {
  const row = readFields(where, data, SCHEME, OPTIONAL);
  readFields(`${where}: shapes`, row.shapes, {}, SHAPES);
  return row;
}

const { countries, nationalIds } = readNationalIds({
  'schemes/europe.json': europe,
  'schemes/americas.json': americas,
  'schemes/asia.json': asia,
  'schemes/africa.json': africa,
  'schemes/oceania.json': oceania,
});

const words: Readonly<Record<string, string>> = contextWords;

/** Every country with national ids, in order of precedence. */
export const COUNTRIES: readonly Country[] = countries.map((country) => {
  const ofCountry = words[country.code];
  return { ...country, ...(ofCountry !== undefined && { words: ofCountry }) };
});

/** The national ids of every country, in order of precedence. */
export const NATIONAL_IDS: readonly NationalId[] = nationalIds;
