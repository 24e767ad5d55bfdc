import { type Connection, type Model, Schema } from 'mongoose';

/** What one login began: the family of its refresh tokens, of which only the newest is good. */
export interface Session {
  _id: string;
  userId: string;
  /** SHA-256 of the newest refresh token, hexadecimal. */
  refreshHash: string;
  createdAt: Date;
  /** When the newest refresh token ends. */
  expiresAt: Date;
  revokedAt: Date | null;
}

const schema = new Schema<Session>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    refreshHash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
  },
  { collection: 'sessions', versionKey: false, strict: 'throw' },
);

// Serves the end of all sessions of a user whose password has changed.
schema.index({ userId: 1 });
// Removes sessions that can not be refreshed any more.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type SessionModel = Model<Session>;

export function sessionModel(connection: Connection): SessionModel {
  return connection.model<Session>('Session', schema);
}

/**
 * Puts a new refresh token in the place of the newest: one atomic update, so that a token is good once.
 * @returns null when `refreshHash` is not the newest, or the session is over.
 */
export async function rotateSession(
  model: SessionModel,
  session: Pick<Session, '_id' | 'userId' | 'refreshHash'>,
  next: Pick<Session, 'refreshHash' | 'expiresAt'>,
): Promise<Session | null> {
  return model
    .findOneAndUpdate(
      { ...session, revokedAt: null, expiresAt: { $gt: new Date() } },
      { $set: next },
      { returnDocument: 'after' },
    )
    .lean<Session>();
}

export async function revokeSessions(model: SessionModel, which: { _id: string } | { userId: string }): Promise<void> {
  await model.updateMany({ ...which, revokedAt: null }, { $set: { revokedAt: new Date() } });
}
