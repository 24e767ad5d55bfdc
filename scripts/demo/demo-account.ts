import { randomBytes } from 'node:crypto';
import { day } from '../../shared/durations.ts';
import type { ApiClient } from './api-client.ts';

/** An account of the demo's own, with an API key of one day. */
export interface DemoAccount {
  email: string;
  password: string;
  /** `admin` for the first account of a service. */
  role: string;
  apiKey: string;
}

/**
 * Makes an account and an API key that may do what the demo does.
 * @throws DemoError where registration is closed.
 */
export async function makeAccount(client: ApiClient): Promise<DemoAccount> {
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const registered = await client.post<{ access_token: string; user: { role: string } }>('api/v1/auth/register', {
    body: { email, password },
  });
  const { access_token: token, user } = registered.body;
  const { body } = await client.post<{ key: string }>('api/v1/api-keys', {
    headers: { authorization: `Bearer ${token}` },
    body: {
      name: 'Demo',
      scopes: ['scenarios:read', 'scenarios:write', 'ingest'],
      expires_at: new Date(Date.now() + day).toISOString(),
    },
  });
  return { email, password, role: user.role, apiKey: body.key };
}
