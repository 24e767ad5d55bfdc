import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/mongo.ts';
import type { Role, User } from './user.model.ts';

/** A change of an account by an admin. It applies to one revision of the account only. */
export interface UserChange {
  userId: string;
  revision: number;
  role?: Role;
  /** Null enables the account. */
  disabledAt?: Date | null;
}

/**
 * Decides which changes may remove an admin; one document, changed by compare-and-set on
 * `version`. The granted change is carried out before the next one is decided, so decisions rest on
 * what all earlier ones have led to.
 */
export interface AdminLedger {
  _id: string;
  version: number;
  granted: UserChange | null;
}

const schema = createSchema<AdminLedger>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    granted: { type: Object, default: null },
  },
  { collection: 'admin_ledgers', minimize: false, strict: 'throw' },
);

export const adminLedgerId = 'admins';

export function createAdminLedgerModel(connection: ModelSource): Model<AdminLedger> {
  return connection.model<AdminLedger>('AdminLedger', schema);
}

/**
 * Carries a change out, at most once. @returns the changed account; null if the account has another
 * revision.
 */
export async function applyUserChange(
  model: Model<User>,
  { userId, revision, ...fields }: UserChange,
): Promise<User | null> {
  return model
    .findOneAndUpdate(
      // `null` also matches an absent field: the revision 0.
      { _id: userId, revision: revision === 0 ? null : revision },
      {
        $set: { ...fields, updatedAt: new Date() },
        $inc: { revision: 1 },
        ...(fields.disabledAt ? { $unset: { passwordLink: 1 } } : {}),
      },
      { returnDocument: 'after' },
    )
    .lean<User>();
}
