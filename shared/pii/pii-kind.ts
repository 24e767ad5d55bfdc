/** The types of personal data that the service reports. */
export const piiTypes = ['email', 'national_id', 'payment_card'] as const;
export type PiiType = (typeof piiTypes)[number];

/**
 * A kind of personal data that the scanner detects. The row documents which values are found, and
 * by which rule.
 */
export interface PiiKind {
  readonly type: PiiType;
  /** ISO 3166-1 alpha-2; national ids only. */
  readonly country?: string;
  /** Stable id of the row. Findings refer to it. */
  readonly scheme: string;
  readonly name: string;
  /** The written form, in words. `9` is a digit, `A` is a letter, `X` is either of them. */
  readonly pattern: string;
  readonly checksum: string;
  /** When a keyword near the value is needed, in words. */
  readonly context: string;
  /**
   * Keywords in lower case. They match whole words, and whole parts of keys such as `user_ssn` and
   * `userSsn`.
   */
  readonly keywords: readonly string[];
  readonly source: string;
}
