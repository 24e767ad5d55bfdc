// Reads a source of prices to its end: the vendor's price list, or the price book of another
// installation.
import { StartError } from '../../errors.ts';
import { bookLines, restorePrice } from '../book-lines.ts';
import { createPriceBook } from '../price-book.ts';
import { type PriceBookFile, versionOf } from '../price-book-file.ts';
import { newestDay, pricePlaces, type Service, services } from '../price-line.ts';
import { findAwsFiles, partitionOf, readAwsOffer } from './aws-offer.ts';
import {
  type OnProgress,
  openFile,
  pathIn,
  type ReadContext,
  readJson,
  SourceError,
  type SourceFile,
  type SourceKind,
  SourceReading,
} from './source-file.ts';

interface ReadOptions {
  /** Default: all services. */
  only?: readonly Service[] | undefined;
  onProgress?: OnProgress | undefined;
}

/** The names of sources, for messages. */
export const sourceForms = 'aws:FOLDER_OR_URL or book:FILE_OR_URL';

export interface SourceName {
  kind: SourceKind;
  /** A file, a folder or an address. */
  location: string;
}

/** Parses `aws:./offers`. @throws StartError that lists the sources. */
export function parseSourceName(name: string): SourceName {
  const [, kind, location] = /^(aws|book):(.+)$/s.exec(name) ?? [];
  if (location === undefined) throw new StartError(`"${name}" is not a source: use ${sourceForms}.`);
  return { kind: kind as SourceKind, location };
}

/** Reads a source. A file that cannot be read to its end is a refusal of the whole source. */
export async function readSource(
  { kind, location }: SourceName,
  book: PriceBookFile,
  { only = services, onProgress = () => undefined }: ReadOptions = {},
): Promise<SourceReading> {
  const reading = new SourceReading();
  const context = { book, only, onProgress };
  try {
    if (kind === 'book') await readBook(openFile(location, onProgress), reading, context);
    else for await (const file of findAwsFiles(location, context)) await readAwsOffer(file, reading, context);
    if (reading.points.length === 0 && reading.refusals.length === 0) {
      const what = only === services ? 'price' : `${only.join(' or ')} price`;
      throw new SourceError(location, `the source has no ${what} of the format ${kind}`);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    reading.refusals.push({ reason: error.message, where: error.where });
  }
  return reading;
}

/** Reads the price book of another installation. */
export async function readBook(file: SourceFile, reading: SourceReading, context: ReadContext): Promise<void> {
  const { name } = file;
  const book = await parseBook(file, reading, context);
  reading.book = book;
  const { book: current, only } = context;
  const refuse = (reason: string, ...keys: string[]) => reading.refusals.push({ reason, where: pathIn(name, ...keys) });
  if ((newestDay(book.as_of) ?? '') < (newestDay(current.as_of) ?? '')) {
    refuse(`version ${versionOf(book)} is older than ${versionOf(current)}`, 'as_of');
  }
  for (const [index, { code, partition }] of book.regions.entries()) {
    const expected = current.regions.find((region) => region.code === code)?.partition ?? partitionOf(code);
    if (partition === expected) continue;
    refuse(`Region ${code} is of partition ${expected}, not of ${partition}`, 'regions', String(index));
  }
  for (const { steps, isComplete: _, path, evidenceDate, ...line } of bookLines(book).values()) {
    if (!only.includes(line.service)) continue;
    const common = { ...line, effectiveDate: null, evidenceDate, where: pathIn(name, path) };
    for (const step of steps) reading.points.push({ ...common, ...step });
  }
}

/** The other book, with the present price in the place of each one that cannot be read. */
async function parseBook(
  file: SourceFile,
  reading: SourceReading,
  { book, only }: ReadContext,
): Promise<PriceBookFile> {
  const { name } = file;
  try {
    const other = await readWhole(file);
    for (const { line, path, fault } of Array.from(pricePlaces(other))) {
      if (fault === undefined) continue;
      const lost = [line, ...restorePrice(other, book, line)];
      const unusable = lost.map((unread) => ({ line: unread, reason: fault, where: pathIn(name, path) }));
      if (only.includes(line.service)) reading.unusable.push(...unusable);
    }
    createPriceBook(other);
    return other;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(name, `the file is not a price book: ${(error as Error).message}`, { cause: error });
  }
}

async function readWhole(file: SourceFile): Promise<PriceBookFile> {
  let content: unknown;
  for await (const { value } of readJson(file, ['$'])) content = value;
  return content as PriceBookFile;
}
