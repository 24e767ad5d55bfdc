import type { RouteSettings } from '../../api/routing/route.ts';
import { readConfig } from '../../shared/config/config.ts';
import { loadPriceBook } from '../../shared/pricing/price-book.ts';

/** Settings that routes are defined with, for tests that need no running service. */
export function routeSettings(environment: Record<string, string> = {}): RouteSettings {
  return {
    priceBook: loadPriceBook(),
    config: readConfig({
      NODE_ENV: 'test',
      MONGODB_URL: 'mongodb://127.0.0.1:1/test',
      REDIS_URL: 'redis://127.0.0.1:1',
      SPOOL_KEY: 'ab'.repeat(32),
      DASHBOARD_PASSWORD: 'a password for tests',
      TOKEN_SECRET: 'a secret of tests, long enough to sign with',
      NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:1',
      ...environment,
    }),
  };
}
