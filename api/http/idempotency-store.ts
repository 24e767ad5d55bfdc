import { createHmac, randomUUID } from 'node:crypto';
import type { IdempotencyRecord, IdempotencyRecordModel } from '../../shared/connections/idempotency-record.model.ts';
import { isDuplicateKey, isMongoUnavailable, majority } from '../../shared/connections/mongo.ts';
import { decrypt, encrypt } from '../../shared/crypto/encryption.ts';
import type { ServiceKeys } from '../../shared/crypto/service-keys.ts';
import { day, second } from '../../shared/durations.ts';

const lifetime = day;
/**
 * A process renews the locks of its attempts every second, so one with an expired lock has ended or
 * is frozen. A process that was only slow does no harm: two attempts of an operation store what one
 * would.
 */
const lockTime = 5 * second;

export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * One attempt of an operation. After its lock has expired, another attempt can continue the
 * operation.
 */
interface Attempt {
  id: string;
  attemptId: string;
}

/** The properties that all attempts of an operation share. */
export interface KnownOperation {
  operationId: string;
  /** Start of the first attempt. */
  begunAt: Date;
}

type Claim =
  | ({ state: 'claimed'; attemptedBefore: boolean } & KnownOperation & Attempt)
  | ({ state: 'responded'; response: StoredResponse } & KnownOperation)
  | { state: 'inProgress' }
  | { state: 'mismatch' };

export interface IdempotencyStore {
  /** Claims the key for one attempt, or returns the state of an earlier one. */
  claim(id: string, fingerprint: string): Promise<Claim>;
  /** Renews the lock of an attempt until the returned function is called. */
  hold(attempt: Attempt): () => void;
  respond(attempt: Attempt, response: StoredResponse): Promise<void>;
  /** Releases the key of an attempt that stored nothing. */
  forget(attempt: Attempt): Promise<void>;
  /**
   * Ends the lock of an attempt that can have stored something. The next attempt continues the same
   * operation.
   */
  unlock(attempt: Attempt): Promise<void>;
  /** Removes the response of an operation, so that the key is new again. */
  discard(id: string, operationId: string): Promise<void>;
  /** Whether there is a record of the key. */
  has(id: string): Promise<boolean>;
  /** Determines the secrets that an operation creates. */
  seedOf(operationId: string): Buffer;
  /** Creates a keyed digest, for content that can contain passwords. */
  digest(): ReturnType<typeof createHmac>;
}

/**
 * Records of POSTs with an `Idempotency-Key`, in MongoDB: they survive restarts and an unreachable
 * Redis. test/proof/idempotency-key.test.ts runs them in random schedules.
 */
export function createIdempotencyStore(
  model: IdempotencyRecordModel,
  keys: ServiceKeys,
  { renewalTime = 1 * second } = {},
): IdempotencyStore {
  const renew = async (attempt: Attempt): Promise<void> => {
    await model.updateOne(heldBy(attempt), { $set: { lockedUntil: new Date(Date.now() + lockTime) } });
  };

  return {
    claim: (id, fingerprint) => claim(model, keys, id, fingerprint),
    hold: (attempt) => {
      let isRenewing = false;
      const timer = setInterval(() => {
        if (isRenewing) return;
        isRenewing = true;
        // Without the database, no other attempt can take the lock either.
        void renew(attempt)
          .catch(() => {})
          .finally(() => {
            isRenewing = false;
          });
      }, renewalTime);
      return () => clearInterval(timer);
    },
    respond: async (attempt, { status, headers, body }) => {
      const encryptedBody = encrypt(keys.responses, body, attempt.id).toString('base64');
      await model.updateOne(heldBy(attempt), { $set: { response: { status, headers, encryptedBody } } });
    },
    forget: async (attempt) => {
      await model.deleteOne(heldBy(attempt));
    },
    unlock: async (attempt) => {
      await model.updateOne(heldBy(attempt), { $set: { lockedUntil: new Date() }, $unset: { attemptId: 1 } });
    },
    discard: async (id, operationId) => {
      await model.deleteOne({ _id: id, operationId });
    },
    has: async (id) => (await model.exists({ _id: id })) !== null,
    seedOf: (operationId) => createHmac('sha256', keys.operations).update(operationId).digest(),
    digest: () => createHmac('sha256', keys.fingerprints),
  };
}

/** See `IdempotencyStore.claim`. */
async function claim(
  model: IdempotencyRecordModel,
  keys: ServiceKeys,
  id: string,
  fingerprint: string,
): Promise<Claim> {
  const attemptId = randomUUID();
  const operationId = randomUUID();
  for (;;) {
    const now = new Date();
    const lock = { attemptId, lockedUntil: new Date(now.getTime() + lockTime) };
    const expiresAt = new Date(now.getTime() + lifetime);
    try {
      await model.create({ _id: id, fingerprint, operationId, ...lock, expiresAt });
      return { state: 'claimed', id, attemptId, operationId, begunAt: now, attemptedBefore: false };
    } catch (error) {
      if (!isDuplicateKey(error) && !isMongoUnavailable(error)) throw error;
    }
    // The insert, or the lock below, can have succeeded although its response was lost. A failover
    // can undo it until a majority has it, and another request would claim the key as well.
    const known = await model.findById(id).readConcern(majority.level).lean<IdempotencyRecord>();
    if (!known) continue;
    const operation = { operationId: known.operationId, begunAt: new Date(known.expiresAt.getTime() - lifetime) };
    if (known.attemptId === attemptId)
      return { state: 'claimed', id, attemptId, ...operation, attemptedBefore: known.operationId !== operationId };
    if (known.expiresAt <= now) {
      // MongoDB removes expired records once a minute.
      await model.deleteOne({ _id: id, expiresAt: known.expiresAt });
      continue;
    }
    if (known.fingerprint !== fingerprint) return { state: 'mismatch' };
    if (known.response) return { state: 'responded', ...operation, response: responseOf(known, keys) };
    if (known.lockedUntil > now) return { state: 'inProgress' };
    // An attempt that counted as lost can still respond; its response is stored.
    const withoutResponse = { _id: id, lockedUntil: known.lockedUntil, response: { $exists: false } };
    if (await takeLock(model, withoutResponse, lock))
      return { state: 'claimed', id, attemptId, ...operation, attemptedBefore: true };
  }
}

/** Locks a record. @returns false also if the response of the database is lost. */
async function takeLock(
  model: IdempotencyRecordModel,
  withoutResponse: { _id: string },
  lock: { attemptId: string; lockedUntil: Date },
): Promise<boolean> {
  try {
    return (await model.updateOne(withoutResponse, { $set: lock })).modifiedCount === 1;
  } catch (error) {
    if (isMongoUnavailable(error)) return false;
    throw error;
  }
}

function responseOf({ _id, response }: IdempotencyRecord, keys: ServiceKeys): StoredResponse {
  const { status = 0, headers = {}, encryptedBody = '' } = response ?? {};
  return { status, headers, body: decrypt(keys.responses, Buffer.from(encryptedBody, 'base64'), _id).toString() };
}

/** The record, as long as no other attempt has taken its lock. */
const heldBy = ({ id, attemptId }: Attempt) => ({ _id: id, attemptId });
