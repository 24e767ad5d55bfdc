import type { Models } from '../models.ts';
import { isSliceOver, mapInSlices, nextSlice } from '../process/time-slices.ts';
import { type StoredHours, unpackLevels } from './packed-levels.ts';
import { startOfMonth } from './periods.ts';
import type { HourUsage, UsageSum } from './usage.ts';
import type { UsageDay } from './usage-day.model.ts';
import { decodeId, decodeUsage } from './usage-decoder.ts';
import type { UsageLedger } from './usage-ledger.model.ts';
import type { UsageRecord } from './usage-record.model.ts';
import type { DayPointer, UsageYear } from './usage-year.model.ts';

/**
 * A scenario's usage: each record counts exactly once at every instant, without transactions.
 *
 * proof/usage-ledger.pml is a model of what follows.
 *
 * The scenario's ledger lists years, and each year lists its days. Years and days are immutable,
 * and their ids are random: a document with another content has another id. So the ledger, which is
 * one document, determines all usage that it reaches. The usage of the scenario is the sum of these
 * days and of the pending usage records that the ledger does not list as merged (`covered`). Its
 * parts are small, so a roll-up touches only what changes, and no document grows with the number of
 * days.
 *
 * A roll-up (workers/usage/roll-up-usage.processor.ts)
 *
 * 1. reads the ledger at a version `v`, as a majority has it;
 * 2. empties the records that the ledger lists as merged, and removes the years and days that it
 *    lists as replaced;
 * 3. reads pending records, and writes days that include them, and years that list these days and
 *    the unchanged ones;
 * 4. has the primary confirm, by an update that changes nothing, that each of these records is
 *    pending;
 * 5. sets version `v + 1`, the new years, and the lists of merged records and of replaced
 *    documents, on condition that the version still is `v`.
 *
 * No record is merged twice, whatever the reads of 1 and 3 return. Let 5 succeed. Then the version
 * was `v` from 1 on, and no other roll-up merged a record since. All records merged before were
 * emptied by 4: those of version `v` in 2 of this roll-up or of another one, those of earlier
 * versions before `v` was set. An emptied record never becomes pending again. So what is pending at
 * 4 has not been merged. An old ledger fails at 5, an old record at 4.
 *
 * No record is lost: it is emptied only because of a ledger that a majority has, which cannot be
 * rolled back, and every write is acknowledged by a majority before the next step. A year or a day
 * that is not found ends the roll-up: what 5 writes is derived from the whole content of version
 * `v`.
 *
 * Nothing that the ledger reaches is removed. Documents that version `v` lists as replaced are not
 * reached at `v`, nor at a later version: a roll-up lists only what the version before reached and
 * what it has written itself, under new ids. So they can be removed at any time after a majority
 * has `v`, also because of an old read of the ledger. The list is used before the next version
 * replaces it, because 2 precedes 5. Documents of roll-ups that failed have the version that they
 * were written for and the id of their roll-up. Only the roll-up that set version `w` has documents
 * for `w` that a ledger reaches. The ledger keeps the ids of the last ones, and 2 removes what
 * others have written for their versions.
 */

export type UsageModels = Pick<Models, 'usageLedger' | 'usageYear' | 'usageDay' | 'usageRecord'>;

/** A usage record or a usage day, decoded. */
interface DecodedHours {
  _id: string;
  hours: HourUsage[];
}

/** How hours are read. */
export interface HourOptions {
  /** Whether hours have their counts by level. Without them, a day has a fraction of the bytes. */
  withLevels: boolean;
}

const withoutLevels = { levels: 0 } as const;

/** A record has at most 1,000 hours and 600 KB, so a reply of the database has at most 15 MB. */
const recordsPerReply = 25;

/**
 * The usage records of a scenario that no roll-up has emptied, one by one, not decoded. Memory
 * holds one reply of the database.
 */
export function readPendingBytes(
  models: UsageModels,
  scenarioId: string,
  { withLevels }: HourOptions,
): AsyncIterable<Uint8Array> {
  const options = { raw: true, batchSize: recordsPerReply, projection: withLevels ? {} : withoutLevels };
  const cursor = models.usageRecord.collection.find({ scenarioId, open: true }, options);
  return cursor as unknown as AsyncIterable<Uint8Array>;
}

export const decodePending = (bytes: Uint8Array) => decodeHours(decodeUsage(bytes) as UsageRecord & StoredHours);

function decodeHours(stored: StoredHours & Pick<DecodedHours, '_id'>): DecodedHours {
  return { _id: stored._id, hours: unpackLevels(stored) };
}

/**
 * A document that is decoded when it is read. Before that, its bytes take a fraction of the memory.
 */
export type StoredDocument<Document> = () => Document;

