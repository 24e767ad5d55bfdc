import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { generateApiKey } from '../../shared/accounts/api-key.model.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { expectError } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/scenarios';

describe('concurrent requests', () => {
  const { service, proxy } = startServiceBehindProxy({
    MAX_CONCURRENT_REQUESTS: '2',
    MONGODB_TIMEOUT_MS: '10000',
    TRUST_PROXY: '1',
  });

  const list = ({ headers }: Pick<Account, 'headers'>, address: string) =>
    service.request('GET', path, { headers: { ...headers, 'X-Forwarded-For': address } });

  it('requests of an account are limited, whatever its networks, and those of others are not', async () => {
    const [one, other] = [await createAccount(service), await createAccount(service)];
    // Its body stays in progress.
    const open = (address: string) => {
      const headers = { ...one.headers, 'X-Forwarded-For': address };
      const request = httpRequest(service.url + path, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': 100 },
      });
      request.on('error', () => {});
      request.flushHeaders();
      return request;
    };
    const [first, second] = [open('198.51.100.1'), open('198.51.100.2')];
    const refused = await waitUntil('a refusal', async () => {
      const response = await list(one, '203.0.113.1');
      return response.status !== 200 && response;
    });
    expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.body.error.message).to.contain('Too many requests at once');
    expect(refused.headers.get('Retry-After')).to.equal('1');
    expect(refused.headers.get('X-RateLimit-Limit')).to.equal('2');
    expect(refused.headers.get('X-RateLimit-Remaining')).to.equal('0');
    expect((await list(other, '203.0.113.1')).status).to.equal(200);
    expect((await service.request('GET', '/health', { headers: one.headers })).status).to.equal(200);

    // Beside the second one there is a slot, unless that of the first one is lost.
    first.destroy();
    await waitUntil('a response', async () => (await list(one, '203.0.113.1')).status === 200);
    second.destroy();
  });

  it('an API key with a wrong checksum costs no query', async () => {
    const { key } = generateApiKey();
    const collectionsOf = async (sent: string) => {
      proxy.commands.length = 0;
      expectError(await list({ headers: { 'X-API-Key': sent } }, '203.0.113.20'), 401, 'AUTH_ERROR');
      return proxy.commands.map(({ collection }) => collection);
    };
    expect(await collectionsOf(key)).to.deep.equal(['api_keys']);
    expect(await collectionsOf(key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'))).to.deep.equal([]);
  });

  for (const [what, accounts, networks, queries] of [
    ['of a network', 4, 1, 4],
    ['with the same credentials', 1, 8, 2],
  ] as const) {
    it(`requests ${what} are limited before credentials are read, so that the database has time for others`, async () => {
      const senders = await Promise.all(Array.from({ length: accounts }, () => createAccount(service)));
      proxy.intercept = ({ name, collection }) => (name === 'find' && collection === 'sessions' ? 'ignore' : undefined);
      proxy.commands.length = 0;
      const sent = Array.from({ length: 8 }, (_, at) =>
        list(senders[at % accounts]!, `203.0.113.${30 + (at % networks)}`),
      );
      expectError(await Promise.race(sent), 429, 'RATE_LIMITED');
      expect((await list({ headers: {} }, '203.0.113.8')).status).to.equal(200);
      expect(proxy.commands.filter(({ collection }) => collection === 'sessions')).to.have.length.at.most(queries);

      // The driver closes the connections that do not respond, and repeats the reads.
      proxy.intercept = () => undefined;
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).to.have.length.at.least(4);
      await waitUntil('a response', async () => (await list({ headers: {} }, '203.0.113.30')).status === 200);
    });
  }
});
