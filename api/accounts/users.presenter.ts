import { type Static, Type } from 'typebox';
import { roles, type User } from '../../shared/accounts/user.model.ts';
import { oneOf, pageOf, timestamp, uuid } from '../http/response-types.ts';
import { presentUser } from './auth.presenter.ts';

const fields = {
  id: uuid(),
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
