import type { Scope } from '../../../shared/accounts/api-key.model.ts';
import type { AuthMode, LimitName } from '../../../shared/config/config.ts';

/**
 * The credentials that a route requires. `none`: credentials are ignored. `optional`: credentials
 * that are sent must be valid. `apiKeyOrToken`: either. `apiKey`: an API key. `token`: an access
 * token. `metricsToken`: the token of the configuration.
 */
export type Auth = 'none' | 'optional' | 'apiKeyOrToken' | 'apiKey' | 'token' | 'metricsToken';

/**
 * The data that a route shows or changes. `service`: nothing that belongs to an account. `account`:
 * the caller's own account. `owned`: scenarios, notebooks, reports and schedules, and what belongs
 * to them. `admin`: all accounts.
 */
type Reach = 'service' | 'account' | 'owned' | 'admin';

export interface Access {
  /** The required credentials, by AUTH_MODE. */
  readonly auth: Readonly<Record<AuthMode, Auth>>;
  /** The scope that a key or user must have; null if the route requires no scope. */
  readonly scope: Scope | null;
  readonly reach: Reach;
  /**
   * For a route that reads the cookie of a browser session. Its handler checks the cookie, and
   * removes it with a 401.
   */
  readonly sessionCookie?: 'required' | 'optional';
}

const inBothModes = (auth: Auth) => ({ documented: auth, strict: auth });

export const publicAccess: Access = { auth: inBothModes('none'), scope: null, reach: 'service' };

/** For Prometheus, which has no account. */
export const metricsTokenAccess: Access = { auth: inBothModes('metricsToken'), scope: null, reach: 'service' };

/**
 * For routes of the caller's own account: an access token is required, and an API key is refused.
 */
export const accountAccess: Access = { auth: inBothModes('token'), scope: null, reach: 'account' };

/**
 * For routes of all accounts: the access token of an admin is required, and an API key is refused.
 */
export const adminAccess: Access = { auth: accountAccess.auth, scope: 'admin', reach: 'admin' };

/**
 * For routes without required credentials in the interface's reference: only the strict mode
 * requires credentials.
 */
export const openAccess = (scope: Scope, reach: 'owned' | 'service' = 'owned'): Access => ({
  auth: { documented: 'optional', strict: 'apiKeyOrToken' },
  scope,
  reach,
});

/** For routes of reports and schedules: an API key or a token is required in both modes. */
export const keyOrTokenAccess = (scope: Scope): Access => ({
  auth: inBothModes('apiKeyOrToken'),
  scope,
  reach: 'owned',
});

export const apiKeyAccess = (scope: Scope): Access => ({ auth: inBothModes('apiKey'), scope, reach: 'owned' });

/** A limit of requests per minute. */
export interface RouteLimit {
  /**
   * With `login`, every request counts against the default limit, and the handler counts failed
   * attempts, by address and by account.
   */
  readonly name: LimitName | 'login';
  /** Requests allowed within one second. */
  readonly burst?: number;
  /**
   * The limit is of what requests do. A request that is refused (4xx) after the access rules is
   * refunded, and counts against the default limit.
   */
  readonly ofOperations?: true;
}

/** The variable of a limit, without `RATE_LIMIT_`. The default is the limit of the highest tier. */
export const limitVariable = ({ name }: RouteLimit): string => (name === 'default' ? 'enterprise' : name).toUpperCase();
