import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Account, createAccount, createApiKey } from '../../../support/accounts.ts';
import { expectError } from '../../../support/requests.ts';
import { startTestService } from '../../../support/test-service.ts';
import { repeatUntilWithinOneSecond } from '../../../support/wait-until.ts';

describe('the limits of routes', () => {
  const service = startTestService({
    workers: false,
    environment: {
      RATE_LIMIT_FREE: '60',
      RATE_LIMIT_PREMIUM: '600',
      RATE_LIMIT_ENTERPRISE: '6000',
      RATE_LIMIT_NOTEBOOKS: '120',
      RATE_LIMIT_DOWNLOADS: '10',
    },
  });
  let admin: Account;
  before(async () => {
    admin = await createAccount(service);
  });

  const free = 'GET /api/v2/scenarios';
  /** A route of the tier `premium`, which accepts one request a second. */
  const bulkDelete = 'POST /api/v2/scenarios/bulk/delete';
  const send = (route: string, headers: Record<string, string>) => {
    const [method = '', path = ''] = route.split(' ');
    return service.request(method, path, { headers, ...(method === 'POST' && { body: [randomUUID()] }) });
  };
  const keyOf = async (overrides: object = {}, owner = admin) => ({
    'X-API-Key': (await createApiKey(service, owner, overrides)).key,
  });
  const newCallersKey = async () => keyOf({}, await createAccount(service));

  it('a key of a higher tier raises the limit, and one of a lower tier does not lower it', async () => {
    const [basic, premium, enterprise] = [
      await keyOf(),
      await keyOf({ tier: 'premium' }),
      await keyOf({ tier: 'enterprise' }),
    ];
    for (const [route, headers, limit] of [
      [free, {}, 60],
      [free, basic, 60],
      [free, premium, 600],
      [bulkDelete, basic, 600],
      [bulkDelete, enterprise, 6000],
      ['GET /api/v1/notebooks?limit=x', basic, 120],
      ['GET /api/v1/notebooks?limit=x', premium, 600],
      [`GET /api/v1/reports/${randomUUID()}/download`, enterprise, 10],
    ] as const)
      expect(Number((await send(route, headers)).headers.get('X-RateLimit-Limit')), route).to.equal(limit);
  });

  it('the requests of one second are limited to the burst, and only accepted ones count', async () => {
    const responses = await repeatUntilWithinOneSecond(async () => {
      const headers = await newCallersKey();
      return Promise.all(Array.from({ length: 6 }, () => send(bulkDelete, headers)));
    });
    expect(responses.filter(({ status }) => status === 200)).to.have.length(1);
    const refused = responses.find(({ status }) => status === 429)!;
    expectError(refused, 429, 'RATE_LIMITED');
    const headers = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'].map((name) =>
      refused.headers.get(name),
    );
    expect(headers).to.deep.equal(['1', '600', '599']);
  });

  it('HEAD requests count as GET requests', async () => {
    const headers = await newCallersKey();
    await send(free, headers);
    expect((await send(free.replace('GET', 'HEAD'), headers)).headers.get('X-RateLimit-Remaining')).to.equal('58');
  });
});
