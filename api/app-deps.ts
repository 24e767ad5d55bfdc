import type { ReadCache } from '../shared/connections/read-cache.ts';
import type { FindMissingIndexes, Models } from '../shared/models.ts';
import type { Resources } from '../shared/open-resources.ts';
import type { Metrics, MetricsTotals } from '../shared/process/metrics.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { Tokens } from './accounts/tokens.ts';
import type { Limits } from './http/access/limits.ts';
import type { IngestDeps } from './ingest/accept-entries.ts';
import type { WaitForJob } from './jobs/wait-for-job.ts';

/** The dependencies of the app, opened by the entry point or by a test. */
export interface AppDeps extends Resources {
  waitForJob: WaitForJob;
  metrics: Metrics;
  metricsTotals: MetricsTotals;
  passwords: Passwords;
}

/** Collections of what accounts own. */
export type OwnedModels = Pick<Models, 'scenario' | 'notebook' | 'report' | 'reportSchedule'>;

/**
 * The collections of handlers. The `OwnedModels` are part of a request instead, restricted to its
 * caller.
 */
export type RouteModels = Omit<Models, keyof OwnedModels>;

/**
 * The dependencies of handlers and middleware: those of the app, and those that features create
 * once per app, beside their routes.
 */
export interface RouteDeps extends Omit<AppDeps, 'models'>, Limits, IngestDeps {
  models: RouteModels;
  /** For work across owners: creating the restricted collections, and changing owners. */
  allOwners: OwnedModels;
  tokens: Tokens;
  /** Caches scenarios as version 2 shows them. Every write of a scenario invalidates it. */
  scenarioCache: ReadCache;
  findMissingIndexes: FindMissingIndexes;
  /** Creates the service's OpenAPI document. */
  readOpenApi: () => object;
}
