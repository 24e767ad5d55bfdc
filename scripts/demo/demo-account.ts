import { randomBytes } from 'node:crypto';
import { day } from '../../shared/durations.ts';
import type { ApiClient } from './api-client.ts';

/** An account that the demo has registered. */
export interface DemoAccount {
  email: string;
  password: string;
  /** `admin` for the first account of a service. */
  role: string;
  token: string;
}

/** Registers an account; undefined if registration is closed. */
export async function registerAccount(client: ApiClient): Promise<DemoAccount | undefined> {
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const { status, body } = await client.post<{ access_token: string; user: { role: string } }>('api/v1/auth/register', {
    body: { email, password },
    accept: [403],
  });
  return status === 403 ? undefined : { email, password, role: body.user.role, token: body.access_token };
}

/** Creates an API key with the scopes that the demo needs, valid for one day. */
export async function createKey(client: ApiClient, { token }: DemoAccount): Promise<string> {
  const { body } = await client.post<{ key: string }>('api/v1/api-keys', {
    headers: { authorization: `Bearer ${token}` },
    body: {
      name: 'Demo',
      scopes: ['scenarios:read', 'scenarios:write', 'ingest', 'reports:read', 'reports:write'],
      expires_at: new Date(Date.now() + day).toISOString(),
    },
  });
  return body.key;
}
