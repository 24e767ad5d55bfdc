// Removes documents that are expired under an index with `expireAfterSeconds`.
import { encodeValue } from './bson/encode.ts';
import { fieldsOf } from './bson/value.ts';
import type { Catalogue } from './catalogue.ts';
import type { Collection } from './collection.ts';
import type { IndexSpec } from './index/indexes.ts';
import { compileFilter, type Filter } from './query/filter.ts';
import { findDocuments } from './search.ts';
import type { Storage } from './storage.ts';

/** MongoDB's interval. */
export const defaultTtlIntervalMs = 60_000;
/** Documents removed in one transaction, so that a sweep does not delay other clients. */
const portion = 200;

/**
 * The filter of the documents that are expired at `now`; `undefined` if the index does not expire
 * any.
 */
function expiredFilter(
  { key, expireAfterSeconds, partialFilterExpression }: IndexSpec,
  now: number,
): Filter | undefined {
  const [field] = fieldsOf(key);
  if (expireAfterSeconds === undefined || !field) return undefined;
  const range = { $lt: new Date(now - expireAfterSeconds * 1000) };
  const expired = encodeValue(new Map([[field.name, range]]));
  return compileFilter(partialFilterExpression ? encodeValue({ $and: [expired, partialFilterExpression] }) : expired);
}

async function removeMatches(
  catalogue: Catalogue,
  storage: Storage,
  collection: Collection,
  filter: Filter,
): Promise<void> {
  for (let removed = portion; removed === portion; ) {
    removed = await storage.write(() => {
      if (catalogue.get(collection.state.database, collection.state.name) !== collection) return 0;
      const found = [...findDocuments(collection, { filter, limit: portion })].filter((one) => one !== undefined);
      for (const document of found) collection.remove(document);
      return found.length;
    });
  }
}

async function removeExpired(catalogue: Catalogue, storage: Storage, now: number): Promise<void> {
  for (const collection of catalogue.all()) {
    for (const index of collection.indexes) {
      const filter = expiredFilter(index, now);
      if (filter) await removeMatches(catalogue, storage, collection, filter);
    }
  }
}

/**
 * Sweeps every `intervalMs` until the returned function is called, which waits for a sweep in
 * progress.
 */
export function startTtlMonitor(catalogue: Catalogue, storage: Storage, intervalMs: number): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= removeExpired(catalogue, storage, Date.now())
      .catch((error: unknown) => console.error('document store: removing expired documents failed:', error))
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
