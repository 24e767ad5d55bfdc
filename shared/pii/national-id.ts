import type { Check } from './checksums.ts';
import type { PiiKind } from './pii-kind.ts';

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
export interface Country {
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
