import type { PiiType } from './pii-kind.ts';

/** Personal data in a text. */
export interface Finding {
  type: PiiType;
  /** UTF-16 offsets in the scanned text, half open. */
  start: number;
  end: number;
  /** ISO 3166-1 alpha-2; national ids only. */
  country?: string;
  /** 0 to 1. */
  confidence: number;
  /**
   * The evidence: a check digit, a keyword near the value, or only the form with its dates and
   * ranges.
   */
  rule: 'checksum' | 'context' | 'format';
  /** The row of `PII_KINDS`. */
  scheme: string;
}
