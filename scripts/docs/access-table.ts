import { allRoutes } from '../../api/all-routes.ts';
import { type Auth, type MemberReach, memberReach } from '../../api/http/access/access-rules.ts';
import type { Route } from '../../api/http/route.ts';
import { type DataAccess, readConfig } from '../../shared/config/config.ts';
import { loadPriceBook } from '../../shared/cost/price-book.ts';
import { tableOf } from './markdown.ts';

const header = [
  'routes',
  'scope',
  '`AUTH_MODE=documented`',
  '`AUTH_MODE=strict`',
  'member, `ACCESS=team`',
  'member, `ACCESS=own`',
  'limit',
];

const credentials: Readonly<Record<Auth, string>> = {
  none: 'none',
  optional: 'optional',
  apiKeyOrToken: 'API key or token',
  apiKey: 'API key',
  token: 'token',
  metricsToken: '`METRICS_TOKEN`',
};

const reaches: Readonly<Record<MemberReach, string>> = {
  all: 'all',
  own: "own and nobody's",
  account: 'own account',
  none: 'none',
};

/** Renders the table of access rules, with one row for all routes of a resource that have the same rules. */
export function renderAccessTable(): string {
  const rows = new Map<string, { rule: string[]; routes: string[] }>();
  for (const route of allRoutes({ config: exampleConfig(), priceBook: loadPriceBook() })) {
    const rule = ruleOf(route);
    const key = JSON.stringify([route.tag.name, ...rule]);
    const row = rows.get(key) ?? { rule, routes: [] };
    row.routes.push(`${route.method} ${route.path}`);
    rows.set(key, row);
  }
  const cells = [...rows.values()].map(({ rule, routes }) => [byPath(routes), ...rule]);
  return tableOf(header, cells);
}

function ruleOf({ access: { auth, scope, reach, sessionCookie }, limit }: Route): string[] {
  const credentialsOf = (one: Auth) => (sessionCookie === 'required' ? 'session cookie' : credentials[one]);
  const reachWith = (access: DataAccess) => {
    const member = memberReach(reach, access);
    return member === null ? '' : reaches[member];
  };
  const burst = limit?.burst === undefined ? '' : `, ${limit.burst} per second`;
  return [
    scope === null ? '' : `\`${scope}\``,
    credentialsOf(auth.documented),
    credentialsOf(auth.strict),
    reachWith('team'),
    reachWith('own'),
    limit ? `\`RATE_LIMIT_${limit.name.toUpperCase()}\`${burst}` : '',
  ];
}

/** `GET /a, PUT /a` becomes `GET, PUT /a`; each path is on a line of its own. */
function byPath(routes: readonly string[]): string {
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return [...methods].map(([path, names]) => `${names.join(', ')} \`${path}\``).join('<br>');
}

/** The configuration with all defaults. Required variables have example values, which do not affect the table. */
function exampleConfig() {
  return readConfig({
    NODE_ENV: 'development',
    MONGODB_URL: 'mongodb://127.0.0.1/meterbook',
    REDIS_URL: 'redis://127.0.0.1',
    SPOOL_KEY: '0'.repeat(64),
    DASHBOARD_PASSWORD: 'change-me',
    TOKEN_SECRET: 'change-me-'.repeat(4),
    NOTEBOOK_BACKEND_URL: 'http://127.0.0.1',
  });
}
