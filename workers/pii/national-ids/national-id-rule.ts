import type { NationalIdScheme } from '../../../shared/pii-kinds/pii-kinds.ts';

/** Whether a shape counts by itself (`free`), asks for a key word (`word`), or for one of the scheme's own (`own`). */
export type KeyWordNeed = 'free' | 'word' | 'own';

/**
 * One scheme as the scanner sees it.
 *
 * `shapes` are written forms: groups as length and class (`4` digits, `9x` letters and digits, `2a` letters only) with their
 * separators between (`-`, `.`, `/`, `+`, a blank, `(`, `[`). `check` gets the value without separators, 0 to 9 for digits and 10 to 35
 * for A to Z in either case, and says whether it can be a number of the scheme.
 */
export interface NationalIdRule {
  readonly scheme: NationalIdScheme;
  readonly shapes: Readonly<Record<string, KeyWordNeed>>;
  readonly check: (value: Uint8Array, length: number) => boolean;
  /** What `check` rests on; `format` stands for a date or a range only. */
  readonly evidence: 'checksum' | 'format';
  /** Whether lower-case letters count as much as upper-case ones; otherwise they ask for a key word. */
  readonly anyCase?: true;
  /** A general key word ("national id", "citizen") is not enough: the form is too common. */
  readonly ownWordOnly?: true;
  /** Values that pass and yet ask for a key word, such as a personnummer that reads as a time stamp. */
  readonly doubtful?: (value: Uint8Array, length: number) => boolean;
}
