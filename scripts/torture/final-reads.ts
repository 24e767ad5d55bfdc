import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Binary, type Db, MongoClient } from 'mongodb';
import { waitForOk } from '../local-stack/services.ts';
import type { AuditLine, History } from './history.ts';
import type { Client } from './load/client.ts';
import { sendOneEntry } from './load/entries.ts';
import { readCount, type Targets } from './load/load.ts';
import type { TortureStack } from './stack.ts';

/** After so long, nothing can be in progress. */
const readLimitMs = 120_000;
const pollMs = 500;
const hashBytes = 32;

/** Waits until nothing is in progress, and adds what the judge compares to the history. */
export async function readAtEnd(
  stack: TortureStack,
  history: History,
  client: Client,
  targets: Targets,
): Promise<void> {
  const { redisUrl, mongodbUrl } = stack.direct;
  const redis = new Redis<'legacy'>(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const mongo = await MongoClient.connect(mongodbUrl);
  try {
    const database = mongo.db();
    const [first = ''] = targets.scenarios;
    for (const url of stack.direct.webUrls) await waitForOk(`${url}/health/ready`, AbortSignal.timeout(readLimitMs));
    await until('a response 200', async () => (await sendOneEntry(client, first)) === 200);
    let names = await findLeftovers(redis, database);
    // At the limit, all that is left is a finding.
    for (const limit = performance.now() + readLimitMs; names.length > 0 && performance.now() < limit; ) {
      await delay(pollMs);
      names = await findLeftovers(redis, database);
    }
    history.add({ type: 'final', what: 'leftovers', names });
    await client.renewToken();
    for (const scenario of targets.scenarios) {
      const counted = await until('metrics', () => readCount(client, scenario));
      const hashes = await readHashes(database, scenario);
      history.add({ type: 'final', what: 'entries', scenario, counted, hashes });
    }
    const { isValid } = await until('the verification of audit records', () => verifyAudit(client));
    const intents = await database.collection('audit_intents').find({ closed: false }).toArray();
    const pending = intents.map(({ event }): string => event.requestId);
    history.add({ type: 'final', what: 'audit', isValid, records: await readAudit(database), pending });
  } finally {
    redis.disconnect();
    await mongo.close();
  }
}

/** Repeats a read until it has a result that is neither undefined nor false. */
async function until<Result>(what: string, read: () => Promise<Result | undefined | false>): Promise<Result> {
  const limit = performance.now() + readLimitMs;
  for (;;) {
    const result = await read();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > limit) throw new Error(`No ${what} could be read within two minutes.`);
    await delay(pollMs);
  }
}

async function readHashes(database: Db, scenarioId: string): Promise<string[]> {
  // The leftovers have those that are not processed.
  const stored = { scenarioId, state: 'stored' };
  const batches = database.collection('log_batches').find(stored, { projection: { 'packed.hashes': 1 } });
  const hashes: string[] = [];
  for await (const { packed } of batches) {
    const bytes = Buffer.from((packed as { hashes: Binary }).hashes.value());
    for (let at = 0; at < bytes.length; at += hashBytes) hashes.push(bytes.toString('hex', at, at + hashBytes));
  }
  return hashes;
}

/** @returns whether the service finds its chain valid; undefined without a response. */
async function verifyAudit(client: Client): Promise<{ isValid: boolean } | undefined> {
  for (let from: number | null = 1; from !== null; ) {
    const path = `/api/v1/audit-records/verify?limit=2000&from_seq=${from}`;
    const answer = await client.send({ method: 'GET', path });
    if (answer?.status !== 200) return undefined;
    const { valid, next_seq: next } = answer.body as { valid: boolean; next_seq: number | null };
    if (!valid) return { isValid: false };
    from = next;
  }
  return { isValid: true };
}

async function readAudit(database: Db): Promise<AuditLine[]> {
  const records = await database.collection('audit_records').find({}).sort({ seq: 1 }).toArray();
  return records.map(({ requestId, type, seq, hash, previousHash, details }) => ({
    request: requestId,
    type,
    seq,
    hash,
    previousHash,
    isInterrupted: details.interrupted === true,
  }));
}

/**
 * Lists what must be gone when nothing is in progress: jobs that are not finished, locks, and in
 * the database what a job still has to do.
 */
async function findLeftovers(redis: Redis, database: Db): Promise<string[]> {
  const found = await leftoversInDatabase(database);
  for await (const keys of redis.scanStream({ match: 'meterbook:*', count: 500 })) {
    for (const key of keys as string[]) {
      const name = key.slice('meterbook:'.length);
      if (/:lock$|^notebook-lock:/.test(name)) found.push(`lock ${name}`);
      else if (/^[\w-]+:(?:active|wait|paused)$/.test(name))
        found.push(...(await redis.lrange(key, 0, -1)).map((id) => `job ${id} in ${name}`));
      else if (/^[\w-]+:(?:delayed|prioritized|waiting-children)$/.test(name)) {
        const ids = await redis.zrange(key, '0', '-1');
        // The next job of a scheduler waits for its time.
        found.push(...ids.filter((id) => !id.startsWith('repeat:')).map((id) => `job ${id} in ${name}`));
      }
    }
  }
  return found;
}

async function leftoversInDatabase(database: Db): Promise<string[]> {
  const isLocked = { attemptId: { $type: 'string' }, response: { $exists: false }, lockedUntil: { $gt: new Date() } };
  const unfinished: [collection: string, filter: object, what: string][] = [
    ['scenarios', { deletedAt: { $type: 'date' } }, 'deleted scenario that is not removed'],
    ['scenarios', { 'pendingAudit.at': { $type: 'date' } }, 'event without an audit record, of scenario'],
    ['log_batches', { state: { $ne: 'stored' } }, 'batch that is not processed'],
    ['log_batches', { state: 'stored', counted: false }, 'batch that is not in an hour'],
    ['usage_plans', { open: true }, 'open plan of scenario'],
    ['audit_intents', { closed: true }, 'ended operation without an audit record'],
    ['idempotency_records', isLocked, 'locked idempotency key'],
  ];
  const found = unfinished.map(async ([collection, filter, what]) => {
    const rows = await database.collection(collection).find(filter).toArray();
    return rows.map(({ _id }) => `${what} ${String(_id)}`);
  });
  return (await Promise.all(found)).flat();
}
