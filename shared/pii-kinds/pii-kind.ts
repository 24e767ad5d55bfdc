/** The three types of finding that the service reports. */
export const piiTypes = ['email', 'national_id', 'payment_card'] as const;
export type PiiType = (typeof piiTypes)[number];

/** One row of the table of what is looked for: enough to answer "would this number be found, and by which rule?". */
export interface PiiKind {
  readonly type: PiiType;
  /** ISO 3166-1 alpha-2; national ids only. */
  readonly country?: string;
  /** Stable id of the row; a finding names it. */
  readonly scheme: string;
  readonly name: string;
  /** The written form, in words: `9` stands for a digit, `A` for a letter, `X` for either. */
  readonly pattern: string;
  readonly checksum: string;
  /** When a key word near by is needed, in words. */
  readonly context: string;
  /** Whole words (or parts of a key such as `user_ssn`, `userSsn`) that gate this scheme, in lower case. */
  readonly keywords: readonly string[];
  readonly source: string;
}
