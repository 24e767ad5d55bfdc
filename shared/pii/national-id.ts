import type { PiiKind } from './pii-kind.ts';

/**
 * The keyword that a shape needs. `free`: none. `keyword`: a general keyword or a keyword of the
 * scheme. `own`: a keyword of the scheme.
 */
export type KeywordNeed = 'free' | 'keyword' | 'own';

/** A national id: the row that documents it, and how the scanner recognizes its numbers. */
export interface NationalId extends PiiKind {
  readonly type: 'national_id';
  readonly country: string;
  /**
   * Written forms: the length and class of every group (`4` digits, `9x` digits and letters, `2a`
   * letters) with the separators between them (`-`, `.`, `/`, `+`, a blank, `(`, `[`).
   */
  readonly shapes: Readonly<Record<string, KeywordNeed>>;
  /**
   * Whether a value can be a number of the scheme. The value has no separators. Its elements are 0
   * to 9 for digits, and 10 to 35 for A to Z in either case. Only the first `length` elements are
   * valid.
   */
  readonly check: (value: Uint8Array, length: number) => boolean;
  /** The data that `check` verifies: check digits, or only dates and ranges. */
  readonly evidence: 'checksum' | 'format';
  /** True if a number with lower-case letters needs no keyword. */
  readonly anyCase?: true;
  /**
   * True if a general keyword ("national id", "citizen") is not enough, because too many other
   * numbers have this form.
   */
  readonly ownKeywordOnly?: true;
  /**
   * Whether a value that passes `check` needs a keyword, such as a personnummer that can be a
   * timestamp.
   */
  readonly isAmbiguous?: (value: Uint8Array, length: number) => boolean;
}

/** A country with its national ids. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /**
   * English adjectives in lower case. An adjective before a general keyword names the country:
   * "Polish national id".
   */
  readonly adjectives: readonly string[];
  readonly schemes: readonly Omit<NationalId, 'type' | 'country'>[];
}
