import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { ChartThreads } from '../shared/charts/chart-threads.ts';
import type { Config } from '../shared/config/config.ts';
import type { Metrics } from '../shared/metrics/metrics.ts';
import type { MetricsTotals } from '../shared/metrics/metrics-totals.ts';
import type { Models } from '../shared/models/index.ts';
import type { PriceBook } from '../shared/pricing/price-book.ts';
import type { Queues } from '../shared/queues/index.ts';
import type { Log } from '../shared/runtime/log.ts';
import type { CircuitBreaker } from '../shared/services/circuit-breaker.ts';
import type { IngestSpool } from '../shared/services/ingest-spool.ts';
import type { ReadCache } from '../shared/services/read-cache.ts';
import type { ReportFiles } from '../shared/services/report-files.ts';
import type { GenerateApiKey } from './auth/api-key-format.ts';
import type { GeneratePasswordLink } from './auth/password-link.ts';
import type { Passwords } from './auth/passwords.ts';
import type { Tokens } from './auth/tokens.ts';
import type { BodyMemory } from './request/body-memory.ts';
import type { ConcurrentRequests } from './request/concurrent-requests.ts';
import type { InvalidKeys } from './request/invalid-keys.ts';
import type { RateLimiter } from './request/rate-limiter.ts';
import type { createRefusalPace } from './request/refusal-pace.ts';
import type { createStartQueue } from './request/start-queue.ts';
import type { WaitingRequests } from './request/waiting-requests.ts';
import type { EntryIntake } from './routes/ingest/entry-intake.ts';
import type { PresentBatch } from './routes/ingest/ingest.presenter.ts';
import type { IngestBudget } from './routes/ingest/ingest-budget.ts';
import type { LiveMetrics } from './routes/metrics-stream/live-metrics.ts';
import type { ReadMetrics } from './routes/prometheus/read-metrics.ts';
import type { WaitForJob } from './wait-for-job.ts';

/** The dependencies of the app, opened by the entry point or by a test. */
export interface AppDeps {
  config: Config;
  log: Log;
  mongo: Connection;
  models: Models;
  redis: Redis;
  queues: Queues;
  waitForJob: WaitForJob;
  liveMetrics: LiveMetrics;
  spool: IngestSpool;
  priceBook: PriceBook;
  reportFiles: ReportFiles;
  chartThreads: ChartThreads;
  notebookBreaker: CircuitBreaker;
  metrics: Metrics;
  metricsTotals: MetricsTotals;
  passwords: Passwords;
}

/** Collections of what accounts own. */
export type OwnedModels = Pick<Models, 'scenario' | 'notebook' | 'report' | 'reportSchedule'>;

/** The collections of handlers. What accounts own is part of a request, already restricted to its caller. */
export type RouteModels = Omit<Models, keyof OwnedModels>;

/** The dependencies of handlers and middleware: those of the app, and those that the app creates itself. */
export interface RouteDeps extends Omit<AppDeps, 'models'> {
  models: RouteModels;
  /** For work across owners: creating the restricted collections, and changing owners. */
  allOwners: OwnedModels;
  tokens: Tokens;
  generateApiKey: GenerateApiKey;
  generatePasswordLink: GeneratePasswordLink;
  rateLimiter: RateLimiter;
  invalidKeys: InvalidKeys;
  bodyMemory: BodyMemory;
  concurrentRequests: ConcurrentRequests;
  waitForStart: ReturnType<typeof createStartQueue>;
  paceRefusal: ReturnType<typeof createRefusalPace>;
  /** Of what version 2 shows of scenarios. Every write of a scenario invalidates it. */
  scenarioCache: ReadCache;
  waitingRequests: WaitingRequests;
  entryIntake: EntryIntake;
  ingestBudget: IngestBudget;
  presentBatch: PresentBatch;
  /** Throws SERVICE_UNAVAILABLE if there is no room for another batch. */
  requireRoom: () => Promise<void>;
  readMetrics: ReadMetrics;
  /** Creates the service's OpenAPI document. */
  readOpenApi: () => object;
}
