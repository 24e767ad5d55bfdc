import type { ObjectSchema } from 'joi';
import { type Static, Type } from 'typebox';
import { type Role, roles, type User } from '../../shared/accounts/user.model.ts';
import { Joi, uuid } from '../http/joi.ts';
import { oneOf, pageOf, timestamp, uuid as uuidText } from '../http/response-types.ts';
import { presentUser } from './auth.schema.ts';

export interface UserCreate {
  email: string;
  role: Role;
}

export interface UserUpdate {
  role?: Role;
  disabled?: boolean;
}

export interface UserTransfer {
  to: string;
}

const role = Joi.string().valid(...roles);

export const userPath = Joi.object<{ id: string }>({ id: uuid().required() });

export const userCreate: ObjectSchema<UserCreate> = Joi.object<UserCreate>({
  email: Joi.email().required(),
  role: role.default('member'),
});

export const userUpdate: ObjectSchema<UserUpdate> = Joi.object<UserUpdate>({
  role,
  disabled: Joi.boolean().strict().description('A disabled account has no sessions and no API keys.'),
}).min(1);

export const userTransfer: ObjectSchema<UserTransfer> = Joi.object<UserTransfer>({
  to: uuid().required().description('The id of the new owner.'),
});

const fields = {
  id: uuidText(),
  email: Type.String(),
  role: oneOf(roles),
  disabled: Type.Boolean(),
  has_password: Type.Boolean({ description: 'False until a password link of the account is used.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** An account as admins see it. */
export const accountResponse = Type.Object(fields, { $id: 'Account' });

const passwordLink = {
  token: Type.String({ description: 'For `POST /api/v1/auth/password-reset`, once; shown only here.' }),
  expires_at: timestamp(),
};

export const passwordLinkResponse = Type.Object(passwordLink, { $id: 'PasswordLink' });

export const newAccountResponse = Type.Object(
  { ...fields, password_link: Type.Object(passwordLink) },
  { $id: 'NewAccount' },
);

export const accountListResponse = pageOf(accountResponse, { $id: 'AccountList' });

export function presentAccount(user: User): Static<typeof accountResponse> {
  return { ...presentUser(user), disabled: Boolean(user.disabledAt), has_password: user.passwordHash !== undefined };
}

export function presentPasswordLink(token: string, expiresAt: Date): Static<typeof passwordLinkResponse> {
  return { token, expires_at: expiresAt.toISOString() };
}
