// The common form of everything that a source of prices says.
import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';

export type { InferenceKind, PriceLineId } from '../price-line.ts';

/** `aws` is the vendor's price list; `book` is the book of another installation. */
export type SourceKind = 'aws' | 'book';

/** One price of a source, in the unit of the price book. */
export interface PricePoint extends PriceLineId {
  type: 'price';
  /** The exact amount in USD as decimal text without an exponent. */
  amount: string;
  /** The price applies to the units above `from`, up to and including `to`. Null: no limit. */
  from: bigint;
  to: bigint | null;
  /** The day from which the price applies, if the source tells it. */
  effectiveDate: string | null;
  /** The day on which the source was published or last checked, if it tells. */
  evidenceDate: string | null;
  /** File and JSON path, for messages. */
  where: string;
  /** The maker of a model, if the source tells it. */
  maker?: string;
}

export type SourceEntry =
  | PricePoint
  /** The price book of another installation, whose prices follow. */
  | { type: 'book'; book: PriceBookFile }
  /** A price of a kind that the service does not use: it is counted. */
  | { type: 'left-out'; reason: string }
  /** A price whose model or Region is unknown: it is listed. */
  | { type: 'unmapped'; name: string; where: string }
  /** A price that cannot be read: it is left out and listed, with the other tiers of its line. */
  | { type: 'unusable'; line: PriceLineId; reason: string; where: string }
  /** A price that must not be used: the whole run changes nothing. */
  | { type: 'refused'; reason: string; where: string };

/** A file of a source, read once. */
export interface SourceFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** The Region whose prices the vendor's index promises in this file. */
  expectedRegion?: string;
}

/** Whether the prices of a service are read. */
export type IsRead = (service: PriceLineId['service']) => boolean;

/** Reads the prices of one file. @throws SourceError if the file is malformed or truncated. */
export type SourceReader = (file: SourceFile, book: PriceBookFile, isRead?: IsRead) => AsyncIterable<SourceEntry>;

/** A source that cannot be read to its end. Nothing of it may be used. */
export class SourceError extends Error {
  readonly where: string;

  constructor(where: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'SourceError';
    this.where = where;
  }
}
