import { randomUUID } from 'node:crypto';
import { hash } from 'bcrypt';
import { createUser, openSession } from '../../api/accounts/auth.store.ts';
import { createTokens } from '../../api/accounts/tokens.ts';
import { successOf } from './requests.ts';
import { passwordCost, type TestService } from './test-service.ts';

type Service = Pick<TestService, 'request'>;

export const password = 'correct horse battery';

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export interface Account {
  email: string;
  accessToken: string;
  refreshToken: string;
  user: { id: string; role: string };
  /** `Authorization` with the access token of the account. */
  headers: Record<string, string>;
}

const passwordHash = await hash(password, passwordCost);

/**
 * Stores an account directly, without registration. The first account of a service is the admin.
 */
export async function createAccount(
  { app: { models, config } }: Pick<TestService, 'app'>,
  email = `${randomUUID()}@example.com`,
): Promise<Account> {
  const open = { ...config, environment: 'test', auth: { ...config.auth, registration: 'open' } } as const;
  const user = await createUser(models, { email, passwordHash }, open);
  const { access, refresh } = await openSession(models, createTokens(config.auth.tokenSecret), user);
  return {
    email,
    accessToken: access.token,
    refreshToken: refresh.token,
    user: { id: user._id, role: user.role },
    headers: bearer(access.token),
  };
}

/**
 * Registers an account over HTTP, with a unique e-mail address. `address` is the IP address of the
 * client.
 */
export async function register(
  service: Service,
  { email = `${randomUUID()}@example.com`, address }: { email?: string; address?: string } = {},
): Promise<Account> {
  const headers: Record<string, string> = address === undefined ? {} : { 'X-Forwarded-For': address };
  const response = await successOf(
    service.request('POST', '/api/v1/auth/register', { body: { email, password }, headers }),
  );
  const { access_token: accessToken, refresh_token: refreshToken, user } = response.body;
  return { email, accessToken, refreshToken, user, headers: bearer(accessToken) };
}

export interface ApiKeyResponse extends Record<string, unknown> {
  id: string;
  key: string;
  scopes: string[];
}

/** Creates an API key over HTTP. */
export async function createApiKey(
  service: Service,
  account: Account,
  overrides: object = {},
): Promise<ApiKeyResponse> {
  const { headers } = account;
  const body = { name: 'a key', ...overrides };
  return (await successOf(service.request('POST', '/api/v1/api-keys', { headers, body }))).body;
}

/** Adds an API key to every request of a service, for all tests of the enclosing `describe`. */
export function addApiKeyToRequests(service: TestService): void {
  before(async () => {
    const { key } = await createApiKey(service, await createAccount(service));
    service.headers['X-API-Key'] = key;
  });
}
