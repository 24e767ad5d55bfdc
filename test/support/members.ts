import { type Account, createAccount, createApiKey } from './accounts.ts';
import type { RequestOptions, TestResponse, TestService } from './test-service.ts';

/**
 * An account that sends requests with its access token, or with an API key to notebooks, which
 * accept nothing else.
 */
export interface Sender extends Account {
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** For the functions that create things. */
  service: Pick<TestService, 'request'>;
}

export async function createSender(service: TestService): Promise<Sender> {
  const account = await createAccount(service);
  const { key } = await createApiKey(service, account);
  const send: Sender['send'] = (method, path, options = {}) =>
    service.request(method, path, {
      ...options,
      headers: {
        ...(path.startsWith('/api/v1/notebooks') ? { 'X-API-Key': key } : account.headers),
        ...options.headers,
      },
    });
  return { ...account, send, service: { request: send } };
}
