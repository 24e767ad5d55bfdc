import { allRoutes } from '../../api/all-routes.ts';
import { type Auth, limitVariable, type MemberReach, memberReach } from '../../api/http/access/access-rules.ts';
import type { Route } from '../../api/http/route.ts';
import { type DataAccess, readConfig } from '../../shared/config/config.ts';
import { loadPriceBook } from '../../shared/cost/price-book.ts';
import { tableOf } from './markdown.ts';

const header = ['route', 'scope', 'documented', 'strict', 'team', 'own', 'limit'];

const credentials: Readonly<Record<Auth, string>> = {
  none: 'none',
  optional: 'optional',
  apiKeyOrToken: 'API key or token',
  apiKey: 'API key',
  token: 'token',
  metricsToken: 'METRICS_TOKEN',
};

const reaches: Readonly<Record<MemberReach, string>> = {
  all: 'all',
  own: 'own',
  account: 'account',
  none: 'none',
};

/** Renders the table of access rules, with one row for each route. */
export function renderAccessTable(): string {
  const routes = allRoutes({ config: exampleConfig(), priceBooks: loadPriceBook() });
  return tableOf(header, routes.map(rowOf).sort(byPath));
}

/** By path, then by method. */
const byPath = ([left = '']: readonly string[], [right = '']: readonly string[]) =>
  pathFirst(left) < pathFirst(right) ? -1 : 1;
const pathFirst = (route: string) => route.split(' ').reverse().join(' ');

function rowOf({ method, path, access: { auth, scope, reach, sessionCookie }, limit }: Route): string[] {
  const credentialsOf = (one: Auth) => (sessionCookie === 'required' ? 'session cookie' : credentials[one]);
  const reachWith = (access: DataAccess) => {
    const member = memberReach(reach, access);
    return member === null ? '' : reaches[member];
  };
  const burst = limit?.burst === undefined ? '' : `, ${limit.burst} per second`;
  return [
    `${method} ${path}`,
    scope ?? '',
    credentialsOf(auth.documented),
    credentialsOf(auth.strict),
    reachWith('team'),
    reachWith('own'),
    limit ? `${limitVariable(limit)}${burst}` : '',
  ];
}

/**
 * The configuration with all defaults. Required variables have example values, which do not affect
 * the table.
 */
function exampleConfig() {
  return readConfig({
    NODE_ENV: 'development',
    MONGODB_URL: 'mongodb://127.0.0.1/meterbook',
    REDIS_URL: 'redis://127.0.0.1',
    SERVICE_SECRET: '0'.repeat(64),
    DASHBOARD_PASSWORD: 'change-me',
    TOKEN_SECRET: 'change-me-'.repeat(4),
    NOTEBOOK_BACKEND_URL: 'http://127.0.0.1',
  });
}
