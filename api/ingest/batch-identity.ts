import { createHash } from 'node:crypto';
import { majority } from '../../shared/connections/mongo.ts';
import { digestUuid } from '../../shared/crypto/sha256.ts';
import { newBatchId } from '../../shared/ingest/log-entry-id.ts';
import type { Models } from '../../shared/models.ts';
import { receiveBody } from '../http/body/request-body.ts';
import type { AppContext } from '../http/context.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { type BatchIdentity, requireSame } from './accept-entries.ts';

/** The identity of requests without a key. */
const withoutKey: BatchIdentity = { idOf: newBatchId, fingerprint: undefined, isRepeat: false };

/** Headers that are part of the fingerprint, together with address and body. */
const fingerprintHeaders = ['X-Scenario-ID', 'Content-Encoding', 'Content-Type'];

/**
 * Identifies a request with log entries. A key is owned by its caller. Clients of one network that
 * send no credentials are one caller, so the fingerprint is part of their ids: two clients can use
 * the same key.
 * @param beforeBody is called unless an earlier request is known: before the body is received, but
 * for a key whose owner is the request itself.
 * @throws AppError IDEMPOTENCY_MISMATCH if another request had the key; VALIDATION_ERROR for an
 * invalid key; the error of `beforeBody`.
 */
export async function identifyBatches(
  ctx: AppContext,
  { logBatch }: Pick<Models, 'logBatch'>,
  { maxBytes, beforeBody }: { maxBytes: number; beforeBody: () => Promise<void> },
): Promise<BatchIdentity> {
  const key = idempotencyKeyOf(ctx);
  if (key === undefined) {
    await beforeBody();
    return withoutKey;
  }
  const { caller } = ctx.state;
  const owner = JSON.stringify([caller.id, key]);
  const isOwned = caller.key !== null || caller.user !== null;
  const isKnown = isOwned && (await findFingerprint(logBatch, digestUuid(`${owner} 0`))) !== null;
  if (isOwned && !isKnown) await beforeBody();
  ctx.state.receivedBody ??= await receiveBody(ctx, maxBytes);
  const fingerprint = fingerprintOf(ctx, ctx.state.receivedBody);
  const base = isOwned ? owner : `${owner} ${fingerprint}`;
  const idOf = (part: number) => digestUuid(`${base} ${part}`);
  const known = await findFingerprint(logBatch, idOf(0));
  if (!isOwned && known === null) await beforeBody();
  if (known !== null) requireSame(known, fingerprint);
  return { idOf, fingerprint, isRepeat: known !== null };
}

/** @returns null if there is no such batch that a majority has. */
async function findFingerprint(logBatch: Models['logBatch'], id: string): Promise<string | undefined | null> {
  const options = { projection: { fingerprint: 1 }, readConcern: majority };
  const row = await logBatch.collection.findOne<{ fingerprint?: string }>({ _id: id as never }, options);
  return row ? row.fingerprint : null;
}

function fingerprintOf(ctx: AppContext, body: readonly Buffer[]): string {
  const digest = createHash('sha256').update(
    JSON.stringify([ctx.url, ...fingerprintHeaders.map((name) => ctx.get(name))]),
  );
  for (const piece of body) digest.update(piece);
  return digest.digest('hex');
}
