// Reads a source to its end, and keeps what the comparison and the reader need of it.

import type { PriceBookFile } from '../price-book-file.ts';
import type { LeftOutPrice } from '../price-changes/finding.ts';
import type { Refusal } from '../price-changes/price-lines.ts';
import type { PriceLineId } from '../price-line.ts';
import { findAwsFiles } from './aws-files.ts';
import { readAwsOffer } from './aws-offer.ts';
import { readBook } from './book.ts';
import { type OnProgress, openFile } from './open-file.ts';
import { type PricePoint, SourceError, type SourceFile, type SourceKind, type SourceReader } from './price-point.ts';

export interface SourceReading {
  source: SourceKind;
  points: PricePoint[];
  refusals: Refusal[];
  /** The prices that cannot be read. */
  unusable: LeftOutPrice[];
  /** The price book of another installation. */
  book?: PriceBookFile;
  /** The unknown models, kinds, units and Regions with the place of their first price. */
  unmapped: Map<string, string>;
  /** The number of prices that were left out, by reason. */
  leftOut: Map<string, number>;
}

const readers: Readonly<Record<SourceKind, SourceReader>> = { aws: readAwsOffer, book: readBook };

/** The names of sources, for messages. */
export const sourceForms = 'aws:FOLDER_OR_URL or book:FILE_OR_URL';

export interface SourceName {
  kind: SourceKind;
  /** A file, a folder or an address. */
  location: string;
}

/** Parses `aws:./offers`. @throws RangeError that lists the sources. */
export function parseSourceName(text: string): SourceName {
  const [, kind, location] = /^(aws|book):(.+)$/s.exec(text) ?? [];
  if (location === undefined) throw new RangeError(`"${text}" is not a source: use ${sourceForms}.`);
  return { kind: kind as SourceKind, location };
}

/** More would fill the memory: such a file is not of the format. */
const maxPoints = 500_000;
const maxListed = 10_000;

interface ReadOptions {
  /** The services whose prices are read. Default: all. */
  only?: readonly PriceLineId['service'][] | undefined;
  onProgress?: OnProgress | undefined;
}

/** Reads a source. A file that cannot be read to its end is a refusal of the whole source. */
export async function readSource(
  { kind, location }: SourceName,
  book: PriceBookFile,
  { only, onProgress = () => undefined }: ReadOptions = {},
): Promise<SourceReading> {
  const isRead = (service: PriceLineId['service']) => only?.includes(service) ?? true;
  const reading: SourceReading = {
    source: kind,
    points: [],
    refusals: [],
    unusable: [],
    unmapped: new Map(),
    leftOut: new Map(),
  };
  try {
    for await (const file of filesOf({ kind, location }, { book, isRead, onProgress })) {
      for await (const entry of readers[kind](file, book, isRead)) {
        if (entry.type === 'price') {
          if (isRead(entry.service)) reading.points.push(entry);
        } else if (entry.type === 'book') reading.book = entry.book;
        else if (entry.type === 'refused') reading.refusals.push({ reason: entry.reason, where: entry.where });
        else if (entry.type === 'unusable') {
          if (isRead(entry.line.service)) reading.unusable.push(entry);
        } else if (entry.type === 'left-out')
          reading.leftOut.set(entry.reason, (reading.leftOut.get(entry.reason) ?? 0) + 1);
        else if (reading.unmapped.size < maxListed && !reading.unmapped.has(entry.name)) {
          reading.unmapped.set(entry.name, entry.where);
        }
        if (reading.points.length > maxPoints || reading.refusals.length + reading.unusable.length > maxListed) {
          throw new SourceError(file.name, `the file has more than ${maxPoints} prices or ${maxListed} invalid ones`);
        }
      }
    }
    if (reading.points.length === 0 && reading.refusals.length === 0) {
      const what = only ? `${only.join(' or ')} price` : 'price';
      throw new SourceError(location, `the source has no ${what} of the format ${kind}`);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    reading.refusals.push({ reason: error.message, where: error.where });
  }
  return reading;
}

async function* filesOf(
  { kind, location }: SourceName,
  context: Parameters<typeof findAwsFiles>[1],
): AsyncGenerator<SourceFile> {
  if (kind === 'aws') yield* findAwsFiles(location, context);
  else yield openFile(location, context.onProgress);
}
