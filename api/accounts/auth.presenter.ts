import { type Static, Type } from 'typebox';
import { roles, type User } from '../../shared/accounts/user.model.ts';
import { count, oneOf, timestamp, uuid } from '../http/response-types.ts';
import type { SignedToken } from './tokens.ts';

export const userResponse = Type.Object(
  { id: uuid(), email: Type.String(), role: oneOf(roles), created_at: timestamp(), updated_at: timestamp() },
  { $id: 'User' },
);

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

export function presentUser({ _id, email, role, createdAt, updatedAt }: User): Static<typeof userResponse> {
  return {
    id: _id,
    email,
    role,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function presentTokens(
  user: User,
  { access, refresh }: { access: SignedToken; refresh: SignedToken },
): Static<typeof tokensResponse> {
  return {
    ...presentAccessToken(access),
    refresh_token: refresh.token,
    refresh_expires_in: refresh.lifetime,
    user: presentUser(user),
  };
}

export function presentBrowserSession(
  user: User,
  { access }: { access: SignedToken },
): Static<typeof browserSessionResponse> {
  return { ...presentAccessToken(access), user: presentUser(user) };
}

function presentAccessToken({ token, lifetime }: SignedToken) {
  return { access_token: token, token_type: 'Bearer', expires_in: lifetime } as const;
}
