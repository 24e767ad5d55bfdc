import { isDuplicateKey } from '../connections/mongo.ts';
import { second } from '../durations.ts';
import { StartError, validationError } from '../errors.ts';
import type { Models } from '../models.ts';
import { errorFields, type Log } from '../process/log.ts';
import type { Scenario } from '../scenarios/scenario.model.ts';
import { type KnownNames, openPriceBook, type PriceBook, readBookOfCode } from './price-book.ts';
import { checkPriceBookFile, contentOf, type PriceBookFile, versionOf } from './price-book-file.ts';
import { overridesId, type PriceBookVersion, type PriceOverrides } from './price-books.model.ts';
import { unknownVersion } from './unknown-name.ts';

export type PriceBooks = Awaited<ReturnType<typeof openPriceBooks>>;

export type PricedScenario = Pick<Scenario, 'status' | 'priceBook' | 'assumptions'>;

/**
 * The version that a request names.
 * @throws AppError VALIDATION_ERROR that names the field, if there is no such version.
 */
export async function requireVersion(
  { priceBooks }: { priceBooks: Pick<PriceBooks, 'find'> },
  version: string,
  field = 'price_book',
): Promise<PriceBook> {
  const book = await priceBooks.find(version);
  if (book) return book;
  throw validationError([{ field, error: unknownVersion(version) }]);
}

/** New versions are not announced: a poll is one read of an index. */
const pollMs = 2 * second;

/**
 * The versions of the price book. A process reads the content of each version once. It knows the
 * names of all versions, because a scenario has those of its version. All books that it returns
 * have the overrides of the installation.
 * @throws Error if the database is unreachable, or has no version.
 */
export async function openPriceBooks({
  models: { priceBookVersion, priceOverrides },
  log,
}: {
  models: Pick<Models, 'priceBookVersion' | 'priceOverrides'>;
  log: Log;
}) {
  /** By version: there is a new one every few weeks, which takes about a MiB of memory. */
  const books = new Map<string, PriceBook>();
  const regions = new Set<string>();
  const models = new Set<string>();
  let newest: PriceBook | undefined;
  let sequence = 0;
  let own: PriceOverrides | null = null;

  async function find(version: string): Promise<PriceBook | null> {
    const known = books.get(version);
    if (known) return known;
    const stored = await priceBookVersion.findById(version).lean<PriceBookVersion>();
    if (!stored) return null;
    const book = openPriceBook(stored._id, stored.content);
    books.set(version, book);
    return book;
  }

  /** @throws Error if there is no such version. */
  async function read(version: string): Promise<PriceBook> {
    const book = await find(version);
    if (!book) throw new Error(`Price book version ${version} is not in the database.`);
    return book;
  }

  async function readNewest(): Promise<PriceBook> {
    const added = await priceBookVersion
      .find({ sequence: { $gt: sequence } }, { content: 0 })
      .sort({ sequence: 1 })
      .lean<Omit<PriceBookVersion, 'content'>[]>();
    const last = added.at(-1);
    if (last) {
      const book = await read(last._id);
      for (const version of added) {
        for (const code of version.regions) regions.add(code);
        for (const id of version.models) models.add(id);
      }
      // Concurrent reads can end in any order: the later version stays.
      if (last.sequence > sequence) {
        [sequence, newest] = [last.sequence, book];
        log.info('newest version of the price book', { version: book.version });
      }
    }
    if (!newest) throw new Error('The database has no version of the price book.');
    return newest;
  }

  async function readOverrides(): Promise<PriceOverrides | null> {
    const stored = await priceOverrides.findById(overridesId).lean<PriceOverrides>();
    if (stored && stored.revision > (own?.revision ?? 0)) own = stored;
    return stored;
  }
  const withOverrides = (book: PriceBook): PriceBook => (own ? { ...book, overrides: own.overrides } : book);

  const [present] = await Promise.all([readNewest(), readOverrides()]);
  const poll = () =>
    Promise.all([readNewest(), readOverrides()]).catch((error: unknown) =>
      log.warn('versions of the price book not read', errorFields(error)),
    );
  const polls = setInterval(() => void poll(), pollMs).unref();
  return {
    regionCodes: regions as KnownNames['regionCodes'],
    modelIds: models as KnownNames['modelIds'],
    /** The newest version that this process knows: at most `pollMs` old. */
    get newest() {
      return withOverrides(newest ?? present);
    },
    /** Incremented by every change of the overrides that this process knows, within `pollMs`. */
    get overridesRevision() {
      return own?.revision ?? 0;
    },
    /** @returns null if there is no such version. */
    find: async (version: string) => {
      const book = await find(version);
      return book && withOverrides(book);
    },
    /**
     * The version by which a scenario is priced: that of its assumptions, else the newest one when
     * it left `draft`. A draft has the newest one.
     */
    ofScenario: async ({ priceBook, assumptions }: PricedScenario) => {
      const version = assumptions?.price_book ?? priceBook;
      if (version) return withOverrides(await read(version));
      return withOverrides(newest ?? present);
    },
    /** Reads which version is the newest, for a decision that cannot be undone. */
    readNewest,
    /** Reads the overrides, whose change this process must show from now on. */
    readOverrides,
    close: () => clearInterval(polls),
  };
}

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
 * @throws Error that names each invalid field of the book.
 */
export async function storeBookOfCode(models: VersionModels): Promise<void> {
  const file = readBookOfCode();
  const version = versionOf(file);
  for (;;) {
    const stored = await models.priceBookVersion
      .find({}, { sequence: 1, source: 1 })
      .sort({ sequence: -1 })
      .lean<Pick<PriceBookVersion, '_id' | 'sequence' | 'source'>[]>();
    if (stored.some(({ _id, source }) => _id === version || source !== codeSource)) return;
    const after = stored[0]?.sequence ?? 0;
    if (await storePriceBook(models, checkPriceBookFile(file), { source: codeSource, after })) return;
  }
}
