import type { User } from '../../../shared/models/user.model.ts';
import type { SignedToken } from '../../auth/tokens.ts';

export function presentUser({ _id, email, role, createdAt, updatedAt }: User) {
  return {
    id: _id,
    email,
    role,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function presentTokens(user: User, { access, refresh }: { access: SignedToken; refresh: SignedToken }) {
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: access.lifetime,
    refresh_token: refresh.token,
    refresh_expires_in: refresh.lifetime,
    user: presentUser(user),
  };
}
