import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Account, createAccount, password } from '../support/accounts.ts';
import { writeCommands } from '../support/proxy.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import type { TestResponse } from '../support/test-service.ts';

/** More writes than any of the requests makes. */
const maxWrites = 12;

describe('with the reply of one write of the database lost', () => {
  const { service, proxy } = startServiceBehindProxy({}, { workers: true });
  /** Drops the reply of the write with this number. @returns the writes so far. */
  function dropReplyOf(number: number): string[] {
    const writes: string[] = [];
    proxy.intercept = ({ name }) => {
      if (!writeCommands.has(name)) return undefined;
      writes.push(name);
      return writes.length - 1 === number ? 'drop reply' : undefined;
    };
    return writes;
  }
  let account: Account;
  before(async () => {
    account = await createAccount(service);
  });

  interface Request {
    path: string;
    body?: () => unknown;
    headers?: Record<string, string>;
    status: number;
    /** The common part of both responses, and the documents that exist once. */
    resultOf: (response: TestResponse) => unknown;
  }

  /** Repeats a POST with its key until it gets its response, for each of its writes in turn. */
  async function repeatForEveryWrite(requestOf: () => Request | Promise<Request>): Promise<void> {
    for (let write = 0; write < maxWrites; write += 1) {
      const { path, body = () => undefined, headers, status, resultOf } = await requestOf();
      const options = {
        headers: { ...account.headers, ...headers, 'Idempotency-Key': randomUUID() },
        body: body(),
      };
      const writes = dropReplyOf(write);
      let response = await service.request('POST', path, options);
      const count = writes.length;
      for (let repeat = 0; response.status === 503 && repeat < 5; repeat += 1) {
        response = await service.request('POST', path, options);
      }
      expect(response.status, `write ${write}: ${response.text}`).to.equal(status);
      proxy.intercept = () => undefined;
      const again = await service.request('POST', path, options);
      expect(again.status, `write ${write}, again: ${again.text}`).to.equal(status);
      expect(resultOf(again), `write ${write}`).to.deep.equal(resultOf(response));
      if (write >= count) return;
    }
    throw new Error('The request makes more writes than expected.');
  }

  const uniqueName = () => ({ name: `scenario ${randomUUID()}`, region: 'eu-west-1' });

  it('a repeated POST of a scenario gives the first one', async () => {
    await repeatForEveryWrite(() => ({
      path: '/api/v1/scenarios',
      body: uniqueName,
      status: 201,
      resultOf: ({ body }) => body.id,
    }));
  });

  it('a repeated POST of an account gives the first one', async () => {
    await repeatForEveryWrite(() => ({
      path: '/api/v1/auth/register',
      body: () => ({ email: `${randomUUID()}@example.com`, password }),
      status: 201,
      resultOf: ({ body }) => body.user.id,
    }));
  });

  it('a repeated POST of an API key gives the first one, and there is no other', async () => {
    const { models } = service.app;
    await repeatForEveryWrite(async () => {
      const before = await models.apiKey.countDocuments();
      return {
        path: '/api/v1/api-keys',
        body: () => ({ name: 'a key' }),
        status: 201,
        resultOf: ({ body }) => [body.id, body.key, before],
      };
    });
    const keys = await models.apiKey.find({ ownerId: account.user.id }).lean();
    expect(keys.length).to.be.lessThan(maxWrites);
  });

  it('a repeated rotation of an API key gives the first new key', async () => {
    const { body } = await service.request('POST', '/api/v1/api-keys', {
      headers: account.headers,
      body: { name: 'rotated' },
    });
    await repeatForEveryWrite(() => ({
      path: `/api/v1/api-keys/${body.id}/rotate`,
      status: 200,
      resultOf: (response) => response.body.key,
    }));
  });

  it('a repeated POST of a user by an admin gives the first one, with the same link', async () => {
    await repeatForEveryWrite(() => ({
      path: '/api/v1/users',
      body: () => ({ email: `${randomUUID()}@example.com` }),
      status: 201,
      resultOf: ({ body }) => [body.id, body.password_link],
    }));
  });

  it('a repeated POST of a password link gives the first one', async () => {
    const { user } = await createAccount(service);
    await repeatForEveryWrite(() => ({
      path: `/api/v1/users/${user.id}/password-link`,
      status: 201,
      resultOf: ({ body }) => body,
    }));
  });

  it('a repeated refresh of a browser session keeps the session', async () => {
    await repeatForEveryWrite(async () => {
      const { refreshToken } = await createAccount(service);
      return {
        path: '/api/v1/auth/browser-session/refresh',
        headers: {
          'X-Requested-With': 'meterbook',
          Cookie: `meterbook-session-${new URL(service.url).port}=${refreshToken}`,
        },
        status: 200,
        resultOf: ({ body }) => body.user.id,
      };
    });
  });

  it('repeated entries count once', async () => {
    const { id } = await createRunningScenario(service);
    for (let write = 0; write < 4; write += 1) {
      const headers = { 'Idempotency-Key': randomUUID() };
      dropReplyOf(write);
      let response = await ingest(service, id, { message: 'once' }, { headers });
      for (let repeat = 0; response.status === 503 && repeat < 5; repeat += 1) {
        response = await ingest(service, id, { message: 'once' }, { headers });
      }
      expect(response.status, response.text).to.equal(200);
      proxy.intercept = () => undefined;
      expect((await getMetrics(service, id)).totals.logs).to.equal(write + 1);
    }
  });
});
