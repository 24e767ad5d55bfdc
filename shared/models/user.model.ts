import { type Connection, type Model, Schema } from 'mongoose';

export const roles = ['admin', 'member'] as const;
export type Role = (typeof roles)[number];

export interface User {
  _id: string;
  email: string;
  /** The address in the form that is compared. */
  emailKey: string;
  /** Set on the first account only. */
  first?: true;
  role: Role;
  /** bcrypt hash, which contains salt and cost. */
  passwordHash: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Addresses are compared trimmed, composed (NFC) and without case. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

const schema = new Schema<User>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    first: Boolean,
    role: { type: String, enum: roles, required: true },
    passwordHash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false, strict: 'throw' },
);

// Serves the login, and refuses a second account with the same address.
schema.index({ emailKey: 1 }, { unique: true });
// Serves the check whether an account exists, and makes only one of concurrent registrations the first account.
schema.index({ first: 1 }, { unique: true, partialFilterExpression: { first: true } });

export function createUserModel(connection: Connection): Model<User> {
  return connection.model<User>('User', schema);
}
