import { createHash } from 'node:crypto';
import type { RouteSettings } from '../../api/http/route.ts';
import { readConfig } from '../../shared/config/config.ts';
import { loadPriceBook } from '../../shared/cost/price-book.ts';

/** The settings from which routes are defined, for tests without a running service. */
export function createRouteSettings(environment: Record<string, string> = {}): RouteSettings {
  return {
    priceBooks: loadPriceBook(),
    config: readConfig({
      NODE_ENV: 'test',
      MONGODB_URL: 'mongodb://127.0.0.1:1/test',
      REDIS_URL: 'redis://127.0.0.1:1',
      SERVICE_SECRET: createHash('sha256').update('a key of tests').digest('hex'),
      DASHBOARD_PASSWORD: 'a password for tests',
      TOKEN_SECRET: 'a secret of tests, long enough to sign with',
      NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:1',
      ...environment,
    }),
  };
}
