import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';
import type { BookLine } from './book-lines.ts';
import type { LineComparison } from './finding.ts';
import type { ReadLine } from './price-lines.ts';

export interface CompareOptions {
  /** The day of the comparison, `2026-11-23`. */
  today: string;
  /** Accepts prices that change by more than a factor of 10. */
  acceptLargeChanges?: boolean;
  /** The services whose prices are compared. Default: all. */
  only?: readonly PriceLineId['service'][] | undefined;
}

export interface CompareContext {
  book: PriceBookFile;
  /** The prices of the book by `keyOf`. */
  known: ReadonlyMap<string, BookLine>;
  /** The keys of all prices of the source that apply today. */
  read: ReadonlySet<string>;
  options: CompareOptions;
}

/** Compares one line of a source with the book. */
export type CompareLine = (line: ReadLine, context: CompareContext) => LineComparison;
