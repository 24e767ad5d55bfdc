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
export type Labels = Readonly<Record<string, readonly string[]>>;

/** A national id: the row that documents it, and how the scanner recognizes its numbers. */
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
  /**
   * Keys that are references elsewhere, in lower case. Near a label of the scheme they name its
   * numbers: `uid=` in a request to the authority of `aadhaar`.
   */
  readonly keysBesideLabel?: readonly string[];
  /** Object identifiers of the scheme, which name it like a label: `urn:oid:1.2.246.21`. */
  readonly oids?: readonly string[];
  /**
   * Whether a value can be a number of the scheme. The value has no separators. Its elements are 0
   * to 9 for digits, and 10 to 35 for A to Z in either case. Only the first `length` elements are
   * valid.
   */
  readonly check: (value: Uint8Array, length: number) => boolean;
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
  readonly isUnchecked?: (value: Uint8Array) => boolean;
  /**
   * Whether a value that passes `check` needs a keyword, such as a personnummer that can be a
   * timestamp.
   */
  readonly isAmbiguous?: (value: Uint8Array, length: number) => boolean;
}

/**
 * A scheme of a country. All its labels are its keywords. The default of `context` is that a
 * keyword is always needed.
 */
type Scheme = Omit<NationalId, 'type' | 'country' | 'context' | 'keywords'> & Partial<Pick<NationalId, 'context'>>;

/** A country with its national ids. */
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
  readonly schemes: readonly Scheme[];
}

// Labels of several countries.
export const SOCIAL_SECURITY_KEYWORDS = ['social security number', 'social security no', 'social security'] as const;
export const TAX_NUMBER_KEYWORDS = ['tax id', 'tax number', 'tax identification number', 'tin'] as const;
