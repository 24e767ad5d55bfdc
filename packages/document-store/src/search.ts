// Searches of a collection. They can pause at each document that they read, and the collection can
// change during a pause.
import { type BsonValue, copyValue, documentValue } from './bson/value.ts';
import type { Collection, StoredDocument } from './collection.ts';
import { choosePlan } from './index/planner.ts';
import type { Filter } from './query/filter.ts';
import { compareByFields, type SortField, sortValues } from './query/sort.ts';
import type { Work } from './slices.ts';

const empty = Buffer.alloc(0);

/** Yields `undefined` for a document that does not match, so that long searches can pause there. */
type Search = Generator<StoredDocument | undefined>;

interface FindRequest {
  filter: Filter;
  sort?: readonly SortField[] | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
  /**
   * Makes the result of a match, without a copy of the document: the result must not share
   * its bytes.
   */
  project?: ((document: Buffer) => Buffer) | undefined;
}

const copyDocument = (bytes: Buffer): Buffer => copyValue(documentValue(bytes)).bytes;

/** The documents that match, in order, read one by one. */
export function findDocuments(collection: Collection, request: FindRequest): Search {
  const { filter, sort = [], skip = 0 } = request;
  const plan = choosePlan(collection.indexes, filter.source, sort);
  // Each key of such a plan is a match, so skipped documents need not be read.
  const skips = plan.index !== undefined && plan.exact && plan.sorted;
  const documents = collection.readByPlan(plan, skips ? skip : 0);
  if (plan.sorted) return limitMatches(documents, skips ? { ...request, skip: 0 } : request);
  return sortMatches(collection, documents, request, sort);
}

function* limitMatches(
  documents: Iterable<StoredDocument>,
  { filter, skip = 0, limit = 0, project = copyDocument }: FindRequest,
): Search {
  let toSkip = skip;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  for (const found of documents) {
    const matches = filter.matches(documentValue(found.bytes));
    if (!matches || toSkip > 0) {
      if (matches) toSkip -= 1;
      yield undefined;
      continue;
    }
    yield { record: found.record, bytes: project(found.bytes) };
    left -= 1;
    if (left <= 0) return;
  }
}

function* sortMatches(
  collection: Collection,
  documents: Iterable<StoredDocument>,
  { filter, skip = 0, limit = 0, project }: FindRequest,
  sort: readonly SortField[],
): Search {
  const compare = compareByFields(sort);
  const wanted = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  let rows: { record: number; values: readonly BsonValue[] }[] = [];
  const order = (): void => {
    rows.sort((left, right) => compare(left.values, right.values));
    if (rows.length > wanted) rows = rows.slice(0, wanted);
  };
  for (const { record, bytes } of documents) {
    const document = documentValue(bytes);
    // Values share the bytes of their document, which are valid until the pause.
    if (filter.matches(document)) rows.push({ record, values: sortValues(document, sort).map(copyValue) });
    if (rows.length > wanted * 2 + 1000) order();
    yield undefined;
  }
  order();
  for (const { record } of rows.slice(skip, skip + (limit === 0 ? rows.length : limit))) {
    const bytes = collection.read(record);
    if (bytes && filter.matches(documentValue(bytes))) yield { record, bytes: project ? project(bytes) : bytes };
  }
}

/**
 * All matches, to be changed one by one. The search ends before the first change, so that no
 * document occurs twice. Each document is read again at its turn and left out if it does not
 * match any more.
 */
export function* findForChange(collection: Collection, filter: Filter): Search {
  const records: number[] = [];
  for (const found of findDocuments(collection, { filter })) {
    if (found) records.push(found.record);
    yield undefined;
  }
  for (const record of records) {
    const bytes = collection.read(record);
    yield bytes && filter.matches(documentValue(bytes)) ? { record, bytes } : undefined;
  }
}

/**
 * The first match. A search that is followed by an insertion if it finds nothing (`inserts`) does
 * not pause, because its result could be outdated afterwards.
 */
export function* findFirst(collection: Collection, filter: Filter, inserts = false): Work<StoredDocument | undefined> {
  for (const found of findDocuments(collection, { filter, limit: 1 })) {
    if (found) return found;
    yield inserts ? 'check' : 'pause';
  }
  return undefined;
}

/**
 * The number of matches. Counts keys without reading documents if an index has exactly the
 * matches.
 */
export function* countMatching(collection: Collection, { filter, limit = 0 }: FindRequest): Work<number> {
  const plan = choosePlan(collection.indexes, filter.source, []);
  let total = 0;
  if (plan.exact && !plan.index) total = collection.count;
  else if (plan.exact && plan.index) {
    for (const range of plan.ranges) total += collection.countKeys(range);
  } else {
    for (const found of findDocuments(collection, { filter, limit, project: () => empty })) {
      if (found) total += 1;
      yield 'pause';
    }
  }
  return limit === 0 ? total : Math.min(total, limit);
}
