import { isDuplicateKey } from '../connections/mongo.ts';
import type { Models } from '../models.ts';
import { StartError } from '../process/start-error.ts';
import { readBookOfCode, versionOfCode } from './load-price-book.ts';
import { contentOf, type PriceBookFile, versionOf } from './price-book-file.ts';
import type { PriceBookVersion } from './price-book-version.model.ts';

type VersionModels = Pick<Models, 'priceBookVersion'>;

/** The source of versions that came with the code. */
const codeSource = 'code';

/**
 * Stores a version after the given one, by one insert.
 * @param after the sequence of the version that it is based on; 0 for the first one.
 * @returns null if another version has been stored since, or this one earlier.
 */
export async function storePriceBook(
  { priceBookVersion }: VersionModels,
  file: PriceBookFile,
  { source, after }: { source: string; after: number },
): Promise<PriceBookVersion | null> {
  const version: PriceBookVersion = {
    _id: versionOf(file),
    sequence: after + 1,
    createdAt: new Date(),
    asOf: file.as_of,
    source,
    regions: file.regions.map(({ code }) => code),
    models: file.inference.models.map(({ id }) => id),
    content: contentOf(file),
  };
  try {
    await priceBookVersion.collection.insertOne(version as never);
    return version;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The insert can be repeated by the driver, or made by another process.
    return priceBookVersion.findOne({ _id: version._id, sequence: version.sequence }).lean<PriceBookVersion>();
  }
}

export interface StoredPriceBook {
  stored: PriceBookVersion;
  file: PriceBookFile;
}

/** A stored version with its content; null if there is no such version. */
export async function readPriceBook(
  { priceBookVersion }: VersionModels,
  version: string,
): Promise<StoredPriceBook | null> {
  const stored = await priceBookVersion.findById(version).lean<PriceBookVersion>();
  return stored && { stored, file: JSON.parse(stored.content) };
}

/** @throws StartError if there is no version: the service stores the first one when it starts. */
export async function readNewestPriceBook({ priceBookVersion }: VersionModels): Promise<StoredPriceBook> {
  const stored = await priceBookVersion.findOne().sort({ sequence: -1 }).lean<PriceBookVersion>();
  if (!stored) throw new StartError('The database has no version of the price book: start the service once.');
  return { stored, file: JSON.parse(stored.content) };
}

/**
 * Stores the price book of the code as a version, unless it is one, or a refresh has stored
 * another: the code does not replace prices that an operator has applied.
 */
export async function storeBookOfCode(models: VersionModels): Promise<void> {
  const version = versionOfCode();
  for (;;) {
    const stored = await models.priceBookVersion
      .find({}, { sequence: 1, source: 1 })
      .sort({ sequence: -1 })
      .lean<Pick<PriceBookVersion, '_id' | 'sequence' | 'source'>[]>();
    if (stored.some(({ _id, source }) => _id === version || source !== codeSource)) return;
    const after = stored[0]?.sequence ?? 0;
    if (await storePriceBook(models, readBookOfCode(), { source: codeSource, after })) return;
  }
}
