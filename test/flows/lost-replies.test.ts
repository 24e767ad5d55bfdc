import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Account, createAccount, password } from '../support/accounts.ts';
import { writeCommands } from '../support/proxy.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import type { TestResponse } from '../support/test-service.ts';

/** More writes than any of the requests makes. */
const maxWrites = 12;

interface Sent {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What the responses to a request and to its repeats have in common. */
const resultOf = ({ body }: TestResponse) => [body.id, body.user?.id, body.key, body.password_link, body.token];

describe('with the reply of one write of the database lost', () => {
  const { service, proxy } = startServiceBehindProxy({}, { workers: true });
  let account: Account;
  before(async () => {
    account = await createAccount(service);
  });

  /** Sends a request until it gets its response, with the reply of one of its writes lost. */
  async function sendWithout(write: number, send: () => Promise<TestResponse>) {
    let writes = 0;
    proxy.intercept = ({ name }) => {
      if (!writeCommands.has(name)) return undefined;
      writes += 1;
      return writes - 1 === write ? 'drop reply' : undefined;
    };
    let response = await send();
    const isLast = write >= writes;
    for (let repeat = 0; response.status === 503 && repeat < 5; repeat += 1) response = await send();
    proxy.intercept = () => undefined;
    return { response, isLast };
  }

  const email = () => `${randomUUID()}@example.com`;
  const api = '/api/v1';
  const post = async (path: string, body?: object) =>
    (await service.request('POST', api + path, { headers: account.headers, body })).body;
  const requests: [what: string, status: number, requestOf: () => Sent | Promise<Sent>][] = [
    ['a POST of a scenario', 201, () => ({ path: '/scenarios', body: { name: randomUUID(), region: 'eu-west-1' } })],
    ['a POST of an account', 201, () => ({ path: '/auth/register', body: { email: email(), password } })],
    ['a POST of an API key', 201, () => ({ path: '/api-keys', body: { name: 'a key' } })],
    [
      'a rotation of an API key',
      200,
      async () => ({ path: `/api-keys/${(await post('/api-keys', { name: 'rotated' })).id}/rotate` }),
    ],
    ['a POST of a user by an admin', 201, () => ({ path: '/users', body: { email: email() } })],
    [
      'a POST of a password link',
      201,
      async () => ({ path: `/users/${(await createAccount(service)).user.id}/password-link` }),
    ],
    [
      'a refresh of a browser session',
      200,
      async () => ({
        path: '/auth/browser-session/refresh',
        headers: {
          'X-Requested-With': 'meterbook',
          Cookie: `meterbook-session-${new URL(service.url).port}=${(await createAccount(service)).refreshToken}`,
        },
      }),
    ],
  ];
  for (const [what, status, requestOf] of requests) {
    it(`${what} has its first result when it is repeated`, async () => {
      for (let write = 0; ; write += 1) {
        const { path, body, headers } = await requestOf();
        const options = { headers: { ...account.headers, ...headers, 'Idempotency-Key': randomUUID() }, body };
        const send = () => service.request('POST', api + path, options);
        const { response, isLast } = await sendWithout(write, send);
        expect(response.status, `write ${write}: ${response.text}`).to.equal(status);
        const again = await send();
        expect(again.status, `write ${write}, again: ${again.text}`).to.equal(status);
        expect(resultOf(again), `write ${write}`).to.deep.equal(resultOf(response));
        if (isLast) return;
        expect(write).to.be.below(maxWrites);
      }
    });
  }

  it('repeated entries count once', async () => {
    const { id } = await createRunningScenario(service);
    for (let write = 0; write < 4; write += 1) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const { response } = await sendWithout(write, () => ingest(service, id, { message: 'once' }, { headers }));
      expect(response.status, response.text).to.equal(200);
      expect((await getMetrics(service, id)).totals.logs).to.equal(write + 1);
    }
  });
});
