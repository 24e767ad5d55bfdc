import { expect } from 'chai';
import { allRoutes } from '../../api/all-routes.ts';
import { type Auth, limitVariable } from '../../api/http/access/access-rules.ts';
import { type Route, routeName } from '../../api/http/route.ts';
import { type Account, createAccount, createApiKey } from '../support/accounts.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

/** Limits that differ, so that the header of a response shows which of them was applied. */
const limits = {
  FREE: 100_001,
  PREMIUM: 100_002,
  ENTERPRISE: 100_003,
  NOTEBOOKS: 100_004,
  INGEST: 100_005,
  DOWNLOADS: 100_007,
};

const metricsToken = 'a token of Prometheus';

/** Each mode and each variant once. */
const pairs = [
  ['documented', '0.1.0'],
  ['strict', '0.2.0'],
] as const;

for (const [mode, variant] of pairs) {
  describe(`every route, AUTH_MODE ${mode}, notebook variant ${variant}`, () => {
    const service = startTestService({
      workers: false,
      environment: {
        AUTH_MODE: mode,
        METRICS_TOKEN: metricsToken,
        NOTEBOOK_API_VARIANT: variant,
        ...Object.fromEntries(Object.entries(limits).map(([name, limit]) => [`RATE_LIMIT_${name}`, String(limit)])),
      },
    });
    let account: Account;
    before(async () => {
      account = await createAccount(service);
    });
    const routes = () => withLogoutLast(allRoutes(service.app));

    it('accepts exactly the credentials of its definition, and applies its limit', async () => {
      const keyWith = createKeyring(service, account);
      const withoutScope = await keyWith('scenarios:read');
      const other = await keyWith('ingest');
      const refusals = new Map<string, boolean[]>();
      for (const route of routes()) {
        const { scope, auth } = route.access;
        const first = await service.request(route.method, invalidPath(route));
        const counted = Number(first.headers.get('X-RateLimit-Limit') ?? 0);
        const isCounted = route.limit !== null && route.limit.name !== 'login';
        const expected = isCounted ? limits[limitVariable(route.limit) as keyof typeof limits] : 0;
        expect(counted, routeName(route)).to.equal(expected);
        const anonymous = first.status;
        const invalid = await send(service, route, { 'X-API-Key': 'mb_invalid' });
        // Equal definitions share the code that applies them, so one route of each gets all
        // credentials.
        const kind = `${scope} ${auth[mode]}`;
        const known = refusals.get(kind);
        refusals.set(kind, [isRefused(anonymous), isRefused(invalid)]);
        if (known) {
          expect(refusals.get(kind), routeName(route)).to.deep.equal(known);
          continue;
        }
        const narrow = scope === 'scenarios:read' ? other : withoutScope;
        const full = scope === null ? other : await keyWith(scope);
        const statuses = {
          anonymous,
          invalid,
          narrow: await send(service, route, narrow),
          key: await send(service, route, full),
          token: await send(service, route, account.headers),
          metricsToken: await send(service, route, { Authorization: `Bearer ${metricsToken}` }),
        };
        const name = `${routeName(route)} ${JSON.stringify(statuses)}`;
        expect(authOf(statuses), name).to.equal(auth[mode]);
        if (scope !== null && auth[mode] !== 'token') expect(statuses.narrow, name).to.equal(403);
      }
    });
  });
}

/** A path of the route with invalid values. The route refuses them before its handler runs. */
const invalidPath = ({ path }: Route) => `${path.replaceAll(/\{\w+\}/g, 'x')}?limit=0`;

/** The logout is last, because it ends the session of the caller. */
const withLogoutLast = (routes: Route[]) => {
  const isLogout = ({ operationId }: Route) => operationId === 'logOut';
  return [...routes.filter((route) => !isLogout(route)), ...routes.filter(isLogout)];
};

/** Headers with a key of one scope, which is created at its first use. */
function createKeyring(service: TestService, account: Account) {
  const keys = new Map<string, string>();
  return async (scope: string) => {
    const key = keys.get(scope) ?? (await createApiKey(service, account, { scopes: [scope] })).key;
    keys.set(scope, key);
    return { 'X-API-Key': key };
  };
}

async function send(service: TestService, route: Route, headers: Record<string, string>): Promise<number> {
  return (await service.request(route.method, invalidPath(route), { headers })).status;
}

const isRefused = (status: number) => status === 401 || status === 403;

/** The `auth` of a route, derived from its statuses for different credentials. */
function authOf(statuses: Record<'anonymous' | 'invalid' | 'key' | 'token' | 'metricsToken', number>): Auth {
  if (!isRefused(statuses.invalid)) return 'none';
  if (!isRefused(statuses.anonymous)) return 'optional';
  if (!isRefused(statuses.metricsToken)) return 'metricsToken';
  if (isRefused(statuses.key)) return 'token';
  return isRefused(statuses.token) ? 'apiKey' : 'apiKeyOrToken';
}
