import type { Server } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { Type } from 'typebox';
import { createRouteDeps } from '../../../../api/app.ts';
import { type Access, apiKeyAccess, openAccess, type RouteLimit } from '../../../../api/http/access/access-rules.ts';
import type { AppState } from '../../../../api/http/context.ts';
import { handleErrors } from '../../../../api/http/error-envelope.ts';
import { stopListening } from '../../../../api/http/http-server.ts';
import { mountRoutes } from '../../../../api/http/mount-routes.ts';
import { requestId } from '../../../../api/http/observe-requests.ts';
import { json, reply } from '../../../../api/http/response.ts';
import { defineRoute, type Method } from '../../../../api/http/route.ts';
import { type Account, createAccount, createApiKey } from '../../../support/accounts.ts';
import { expectError } from '../../../support/requests.ts';
import { listenOnFreePort, sendRequest, startTestService } from '../../../support/test-service.ts';
import { repeatUntilWithinOneSecond } from '../../../support/wait-until.ts';

const anyone = openAccess('ingest');
const rules: [Method, `/${string}`, Access, RouteLimit?][] = [
  ['GET', '/free', anyone, { name: 'free' }],
  ['DELETE', '/free', anyone, { name: 'free', burst: 2 }],
  ['GET', '/premium', anyone, { name: 'premium', burst: 1 }],
  ['GET', '/notebooks', apiKeyAccess('notebooks:read'), { name: 'notebooks' }],
  ['GET', '/downloads', anyone, { name: 'downloads' }],
];

describe('access rules of a route', () => {
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
  let server: Server;
  let url = '';
  let admin: Account;
  before(async () => {
    const routes = rules.map(([method, path, access, limit]) =>
      defineRoute({
        method,
        path,
        access,
        ...(limit ? { limit } : {}),
        operationId: `${method}${path}`,
        tag: { name: 'rules', description: 'Rules.' },
        summary: 'Name the caller',
        responses: { 200: json(Type.Object({ caller: Type.String() })) },
        handle: async ({ caller }) => reply(200, { caller: caller.id }),
      }),
    );
    const router = mountRoutes(
      routes,
      createRouteDeps(service.app, () => ({})),
    );
    const app = new Koa<AppState>();
    app.use(requestId(service.app.log));
    app.use(handleErrors());
    app.use(router.routes());
    ({ server, url } = await listenOnFreePort(app));
    admin = await createAccount(service);
  });
  after(() => stopListening(server, 0));

  const send = (route: string, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = route.split(' ');
    return sendRequest(url, method, path, { headers });
  };
  const keyOf = async (overrides: object = {}) => ({
    'X-API-Key': (await createApiKey(service, admin, overrides)).key,
  });
  const newCallersKey = async () => ({
    'X-API-Key': (await createApiKey(service, await createAccount(service))).key,
  });
  const limitOf = async (route: string, headers?: Record<string, string>) =>
    Number((await send(route, headers)).headers.get('X-RateLimit-Limit'));

  it('a key of a higher tier raises the limit, and one of a lower tier does not lower it', async () => {
    const [premium, enterprise] = [await keyOf({ tier: 'premium' }), await keyOf({ tier: 'enterprise' })];
    expect(await limitOf('GET /free')).to.equal(60);
    expect(await limitOf('GET /free', await keyOf())).to.equal(60);
    expect(await limitOf('GET /free', premium)).to.equal(600);
    expect(await limitOf('GET /premium', await keyOf())).to.equal(600);
    expect(await limitOf('GET /premium', enterprise)).to.equal(6000);
    expect(await limitOf('GET /notebooks', await keyOf())).to.equal(120);
    expect(await limitOf('GET /notebooks', premium)).to.equal(600);
    expect(await limitOf('GET /downloads', enterprise)).to.equal(10);
  });

  it('the requests of one second are limited to the burst, and only accepted ones count', async () => {
    let headers = {};
    const responses = await repeatUntilWithinOneSecond(async () => {
      headers = await newCallersKey();
      return Promise.all(Array.from({ length: 6 }, () => send('DELETE /free', headers)));
    });
    const passed = responses.filter(({ status }) => status === 200);
    expect(passed.length).to.equal(2);
    const refused = responses.find(({ status }) => status === 429)!;
    expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('Retry-After')).to.equal('1');
    expect(refused.headers.get('X-RateLimit-Limit')).to.equal('60');
    // The routes of a tier share one count, but every route has its own burst.
    const next = await send('GET /free', headers);
    expect(next.headers.get('X-RateLimit-Remaining')).to.equal('57');
  });

  it('HEAD requests count as GET requests', async () => {
    const headers = await newCallersKey();
    await send('GET /free', headers);
    expect((await send('HEAD /free', headers)).headers.get('X-RateLimit-Remaining')).to.equal('58');
  });
});
