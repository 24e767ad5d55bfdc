import type { NationalIdScheme } from '../../../shared/pii-kinds/pii-kinds.ts';

/**
 * Which keyword a shape needs: none (`free`), a general one or one of the scheme (`keyword`), or one of the scheme
 * (`own`).
 */
export type KeywordNeed = 'free' | 'keyword' | 'own';

/** How the scanner recognizes the numbers of a scheme. */
export interface NationalIdRule {
  readonly scheme: NationalIdScheme;
  /**
   * Written forms: the length and class of every group (`4` digits, `9x` digits and letters, `2a` letters) with the
   * separators between them (`-`, `.`, `/`, `+`, a blank, `(`, `[`).
   */
  readonly shapes: Readonly<Record<string, KeywordNeed>>;
  /**
   * Whether a value can be a number of the scheme. The value has no separators; it is 0 to 9 for digits, 10 to 35 for A
   * to Z in either case. Only its first `length` elements are valid.
   */
  readonly check: (value: Uint8Array, length: number) => boolean;
  /** What `check` verifies: check digits, or only dates and ranges. */
  readonly evidence: 'checksum' | 'format';
  /** Lower-case letters need no keyword. */
  readonly anyCase?: true;
  /** A general keyword ("national id", "citizen") is not enough: too many other numbers have this form. */
  readonly ownKeywordOnly?: true;
  /** Whether a value that passes `check` needs a keyword, such as a personnummer that can be a timestamp. */
  readonly isAmbiguous?: (value: Uint8Array, length: number) => boolean;
}
