import { openSession } from '../../api/accounts/auth.store.ts';
import { createTokens } from '../../api/accounts/tokens.ts';
import type { KnownIds } from '../../scripts/fuzz/generate-request.ts';
import { bearer, createAccount, createApiKey } from './accounts.ts';
import { createScenario, ingest } from './requests.ts';
import type { TestService } from './test-service.ts';

/**
 * The headers of senders: without credentials, with those of an admin, of a member, and with parts
 * of them.
 */
export type Senders = readonly Readonly<Record<string, string>>[];

/**
 * Creates an admin and a member. Called again, it opens new sessions, because requests can end a
 * session.
 */
export function createSenders(service: TestService): () => Promise<Senders> {
  let accounts: { id: string; key: string }[] | undefined;
  return async () => {
    if (!accounts) {
      accounts = [];
      for (const email of ['admin@example.com', 'member@example.com']) {
        const account = await createAccount(service, email);
        const scopes = account.user.role === 'admin' ? { scopes: ['admin'] } : {};
        const { key } = await createApiKey(service, account, scopes);
        accounts.push({ id: account.user.id, key });
      }
    }
    const { models, config } = service.app;
    const senders = await Promise.all(
      accounts.map(async ({ id, key }) => {
        const user = await models.user.findById(id).lean().orFail();
        const { access } = await openSession(models, createTokens(config.auth.tokenSecret), user);
        return { token: bearer(access.token), key: { 'X-API-Key': key } };
      }),
    );
    const [admin, member] = senders.map(({ token, key }) => [{ ...token, ...key }, token, key]);
    // The credentials that most routes accept come more often.
    return [{}, ...(admin ?? []), ...(member ?? []), ...(admin ?? []).slice(0, 1), ...(admin ?? []).slice(0, 1)];
  };
}

/**
 * Creates resources of every kind, scenarios in every state, as an admin. @returns their ids, to
 * which others can be added.
 */
export async function createResources(service: TestService, headers: Record<string, string>): Promise<KnownIds> {
  const asAdmin: Pick<TestService, 'request'> = {
    request: (method, path, options = {}) =>
      service.request(method, path, { ...options, headers: { ...headers, ...options.headers } }),
  };
  const create = async (path: string, body: object) => {
    const response = await asAdmin.request('POST', path, { body });
    if (response.status !== 201) throw new Error(response.text);
    return (response.body.data ?? response.body).id as string;
  };
  const scenarios: string[] = [];
  for (const steps of [[], ['start'], ['start'], ['start', 'stop'], ['start', 'stop', 'archive']]) {
    const { id } = await createScenario(asAdmin);
    for (const step of steps) {
      await asAdmin.request('POST', `/api/v1/scenarios/${id}/${step}`);
      if (step === 'start')
        await ingest(asAdmin, id, [{ message: 'GET /checkout 200' }, { message: 'mail to jane@example.com' }]);
    }
    scenarios.push(id);
  }
  const running = scenarios[1] ?? '';
  const priceBooks = await asAdmin.request('GET', '/api/v1/price-books');
  const accepted = await ingest(asAdmin, running, { message: 'one' }, { headers: { Prefer: 'respond-async' } });
  return {
    scenarios,
    notebooks: [await create('/api/v1/notebooks', { title: 'Field notes' })],
    'api-keys': [await create('/api/v1/api-keys', { name: 'a key' })],
    users: [await create('/api/v1/users', { email: 'someone@example.com' })],
    'ingest-jobs': [accepted.body.job_id],
    'price-books': [priceBooks.body.items[0].version],
  };
}
