// The chain of audit records: each has the hash of the one before, so the chain is broken where a
// record was changed, removed or inserted. The unique index of `seq` keeps it a single chain while
// several processes append.
import canonicalize from 'canonicalize';
import type { Redis } from 'ioredis';
import { isDuplicateKey, majority } from '../connections/mongo.ts';
import { digestUuid, sha256 } from '../crypto/sha256.ts';
import type { Models } from '../models.ts';
import { errorFields, type Log } from '../process/log.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import type { AuditEvent, AuditRecord } from './audit-record.model.ts';

type Chain = Pick<Models, 'auditRecord'>;

/** The end (head) of the chain after a record. */
export interface ChainLink {
  seq: number;
  hash: string;
}

/** An event with the id of its record and the scenario that it is about. */
export type ChainEvent = Omit<AuditRecord, 'seq' | 'previousHash' | 'hash'>;

const startOfChain: ChainLink = { seq: 0, hash: '0'.repeat(64) };

/**
 * The id of the record of an event: a UUID (version 8) of the event and the row in which it waits,
 * because an operation on many rows writes the same event to each.
 */
export function recordIdOf({ id }: AuditEvent, rowId: string): string {
  return digestUuid(`${id} ${rowId}`);
}

/**
 * The content that the hash of a record covers, with the names of the API's responses, so that
 * clients can compute the hash.
 */
export function contentOf(record: Omit<AuditRecord, 'hash'>) {
  return {
    seq: record.seq,
    id: record._id,
    event_type: record.type,
    occurred_at: record.at.toISOString(),
    scenario_id: record.scenarioId,
    user_id: record.userId,
    user_id_source: record.userIdSource,
    account_id: record.accountId,
    api_key_id: record.apiKeyId,
    client_address: record.clientAddress,
    request_id: record.requestId,
    details: record.details,
    previous_hash: record.previousHash,
  };
}

/** SHA-256 over the content in canonical JSON (RFC 8785), hexadecimal. */
export function hashOf(record: Omit<AuditRecord, 'hash'>): string {
  return sha256(canonicalize(contentOf(record)) ?? '', 'hex');
}

/**
 * Appends the events that have no record yet, in their order. It reads what a majority of the
 * members has, so a record that a failover could remove is neither continued nor taken for written.
 * It begins again whenever another process has appended first.
 * @returns the ends of the chain before and after the last insert; null if no event was without a
 * record then.
 */
