// The national ids: the rows of `schemes/`, which are imported, so that a bundle contains them.
// `personal-data.schema.json` is their form, which a test verifies.
import { type Check, type CheckData, compileCheck } from './checks.ts';
import contextWords from './context-words.json' with { type: 'json' };
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
  readonly words: string;
}

/** A row of `schemes/`. */
interface SchemeRow extends Omit<NationalId, 'type' | 'country' | 'context' | 'keywords' | CheckField> {
  readonly context?: string;
  readonly check: CheckData;
  readonly isUnchecked?: CheckData;
  readonly isAmbiguous?: CheckData;
}
type CheckField = 'check' | 'isUnchecked' | 'isAmbiguous';

interface CountryRow extends Pick<Country, 'adjectives'> {
  readonly country: string;
  readonly schemes: readonly SchemeRow[];
}

/** If two schemes accept a value on equal evidence, the earlier one names the finding. */
const rows = [europe, americas, asia, africa, oceania].flat() as unknown as readonly CountryRow[];
const rowsById = new Map(rows.flatMap(({ schemes }) => schemes).map((row) => [row.scheme, row]));

function compile(data: CheckData): Check {
  return compileCheck(data, (scheme) => compile((rowsById.get(scheme) as SchemeRow).check));
}

/** The national ids of every country, in order of precedence. */
export const NATIONAL_IDS: readonly NationalId[] = rows.flatMap(({ country, schemes }) =>
  schemes.map(
    ({ check, isUnchecked, isAmbiguous, ...row }): NationalId => ({
      context: 'always needed',
      ...row,
      type: 'national_id',
      country,
      keywords: [row.labels, row.ambiguousLabels ?? {}].flatMap((sources) => Object.values(sources).flat()),
      check: compile(check),
      ...(isUnchecked !== undefined && { isUnchecked: compile(isUnchecked) }),
      ...(isAmbiguous !== undefined && { isAmbiguous: compile(isAmbiguous) }),
    }),
  ),
);

const words: Readonly<Record<string, string>> = contextWords;

/** Every country with national ids, in order of precedence. */
export const COUNTRIES: readonly Country[] = rows.map(({ country, adjectives }) => ({
  code: country,
  adjectives,
  words: words[country] ?? '',
}));
