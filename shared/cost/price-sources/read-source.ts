// Reads a source to its end, and keeps what the comparison and the reader need of it.
import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';
import { findAwsFiles } from './aws-files.ts';
import { readAwsOffer } from './aws-offer.ts';
import { readBook } from './book.ts';
import { readGenaiPrices } from './genai-prices.ts';
import { installedGenaiPrices } from './genai-prices-package.ts';
import { readLitellm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import { type OnProgress, openFile } from './open-file.ts';
import { readPortkey } from './portkey.ts';
import { type PricePoint, SourceError, type SourceFile, type SourceKind, type SourceReader } from './price-point.ts';
import type { SourceName } from './source-name.ts';

export interface SourceReading {
  source: SourceKind;
  points: PricePoint[];
  refusals: { reason: string; where: string }[];
  /** The price book of another installation. */
  book?: PriceBookFile;
  /** The unknown models, kinds, units and Regions with the place of their first price. */
  unmapped: Map<string, string>;
  /** The number of prices that were left out, by reason. */
  leftOut: Map<string, number>;
}

const readers: Readonly<Record<SourceKind, SourceReader>> = {
  aws: readAwsOffer,
  litellm: readLitellm,
  'models.dev': readModelsDev,
  portkey: readPortkey,
  'genai-prices': readGenaiPrices,
  book: readBook,
};

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
  today: string,
  { only, onProgress = () => undefined }: ReadOptions = {},
): Promise<SourceReading> {
  const isRead = (service: PriceLineId['service']) => only?.includes(service) ?? true;
  const reading: SourceReading = { source: kind, points: [], refusals: [], unmapped: new Map(), leftOut: new Map() };
  try {
    for await (const file of filesOf({ kind, location }, { book, isRead, onProgress })) {
      for await (const entry of readers[kind](file, book, today, isRead)) {
        if (entry.type === 'price') {
          if (isRead(entry.service)) reading.points.push(entry);
        } else if (entry.type === 'book') reading.book = entry.book;
        else if (entry.type === 'refused') reading.refusals.push({ reason: entry.reason, where: entry.where });
        else if (entry.type === 'left-out')
          reading.leftOut.set(entry.reason, (reading.leftOut.get(entry.reason) ?? 0) + 1);
        else if (reading.unmapped.size < maxListed && !reading.unmapped.has(entry.name)) {
          reading.unmapped.set(entry.name, entry.where);
        }
        if (reading.points.length > maxPoints || reading.refusals.length > maxListed) {
          throw new SourceError(file.name, `the file has more than ${maxPoints} prices or ${maxListed} invalid ones`);
        }
      }
    }
    if (reading.points.length === 0 && reading.refusals.length === 0) {
      const what = only ? `${only.join(' or ')} price` : 'price';
      throw new SourceError(location || kind, `the source has no ${what} of the format ${kind}`);
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
  else if (kind === 'genai-prices') yield await installedGenaiPrices();
  else yield openFile(location, context.onProgress);
}
