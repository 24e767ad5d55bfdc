import { openSession } from '../../api/accounts/auth.store.ts';
import { createTokens } from '../../api/accounts/tokens.ts';
import type { KnownIds } from '../../scripts/fuzz/generate-request.ts';
import { bearer, createAccount, createApiKey } from './accounts.ts';
import { createSender, resources } from './members.ts';
import { createRunningScenario, createScenario } from './requests.ts';
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
 * Creates resources of every kind, scenarios in every state. @returns their ids, which others can
 * join.
 */
export async function createResources(service: TestService): Promise<KnownIds> {
  const owner = await createSender(service);
  const ids: Record<string, string[]> = { scenarios: [], users: [owner.user.id] };
  for (const [kind, create] of Object.entries(resources)) ids[kind] = [await create(owner)];
  for (const steps of [[], ['stop'], ['stop', 'archive']]) {
    const { id } = await (steps.length > 0 ? createRunningScenario : createScenario)(owner.service);
    for (const step of steps) await owner.send('POST', `/api/v1/scenarios/${id}/${step}`);
    ids['scenarios']?.push(id);
  }
  const priceBooks = await owner.send('GET', '/api/v1/price-books');
  ids['price-books'] = [priceBooks.body.items[0].version];
  return ids;
}