export async function appendToChain(
  { auditRecord }: Chain,
  events: readonly ChainEvent[],
): Promise<{ before: ChainLink; after: ChainLink } | null> {
  for (;;) {
    const written = await auditRecord
      .find({ _id: { $in: events.map(({ _id }) => _id) } }, { _id: 1 })
      .readConcern(majority.level)
      .lean();
    const known = new Set(written.map(({ _id }) => _id));
    const missing = events.filter(({ _id }) => !known.has(_id));
    if (missing.length === 0) return null;
    const before = await readHead({ auditRecord });
    const records = chainRecords(before, missing);
    try {
      await auditRecord.collection.insertMany(records as never[], { ordered: true });
      return { before, after: records.at(-1) ?? before };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

async function readHead({ auditRecord }: Chain): Promise<ChainLink> {
  const head = await auditRecord
    .findOne({}, { seq: 1, hash: 1 })
    .sort({ seq: -1 })
    .readConcern(majority.level)
    .lean<ChainLink>();
  return head ? { seq: head.seq, hash: head.hash } : startOfChain;
}

function chainRecords(head: ChainLink, events: readonly ChainEvent[]): AuditRecord[] {
  let previous = head;
  return events.map((event) => {
    const unhashed = { ...event, seq: previous.seq + 1, previousHash: previous.hash };
    const record = { ...unhashed, hash: hashOf(unhashed) };
    previous = record;
    return record;
  });
}

/**
 * `missing`: no record has this number. `changed`: the hash of the record is not that of its
 * content. `relinked`: its `previousHash` is not the hash of the record before. `replaced`: its
 * hash is not the one that was noted outside the database.
 */
export const chainFaults = ['missing', 'changed', 'relinked', 'replaced'] as const;
type ChainFault = (typeof chainFaults)[number];

export interface ChainReport {
  /** Number of intact records before the first fault. */
  checked: number;
  broken: { seq: number; fault: ChainFault } | null;
  /** The last record before the first fault, or the start of the chain. */
  head: ChainLink;
  /** The number to continue from; null after a fault, and if fewer than `limit` were left. */
  next: number | null;
}

/**
 * Verifies up to `limit` records from `fromSeq` on.
 * @param noted the end of the chain as noted outside the database, read before this call; null if
 * none is known.
 */
export async function verifyChain(
  { auditRecord }: Chain,
  { fromSeq, limit, noted }: { fromSeq: number; limit: number; noted: ChainLink | null },
): Promise<ChainReport> {
  const before =
    fromSeq === 1
      ? startOfChain
      : await auditRecord.findOne({ seq: fromSeq - 1 }, { seq: 1, hash: 1 }).lean<ChainLink>();
  let head: ChainLink = before ?? startOfChain;
  let checked = 0;
  const report = (broken: ChainReport['broken'], next: number | null = null): ChainReport => ({
    checked,
    broken,
    head: { seq: head.seq, hash: head.hash },
    next,
  });
  if (!before) return report({ seq: fromSeq - 1, fault: 'missing' });
  const records = auditRecord
    .find({ seq: { $gte: fromSeq } })
    .sort({ seq: 1 })
    .limit(limit)
    .lean<AuditRecord[]>();
  for await (const record of records.cursor()) {
    if (isSliceOver()) await nextSlice();
    const fault = faultOf(record, head, noted);
    if (fault) return report({ seq: head.seq + 1, fault });
    head = record;
    checked += 1;
  }
  if (checked === limit) return report(null, head.seq + 1);
  // The chain had more records when its end was noted.
  return report(noted && noted.seq > head.seq ? { seq: head.seq + 1, fault: 'missing' } : null);
}

function faultOf(record: AuditRecord, previous: ChainLink, noted: ChainLink | null): ChainFault | null {
  if (record.seq !== previous.seq + 1) return 'missing';
  if (hashOf(record) !== record.hash) return 'changed';
  if (record.previousHash !== previous.hash) return 'relinked';
  return noted?.seq === record.seq && noted.hash !== record.hash ? 'replaced' : null;
}

/**
 * The end of the chain, noted in Redis and in the log. The chain alone does not show that its last
 * records are missing, or that all of it was computed anew.
 */

const keyOf = (prefix: string) => `${prefix}:audit-head`;

/** @returns null if no end was noted. */
export async function readNotedHead(redis: Redis, prefix: string): Promise<ChainLink | null> {
  const noted = await redis.get(keyOf(prefix));
  return noted === null ? null : (JSON.parse(noted) as ChainLink);
}

/**
 * Notes the end of the chain after an append. A noted end that the chain contradicts stays, for the
 * verification to find; one that is further on was noted by another process.
 */
export async function noteHead(
  { models, redis, prefix, log }: { models: Pick<Models, 'auditRecord'>; redis: Redis; prefix: string; log: Log },
  { before, after }: { before: ChainLink; after: ChainLink },
): Promise<void> {
  log.info('audit records appended', { first_seq: before.seq + 1, last_seq: after.seq, hash: after.hash });
  try {
    const noted = await readNotedHead(redis, prefix);
    if (noted && noted.seq > after.seq) return;
    const record = noted && (await models.auditRecord.findOne({ seq: noted.seq }, { hash: 1 }).lean());
    if (noted && record?.hash !== noted.hash) {
      log.error('audit records were changed or removed: the chain contradicts the end that was noted', {
        seq: noted.seq,
      });
      return;
    }
    await redis.set(keyOf(prefix), JSON.stringify({ seq: after.seq, hash: after.hash }));
  } catch (error) {
    log.warn('end of the audit records not noted', errorFields(error));
  }
}
