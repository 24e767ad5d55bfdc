import { type Static, Type } from 'typebox';
import { type Role, roles, type User } from '../../shared/accounts/user.model.ts';
import { Joi, uuid as uuidField } from '../http/input.ts';
import { count, oneOf, pageOf, present, timestamp, uuid } from '../http/response-types.ts';
import { maxPasswordBytes, minPasswordBytes } from './passwords.ts';
import type { SignedToken } from './tokens.ts';

export interface Credentials {
  email: string;
  password: string;
}

export interface Registration extends Credentials {
  role?: 'member';
}

const newPassword = Joi.string()
  .min(minPasswordBytes, 'utf8')
  .max(maxPasswordBytes, 'utf8')
  .required()
  .messages({
    'string.empty': `must be at least ${minPasswordBytes} bytes of UTF-8`,
    'string.min': `must be at least ${minPasswordBytes} bytes of UTF-8`,
    'string.max': `must be at most ${maxPasswordBytes} bytes of UTF-8`,
  })
  .description(`${minPasswordBytes} to ${maxPasswordBytes} bytes of UTF-8.`);

/** Follows no rule of new passwords, because an error by such a rule would help to guess it. */
const knownPassword = Joi.string().max(1024).required();

export const registerBody = Joi.object<Registration>({
  email: Joi.email().required(),
  password: newPassword,
  role: Joi.string().valid('member').description('With it, the account does not become the admin.'),
});

export const loginBody = Joi.object<Credentials>({
  email: Joi.string().trim().max(254).required(),
  password: knownPassword,
});

export const passwordResetBody = Joi.object<{ token: string; password: string }>({
  token: Joi.string().max(1024).required().description('The token of a password link.'),
  password: newPassword,
});

export const refreshBody = Joi.object<{ refresh_token: string }>({ refresh_token: Joi.string().max(4096).required() });

export const passwordBody = Joi.object<{ current_password: string; new_password: string }>({
  current_password: knownPassword,
  new_password: newPassword
    .disallow(Joi.ref('current_password'))
    .messages({ 'any.invalid': 'must differ from the current password' }),
});

const userFields = {
  id: uuid(),
  email: Type.String(),
  role: oneOf(roles),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const userResponse = Type.Object(userFields, { $id: 'User' });

const accessToken = {
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: count({ description: 'Seconds.' }),
};

export const tokensResponse = Type.Object(
  {
    ...accessToken,
    refresh_token: Type.String({ description: 'Valid for one use.' }),
    refresh_expires_in: count({ description: 'Seconds.' }),
    user: userResponse,
  },
  { $id: 'Tokens' },
);

/** The refresh token is in a cookie. */
export const browserSessionResponse = Type.Object({ ...accessToken, user: userResponse }, { $id: 'BrowserSession' });

export const presentUser = (user: User) => present(userResponse, user);

export function presentTokens(
  user: User,
  { access, refresh }: { access: SignedToken; refresh: SignedToken },
): Static<typeof tokensResponse> {
  const { token: refresh_token, lifetime: refresh_expires_in } = refresh;
  return { ...presentBrowserSession(user, access), refresh_token, refresh_expires_in };
}

export const presentBrowserSession = (user: User, { token, lifetime }: SignedToken) =>
  ({ access_token: token, token_type: 'Bearer', expires_in: lifetime, user: presentUser(user) }) as const;

// The routes of admins.

export interface UserCreate {
  email: string;
  role: Role;
}

export interface UserUpdate {
  role?: Role;
  disabled?: boolean;
}

const role = Joi.string().valid(...roles);

export const userCreate = Joi.object<UserCreate>({
  email: Joi.email().required(),
  role: role.default('member'),
});

export const userUpdate = Joi.object<UserUpdate>({
  role,
  disabled: Joi.boolean().strict().description('A disabled account has no sessions and no API keys.'),
}).min(1);

export const userTransfer = Joi.object<{ to: string }>({
  to: uuidField().required().description('The id of the new owner.'),
});

const accountFields = {
  ...userFields,
  disabled: Type.Boolean(),
  has_password: Type.Boolean({ description: 'False until a password link of the account is used.' }),
};

/** An account as admins see it. */
export const accountResponse = Type.Object(accountFields, { $id: 'Account' });

const passwordLink = {
  token: Type.String({ description: 'For `POST /api/v1/auth/password-reset`, once; shown only here.' }),
  expires_at: timestamp(),
};

export const passwordLinkResponse = Type.Object(passwordLink, { $id: 'PasswordLink' });

export const newAccountResponse = Type.Object(
  { ...accountFields, password_link: Type.Object(passwordLink) },
  { $id: 'NewAccount' },
);

export const accountListResponse = pageOf(accountResponse, { $id: 'AccountList' });

export const presentAccount = (user: User) =>
  present(accountResponse, user, { disabled: Boolean(user.disabledAt), has_password: user.passwordHash !== undefined });

export const presentPasswordLink = (token: string, expiresAt: Date) => ({ token, expires_at: expiresAt.toISOString() });
