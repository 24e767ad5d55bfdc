import { markdownTable } from 'markdown-table';
import { allRoutes } from '../../api/all-routes.ts';
import { type Auth, limitVariable } from '../../api/http/access/access-rules.ts';
import type { Route } from '../../api/http/route.ts';
import { readConfig } from '../../shared/config/config.ts';
import { loadPriceBook } from '../../shared/cost/price-book.ts';

const header = ['route', 'scope', 'credentials', 'reach', 'limit'];

const credentials: Readonly<Record<Auth, string>> = {
  none: 'none',
  optional: 'optional',
  apiKeyOrToken: 'API key or token',
  apiKey: 'API key',
  token: 'token',
  metricsToken: 'METRICS_TOKEN',
};

/** Renders the table of access rules, with one row for each route. */
export function renderAccessTable(): string {
  const routes = allRoutes({ config: exampleConfig(), priceBooks: loadPriceBook() });
  return markdownTable([header, ...routes.map(rowOf).sort(byPath)], { alignDelimiters: false });
}

/** By path, then by method. */
const byPath = ([left = '']: readonly string[], [right = '']: readonly string[]) =>
  pathFirst(left) < pathFirst(right) ? -1 : 1;
const pathFirst = (route: string) => route.split(' ').reverse().join(' ');

function rowOf({ method, path, access: { auth, scope, reach, sessionCookie }, limit }: Route): string[] {
  const documented = sessionCookie === 'required' ? 'session cookie' : credentials[auth.documented];
  const burst = limit?.burst === undefined ? '' : `, ${limit.burst} per second`;
  const name = limit ? limitVariable(limit) : 'none';
  return [
    `${method} ${path}`,
    scope ?? '',
    documented,
    reach === 'service' ? '' : reach,
    name === 'ENTERPRISE' ? '' : `${name}${burst}`,
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
