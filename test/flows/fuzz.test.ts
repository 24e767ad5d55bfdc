import { expect } from 'chai';
import { openSession } from '../../api/accounts/auth.store.ts';
import { createTokens } from '../../api/accounts/tokens.ts';
import { allRoutes } from '../../api/all-routes.ts';
import { openApiDocument } from '../../api/http/openapi-document.ts';
import {
  addressOf,
  breakRequest,
  type FuzzRequest,
  generateRequest,
  type KnownIds,
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from '../../scripts/fuzz/generate-request.ts';
import { chance, pick } from '../../scripts/fuzz/odd-values.ts';
import { seededRandom } from '../../shared/seeded-random.ts';
import { bearer, createAccount, createApiKey } from '../support/accounts.ts';
import { isLongForm } from '../support/long-form.ts';
import { createSender, resources } from '../support/members.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { createRunningScenario, createScenario } from '../support/requests.ts';
import type { TestResponse, TestService } from '../support/test-service.ts';

/** `FUZZ_REQUESTS=20000 FUZZ_SEED=7 npm run fuzz` sends as many. */
const { FUZZ_REQUESTS, FUZZ_SEED = '1' } = process.env;
const isLong = isLongForm || FUZZ_REQUESTS !== undefined;

const documented = { AUTH_MODE: 'documented', NOTEBOOK_API_VARIANT: '0.1.0' };
const strict = { AUTH_MODE: 'strict', NOTEBOOK_API_VARIANT: '0.2.0' };
const environments = isLong ? [documented, strict] : [documented];
/** The short form sends each operation at least four times. */
const requests = Math.ceil(Number(FUZZ_REQUESTS ?? (isLongForm ? 10_000 : 400)) / environments.length);

/** Requests in flight, so that the wait for a worker is not idle time. */
const concurrency = 4;

for (const environment of environments) {
  const name = Object.values(environment).join(', ');

  describe(`requests generated from the OpenAPI document, ${name}`, () => {
    const service = startServiceWithNotebooks(environment);
    const openSenders = createSenders(service);
    let senders: Senders;
    let ids: KnownIds;
    before(async () => {
      senders = await openSenders();
      ids = await createResources(service);
    });

    it('generated requests meet no 500 and no undeclared response', async () => {
      const document = JSON.parse(
        JSON.stringify(openApiDocument(allRoutes(service.app), service.config)),
      ) as OpenApiDocument;
      const operations = operationsOf(document);
      const random = seededRandom(Number(FUZZ_SEED));
      const findings: string[] = [];
      const accepted = new Set<string>();
      let sent = 0;
      const sendOne = async (operation: Operation) => {
        const request = generateRequest(operation, { random, ids, components: document.components });
        if (chance(random, 0.6)) breakRequest(request, random);
        Object.assign(request.headers, { ...pick(random, senders), ...request.headers });
        const address = addressOf(request);
        try {
          // The service checks every response against its document.
          const response = await service.request(request.method, address, request);
          if (response.status === 500) throw new Error(`The response is 500: ${response.text}`);
          if (response.status < 400) accepted.add(operation.operationId);
          keepId(request, response, ids);
          sent += 1;
          // Requests end sessions, and an access token is valid for some minutes.
          if (sent % 500 === 0 || (request.operationId === 'logOut' && response.status === 204)) {
            senders = await openSenders();
          }
        } catch (error) {
          findings.push(`${(error as Error).message}\n${address} ${JSON.stringify(request)}`.slice(0, 4_000));
        }
      };
      for (let next = 0; next < requests; next += concurrency) {
        const at = (index: number) => operations[(next + index) % operations.length] as Operation;
        await Promise.all(Array.from({ length: concurrency }, (_, index) => sendOne(at(index))));
      }
      expect(findings.slice(0, 20), `${findings.length} findings with the seed ${FUZZ_SEED}`).to.deep.equal([]);
      // A few requests per operation; logins and sessions of a browser need what no generator
      // knows.
      expect(accepted.size, [...accepted].join(', ')).to.be.greaterThan(operations.length * 0.4);
    }).timeout(requests * 1_000);
  });
}

/**
 * Later requests use the ids of what this request has created. A short list lets several requests
 * meet one resource.
 */
function keepId({ path }: FuzzRequest, { status, body }: TestResponse, ids: KnownIds): void {
  const known = ids[path.split('/').at(-1) ?? ''];
  const id: unknown = body?.data?.id ?? body?.id;
  if (status !== 201 || !known || typeof id !== 'string') return;
  known.push(id);
  if (known.length > 20) known.shift();
}

/**
 * The headers of senders: without credentials, with those of an admin, of a member, and with parts
 * of them.
 */
type Senders = readonly Readonly<Record<string, string>>[];

/**
 * Creates an admin and a member. Called again, it opens new sessions, because requests can end a
 * session.
 */
function createSenders(service: TestService): () => Promise<Senders> {
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
async function createResources(service: TestService): Promise<KnownIds> {
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
