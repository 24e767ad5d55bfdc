import { randomBytes } from 'node:crypto';
import { day } from '../../shared/durations.ts';
import type { ApiClient } from './api-client.ts';
import type { DemoKey } from './demo-arguments.ts';

/**
 * Registers an account, which does not become the admin, prints it, and creates a key that is valid
 * for one day. @returns undefined if registration is closed: some services require no credentials.
 */
export async function createAccountWithKey(client: ApiClient): Promise<DemoKey | undefined> {
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const registered = await client.post<{ access_token: string }>('api/v1/auth/register', {
    body: { email, password, role: 'member' },
    accept: [403],
  });
  if (registered.status === 403) {
    console.log('Registration is closed: the demo continues without an account.\n');
    return undefined;
  }
  const { access_token: token } = registered.body;
  // The password is printed before any other step can fail, because it is stored nowhere else.
  console.log(`Registered an account for the demo: ${email}, password ${password}\n`);
  const scopes = ['scenarios:read', 'scenarios:write', 'ingest', 'reports:read', 'reports:write'];
  const { body } = await client.post<{ key: string }>('api/v1/api-keys', {
    headers: { authorization: `Bearer ${token}` },
    body: { name: 'Demo', scopes, expires_at: new Date(Date.now() + day).toISOString() },
  });
  return { value: body.key, shown: body.key };
}
