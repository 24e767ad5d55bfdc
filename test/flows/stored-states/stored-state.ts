import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mongo } from 'mongoose';
import { allQueues } from '../../../shared/all-queues.ts';
import { createRedis } from '../../../shared/connections/redis.ts';
import { findKeys } from '../../support/redis-keys.ts';
import type { TestService } from '../../support/test-service.ts';
import type { KnownState } from './known-state.ts';

/**
 * Documents and queues as a version has stored them: `test/fixtures/states/` has a file of each
 * released version. Later versions must read them.
 */
export interface StoredState {
  /** Facts that the test needs, such as ids and responses of that version. */
  known: KnownState;
  /** All documents by collection, in canonical Extended JSON. */
  collections: Record<string, unknown[]>;
  /** The keys of the queues without the prefix, as Redis dumps them, in base64. */
  keys: Record<string, string>;
}

const folder = fileURLToPath(new URL('../../fixtures/states/', import.meta.url));

/** The versions that have a file. */
export const storedVersions = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));

export async function readState(version: string): Promise<StoredState> {
  return JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as StoredState;
}

/** Writes what a service has stored; its workers do not run. */
export async function writeState({ app }: TestService, version: string, known: KnownState): Promise<void> {
  const { redis, mongo: connection, config } = app;
  const state: StoredState = { known, collections: {}, keys: {} };
  for (const collection of (await connection.db?.collections()) ?? []) {
    // Numbers keep their types.
    const documents = await collection.find({}, { promoteValues: false }).toArray();
    state.collections[collection.collectionName] = documents.map((document) =>
      mongo.BSON.EJSON.serialize(document, { relaxed: false }),
    );
  }
  for (const queue of Object.keys(allQueues)) {
    const prefix = `${config.redisPrefix}:{${queue}}`;
    for (const key of await findKeys(redis, `${prefix}*`)) {
      // BullMQ lets it expire.
      if (key.endsWith(':stalled-check')) continue;
      const dump = (await redis.callBuffer('DUMP', key)) as Buffer;
      state.keys[key.slice(config.redisPrefix.length)] = dump.toString('base64');
    }
  }
  await writeFile(join(folder, `${version}.json`), `${JSON.stringify(state, null, 1)}\n`);
}

/** Stores a state in the empty database and under the empty prefix of an environment. */
export async function restoreState(
  { collections, keys }: StoredState,
  { MONGODB_URL = '', REDIS_URL = '', REDIS_PREFIX = '' }: Record<string, string>,
): Promise<void> {
  const client = await mongo.MongoClient.connect(MONGODB_URL);
  const redis = createRedis(REDIS_URL, {});
  try {
    for (const [name, documents] of Object.entries(collections)) {
      const rows = documents.map((document) => mongo.BSON.EJSON.deserialize(document as object, { relaxed: false }));
      if (rows.length > 0) await client.db().collection(name).insertMany(rows);
    }
    for (const [key, dump] of Object.entries(keys)) {
      await redis.restore(REDIS_PREFIX + key, 0, Buffer.from(dump, 'base64'));
    }
  } finally {
    redis.disconnect();
    await client.close();
  }
}
