import type { Config, LimitName } from '../shared/config.ts';
import type { Scope } from '../shared/models/api-key.model.ts';

/**
 * What every route asks of its caller, in one table. A route without a row keeps the service from starting.
 *
 * `nothing`: credentials are not even looked at. `optional`: those that are sent must be good. `key or token`: one of the
 * two. `key`: an API key. `token`: an access token.
 */
export type Asked = 'nothing' | 'optional' | 'key or token' | 'key' | 'token';

export interface RouteRule {
  /** By AUTH_MODE. */
  asks: Readonly<Record<Config['auth']['mode'], Asked>>;
  /** What a key or user must be allowed to do. */
  scope?: Scope;
  /** What variant 0.2.0 of the notebook interface asks instead. */
  inVariant020?: RouteRule;
  limit?: {
    name: LimitName;
    /** How many requests may come in one second. */
    burst?: number;
  };
}

const free = { name: 'free' } as const;

const open: RouteRule = { asks: { documented: 'nothing', strict: 'nothing' } };
const account: RouteRule = { asks: { documented: 'token', strict: 'token' } };
/** Routes that the reference leaves open. */
const asDocumented = (scope: Scope, limit?: RouteRule['limit']): RouteRule => ({
  asks: { documented: 'optional', strict: 'key or token' },
  scope,
  ...(limit ? { limit } : {}),
});

/** Variant 0.1.0 asks for a key and counts requests; 0.2.0 does neither. */
const notebooks = (scope: Scope): RouteRule => ({
  asks: { documented: 'key', strict: 'key' },
  scope,
  limit: { name: 'notebooks' },
  inVariant020: asDocumented(scope),
});

const rules: Readonly<Record<string, RouteRule>> = {
  'GET /health': open,
  'GET /health/ready': open,
  'GET /': open,
  'GET /openapi.json': open,
  'GET /docs': open,
  'GET /docs/{asset}': open,

  // Hashing a password is the dearest thing that a stranger can ask for.
  'POST /api/v1/auth/register': { ...open, limit: free },
  // Counts wrong passwords, by itself.
  'POST /api/v1/auth/login': open,
  'POST /api/v1/auth/refresh': open,
  'POST /api/v1/auth/logout': account,
  'GET /api/v1/auth/me': account,
  'POST /api/v1/auth/password': account,

  // A key can not make keys: it would outgrow its own scopes and outlive its end.
  'POST /api/v1/api-keys': account,
  'GET /api/v1/api-keys': account,
  'GET /api/v1/api-keys/{id}': account,
  'PATCH /api/v1/api-keys/{id}': account,
  'DELETE /api/v1/api-keys/{id}': account,
  'POST /api/v1/api-keys/{id}/rotate': account,

  'POST /api/v1/notebooks': notebooks('notebooks:write'),
  'GET /api/v1/notebooks': notebooks('notebooks:read'),
  'GET /api/v1/notebooks/{notebook_id}': notebooks('notebooks:read'),
  'PATCH /api/v1/notebooks/{notebook_id}': notebooks('notebooks:write'),
  'DELETE /api/v1/notebooks/{notebook_id}': notebooks('notebooks:write'),

  'POST /api/v1/scenarios': asDocumented('scenarios:write'),
  'GET /api/v1/scenarios': asDocumented('scenarios:read'),
  'GET /api/v1/scenarios/{id}': asDocumented('scenarios:read'),
  'PUT /api/v1/scenarios/{id}': asDocumented('scenarios:write'),
  'DELETE /api/v1/scenarios/{id}': asDocumented('scenarios:write'),
  'POST /api/v1/scenarios/{id}/start': asDocumented('scenarios:write'),
  'POST /api/v1/scenarios/{id}/stop': asDocumented('scenarios:write'),
  'POST /api/v1/scenarios/{id}/archive': asDocumented('scenarios:write'),
  'GET /api/v1/scenarios/{id}/metrics': asDocumented('scenarios:read'),

  'GET /api/v1/pii-kinds': asDocumented('scenarios:read'),

  'POST /ingest': asDocumented('ingest', { name: 'ingest' }),
  'GET /api/v1/ingest-jobs/{id}': asDocumented('ingest'),
  'POST /flush': asDocumented('ingest'),
};

/** `GET` and `/api/v1/scenarios/:id` as the table has it: `GET /api/v1/scenarios/{id}`. */
export function routeName(method: string, path: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${path.replaceAll(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1')}`;
}

export function routeNames(): string[] {
  return Object.keys(rules);
}

/** @throws TypeError when the route has no row: whoever adds a route decides who may call it. */
export function ruleOf(route: string, variant: Config['notebooks']['variant'] = '0.1.0'): RouteRule {
  const rule = rules[route];
  if (!rule) throw new TypeError(`${route} has no row in the table of route rules.`);
  return (variant === '0.2.0' && rule.inVariant020) || rule;
}