/**
 * Days that are read together. As bytes, they take about 2.5 MB; if every hour has all models, 24
 * MB.
 */
export const daysPerQuery = 200;

/**
 * Days that are read together with their levels. As bytes, they take up to 2.8 MB with one model in
 * every level of every hour, and 22 MB with all models.
 */
export const daysWithLevelsPerQuery = 25;

/**
 * Reads at most `daysPerQuery` days, or `daysWithLevelsPerQuery`.
 * @returns the days in the order of the pointers; undefined if one is missing: a roll-up has
 * replaced it since, or the read is stale.
 */
export async function readUsageDays(
  models: UsageModels,
  pointers: readonly DayPointer[],
  { withLevels }: HourOptions,
): Promise<StoredDocument<DecodedHours>[] | undefined> {
  if (pointers.length === 0) return [];
  const options = { batchSize: daysPerQuery, projection: withLevels ? {} : withoutLevels };
  const found = await findAll<UsageDay>(models.usageDay, idsOf(pointers), options);
  return found?.map((read) => () => decodeHours(read()));
}

const idsOf = (pointers: readonly DayPointer[]) => pointers.map(({ usageDayId }) => usageDayId);

/**
 * Reads documents by their ids. @returns the documents in the order of the ids; undefined if one is
 * missing.
 */
async function findAll<Found>(
  { collection }: Pick<UsageModels['usageDay' | 'usageYear'], 'collection'>,
  ids: readonly string[],
  options: { batchSize?: number; projection?: Record<string, 0 | 1> },
): Promise<StoredDocument<Found>[] | undefined> {
  const found = new Map<string, StoredDocument<Found>>();
  const cursor = collection.find({ _id: { $in: ids as never[] } }, { ...options, raw: true });
  for await (const first of cursor) {
    // The rest of the reply, because the cursor resolves several promises for each document that it
    // returns alone.
    for (const document of [first, ...cursor.readBufferedDocuments()]) {
      const bytes = document as unknown as Uint8Array;
      found.set(decodeId(bytes), () => decodeUsage(bytes) as Found);
    }
  }
  const documents = ids.flatMap((id) => found.get(id) ?? []);
  return documents.length === ids.length ? documents : undefined;
}

/** A year. A sum takes about 500 bytes, with all models 5 KB. */
export const sumsPerQuery = 400;

/**
 * Reads the sums of at most `sumsPerQuery` days.
 * @returns the sums in the order of the pointers; undefined if a day is missing.
 */
export async function readDaySums(
  models: UsageModels,
  pointers: readonly DayPointer[],
): Promise<UsageSum[] | undefined> {
  if (pointers.length === 0) return [];
  const options = { batchSize: sumsPerQuery, projection: { sum: 1 } } as const;
  const found = await findAll<Pick<UsageDay, 'sum'>>(models.usageDay, idsOf(pointers), options);
  return found && mapInSlices(found, (read) => read().sum);
}

/** The part of a ledger that is about some years. */
export interface ListedUsage {
  /** Ascending. */
  days: DayPointer[];
  /** The sums of months, by the start of the month in epoch milliseconds. */
  months: Map<number, UsageSum>;
}

/** The years that a ledger lists, and their days and months. */
export class LedgerYears {
  /** The starts of the years with usage, in epoch milliseconds, ascending. */
  readonly starts: readonly number[];
  readonly #models: UsageModels;
  readonly #ids: ReadonlyMap<number, string>;

  constructor(models: UsageModels, ledger: Pick<UsageLedger, 'years'> | null) {
    this.#models = models;
    this.#ids = new Map(ledger?.years.map(({ year, usageYearId }) => [year, usageYearId]));
    this.starts = [...this.#ids.keys()].sort((a, b) => a - b);
  }

  /**
   * The lists of these years, which must be ascending; empty for a year without usage.
   * @returns undefined if the list of a year is missing: a roll-up has replaced it since, or the
   * read is stale.
   */
  async read(years: readonly number[]): Promise<ListedUsage | undefined> {
    const ids = years.flatMap((year) => this.#ids.get(year) ?? []);
    const lists = ids.length === 0 ? [] : await findAll<UsageYear>(this.#models.usageYear, ids, {});
    if (lists === undefined) return undefined;
    const byId = new Map((await mapInSlices(lists, (read) => read())).map((list) => [list._id, list]));
    const listed: ListedUsage = { days: [], months: new Map() };
    for (const year of years) {
      if (isSliceOver()) await nextSlice();
      const list = byId.get(this.#ids.get(year) ?? '');
      if (!list) continue;
      listed.days.push(...list.days.sort((a, b) => a.day - b.day));
      for (const sum of list.months) listed.months.set(startOfMonth(sum.hour), sum);
    }
    return listed;
  }
}
