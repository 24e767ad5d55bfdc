// Removes documents whose time under an index with `expireAfterSeconds` is over.
import type { BsonDocument } from './bson-values.ts';
import type { Catalogue } from './catalogue.ts';
import { compileFilter } from './matcher.ts';
import type { Storage } from './storage.ts';

/** As often as MongoDB. */
export const defaultTtlIntervalMs = 60_000;
/** Removed in one go, so that a sweep never holds up others for long. */
const portion = 200;

/** One sweep over every such index; resolves with the number of documents removed. */
async function removeExpired(catalogue: Catalogue, storage: Storage, now: Date): Promise<number> {
  let removed = 0;
  for (const collection of catalogue.all()) {
    for (const { expireAfterSeconds, fields, partialFilterExpression } of collection.indexes) {
      const [field] = fields;
      if (expireAfterSeconds === undefined || !field) continue;
      const expired: BsonDocument = { [field.path]: { $lt: new Date(now.getTime() - expireAfterSeconds * 1000) } };
      const filter: BsonDocument = partialFilterExpression ? { $and: [expired, partialFilterExpression] } : expired;
      const compiled = compileFilter(filter);
      for (let last = portion; last === portion; removed += last) {
        last = await storage.write(() => {
          if (catalogue.get(collection.state.database, collection.state.name) !== collection) return 0;
          const found = [...collection.find({ filter, limit: portion }, compiled)].filter((one) => one !== undefined);
          for (const document of found) collection.remove(document);
          return found.length;
        });
      }
    }
  }
  return removed;
}

/** Sweeps every `intervalMs` until the returned function is called, which waits for a sweep under way. */
export function startTtlMonitor(catalogue: Catalogue, storage: Storage, intervalMs: number): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = removeExpired(catalogue, storage, new Date())
      .catch((error: unknown) => console.error('sweeping expired documents failed:', error))
      .finally(() => {
        busy = false;
      });
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
