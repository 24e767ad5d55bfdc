// Searches of a collection. They can pause at each document that they read, and the collection can
// change during a pause.
import { type BsonValue, copyValue, documentValue, fieldsOf } from './bson/value.ts';
import type { Collection, StoredDocument } from './collection.ts';
import { choosePlan, type Plan } from './index/planner.ts';
import { branchesOf, type Filter } from './query/filter.ts';
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

/**
 * The documents of an `$or` whose branches all have an index: branch by branch, each document
 * once.
 */
function* unite(collection: Collection, plans: readonly Plan[]): Generator<StoredDocument> {
  const seen = new Set<number>();
  for (const plan of plans) {
    for (const found of collection.readByPlan(plan)) {
      if (seen.has(found.record)) continue;
      seen.add(found.record);
      yield found;
    }
  }
}

/** The documents that can match, without the first `skip` matches if `skipped`. */
function findCandidates(
  collection: Collection,
  { filter: { source: filter }, sort = [], skip = 0 }: FindRequest,
): {
  documents: Generator<StoredDocument>;
  sorted: boolean;
  skipped: boolean;
} {
  const plan = choosePlan(collection.indexes, filter, sort);
  const or = plan.index ? undefined : fieldsOf(filter).find(({ name }) => name === '$or');
  if (or) {
    const branches = branchesOf('$or', or.value).map((branch) => choosePlan(collection.indexes, branch, []));
    if (branches.every((branch) => branch.index))
      return { documents: unite(collection, branches), sorted: sort.length === 0, skipped: false };
  }
  // Each key of such a plan is a match, so skipped documents need not be read.
  const skipped = plan.index !== undefined && plan.exact && plan.sorted;
  return { documents: collection.readByPlan(plan, skipped ? skip : 0), sorted: plan.sorted, skipped };
}

/** The documents that match, in order, read one by one. */
export function findDocuments(collection: Collection, request: FindRequest): Search {
  const { documents, sorted, skipped } = findCandidates(collection, request);
  if (sorted) return limitMatches(documents, skipped ? { ...request, skip: 0 } : request);
  return sortMatches(collection, documents, request, request.sort ?? []);
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
 * The first match. A search does not pause if its result could be outdated afterwards: a search
 * in an order, and one that is followed by an insertion if it finds nothing (`inserts`).
 */
export function* findFirst(
  collection: Collection,
  filter: Filter,
  { sort, inserts = false }: { sort?: readonly SortField[] | undefined; inserts?: boolean } = {},
): Work<StoredDocument | undefined> {
  for (const found of findDocuments(collection, { filter, sort, limit: 1 })) {
    if (found) return found;
    yield sort || inserts ? 'check' : 'pause';
  }
  return undefined;
}

/**
 * The number of matches. Counts keys without reading documents if an index has exactly the
 * matches.
 */
export function* countMatching(collection: Collection, { filter, skip = 0, limit = 0 }: FindRequest): Work<number> {
  const plan = choosePlan(collection.indexes, filter.source, []);
  let total = 0;
  if (plan.exact && !plan.index) total = collection.count;
  else if (plan.exact && plan.index) {
    for (const range of plan.ranges) total += collection.countKeys(plan.index, range);
  } else {
    const counted = { filter, ...(limit === 0 ? {} : { limit: skip + limit }), project: () => empty };
    for (const found of findDocuments(collection, counted)) {
      if (found) total += 1;
      yield 'pause';
    }
  }
  total = Math.max(0, total - skip);
  return limit === 0 ? total : Math.min(total, limit);
}
