import { second } from '../durations.ts';
import { validationError } from '../errors.ts';
import type { Models } from '../models.ts';
import { errorFields, type Log } from '../process/log.ts';
import type { Scenario } from '../scenarios/scenario.model.ts';
import { withOverrides } from './overridden-book.ts';
import { type KnownNames, openPriceBook, type PriceBook } from './price-book.ts';
import type { PriceBookVersion } from './price-book-version.model.ts';
import { overridesId, type PriceOverrides } from './price-overrides.model.ts';

/**
 * The versions of the price book. A process reads the content of each version once. It knows the
 * names of all versions, because a scenario has those of its version. All books that it returns
 * have the overrides of the installation.
 */
export interface PriceBooks extends KnownNames {
  /** The newest version that this process knows: at most `pollMs` old. */
  readonly newest: PriceBook;
  /** @returns null if there is no such version. */
  find(version: string): Promise<PriceBook | null>;
  /**
   * The version by which a scenario is priced: that of its assumptions, else the newest one when
   * it left `draft`. A draft has the newest one.
   */
  ofScenario(scenario: PricedScenario): Promise<PriceBook>;
  /** Reads which version is the newest, for a decision that cannot be taken back. */
  readNewest(): Promise<PriceBook>;
  /** Incremented by every change of the overrides that this process knows: at most `pollMs` old. */
  readonly overridesRevision: number;
  /** Reads the overrides, whose change this process must show from now on. */
  readOverrides(): Promise<PriceOverrides | null>;
  close(): void;
}

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
  throw validationError([{ field, error: 'is not a version of the price book: GET /api/v1/price-books lists them' }]);
}

/** New versions are not announced: a poll is one read of an index. */
const pollMs = 2 * second;

/** A version takes about a MiB of memory. */
const maxCached = 8;

type KnownVersion = Omit<PriceBookVersion, 'content'>;

/** @throws Error if the database is unreachable, or has no version. */
export async function openPriceBooks({
  models: { priceBookVersion, priceOverrides },
  log,
}: {
  models: Pick<Models, 'priceBookVersion' | 'priceOverrides'>;
  log: Log;
}): Promise<PriceBooks> {
  /** The version that was used last is the last one. */
  const cached = new Map<string, Promise<PriceBook | null>>();
  const regions = new Set<string>();
  const models = new Set<string>();
  let first = '';
  let newest: PriceBook | undefined;
  let sequence = 0;
  let overrides: PriceOverrides | null = null;
  /** The books with the present overrides. */
  let overridden = new WeakMap<PriceBook, PriceBook>();

  async function read(version: string): Promise<PriceBook | null> {
    const found = await priceBookVersion.findById(version).lean<PriceBookVersion>();
    return found && openPriceBook(found._id, found.content);
  }

  async function find(version: string): Promise<PriceBook | null> {
    const reading = cached.get(version) ?? read(version);
    cached.delete(version);
    cached.set(version, reading);
    for (const oldest of cached.keys()) {
      if (cached.size <= maxCached) break;
      cached.delete(oldest);
    }
    const forget = () => {
      if (cached.get(version) === reading) cached.delete(version);
    };
    const book = await reading.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (!book) forget();
    return book;
  }

  function override(book: PriceBook): PriceBook {
    if (!overrides) return book;
    const known = overridden.get(book) ?? withOverrides(book, overrides.overrides, overrides.revision);
    overridden.set(book, known);
    return known;
  }

  async function readOverrides(): Promise<PriceOverrides | null> {
    const stored = await priceOverrides.findById(overridesId).lean<PriceOverrides>();
    if (stored && stored.revision > (overrides?.revision ?? 0)) {
      overrides = stored;
      overridden = new WeakMap();
    }
    return stored;
  }

  async function readStored(version: string): Promise<PriceBook> {
    const book = await find(version);
    if (!book) throw new Error(`Price book version ${version} is not in the database.`);
    return book;
  }

  async function readNewest(): Promise<PriceBook> {
    const added = await priceBookVersion
      .find({ sequence: { $gt: sequence } }, { content: 0 })
      .sort({ sequence: 1 })
      .lean<KnownVersion[]>();
    const last = added.at(-1);
    if (last) {
      const book = await readStored(last._id);
      for (const version of added) {
        if (version.sequence === 1) first = version._id;
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

  const [present] = await Promise.all([readNewest(), readOverrides()]);
  const poll = () =>
    Promise.all([readNewest(), readOverrides()]).catch((error: unknown) =>
      log.warn('versions of the price book not read', errorFields(error)),
    );
  const polls = setInterval(() => void poll(), pollMs).unref();
  return {
    get newest() {
      return override(newest ?? present);
    },
    get overridesRevision() {
      return overrides?.revision ?? 0;
    },
    hasRegion: (code) => regions.has(code),
    hasModel: (id) => models.has(id),
    find: async (version) => {
      const book = await find(version);
      return book && override(book);
    },
    ofScenario: async ({ status, priceBook, assumptions }) => {
      const version = assumptions?.price_book ?? priceBook;
      if (version) return override(await readStored(version));
      // Scenarios that started before there were versions have the first one.
      return override(status === 'draft' ? (newest ?? present) : await readStored(first));
    },
    readNewest,
    readOverrides,
    close: () => clearInterval(polls),
  };
}
