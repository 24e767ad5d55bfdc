import type { Model } from 'mongoose';
import { defineModel } from '../connections/mongo.ts';

/** A login and the family of its refresh tokens, of which only the newest is valid. */
export interface Session {
  _id: string;
  userId: string;
  /** SHA-256 of the newest refresh token, hexadecimal. */
  refreshHash: string;
  createdAt: Date;
  /** Operation that generated the newest refresh token, if it had an `Idempotency-Key`. */
  rotatedBy?: string;
  /** When the newest refresh token expires. */
  expiresAt: Date;
  revokedAt: Date | null;
}

type SessionModel = Model<Session>;

export const createSessionModel = defineModel<Session>('sessions', [
  // Serves the revocation of all sessions of a user after a change of password.
  [{ userId: 1 }],
  // Removes expired sessions.
  [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
]);

/**
 * Replaces the newest refresh token by one atomic update, so that a token can be used once.
 * @returns null if another refresh token is the newest one, or if the session has ended.
 */
export async function rotateSession(
  model: SessionModel,
  session: Pick<Session, '_id' | 'userId'> & (Pick<Session, 'refreshHash'> | Required<Pick<Session, 'rotatedBy'>>),
  next: Pick<Session, 'refreshHash' | 'rotatedBy' | 'expiresAt'>,
): Promise<Session | null> {
  return model
    .findOneAndUpdate(
      { ...session, revokedAt: null, expiresAt: { $gt: new Date() } },
      // An operation can rotate its own token again only until another request rotates it.
      next.rotatedBy === undefined ? { $set: next, $unset: { rotatedBy: 1 } } : { $set: next },
      { returnDocument: 'after' },
    )
    .lean<Session>();
}

export async function revokeSessions(model: SessionModel, which: { _id: string } | { userId: string }): Promise<void> {
  const revocation = { $set: { revokedAt: new Date() } };
  // The driver can retry an update of one document only.
  if ('_id' in which) await model.updateOne({ ...which, revokedAt: null }, revocation);
  else await model.updateMany({ ...which, revokedAt: null }, revocation);
}
