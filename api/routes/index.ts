import type Router from '@koa/router';
import type { AppDeps } from '../app-deps.ts';
import type { AppState } from '../request/context.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { flushRoutes } from './flush/flush.routes.ts';
import { healthRoutes } from './health/health.routes.ts';
import { ingestRoutes } from './ingest/ingest.routes.ts';
import { ingestJobRoutes } from './ingest-jobs/ingest-jobs.routes.ts';
import { metricsRoutes } from './metrics/metrics.routes.ts';
import { notebookRoutes } from './notebooks/notebooks.routes.ts';
import { openApiRoutes } from './openapi/openapi.routes.ts';
import { piiKindRoutes } from './pii-kinds/pii-kinds.routes.ts';
import { scenarioRoutes } from './scenarios/scenarios.routes.ts';

/** The map of the service's addresses. */
export function allRoutes(deps: AppDeps): Router<AppState>[] {
  return [
    healthRoutes(deps), //    /health, /health/ready
    authRoutes(deps), //      /api/v1/auth
    apiKeyRoutes(deps), //    /api/v1/api-keys
    notebookRoutes(deps), //  /api/v1/notebooks
    scenarioRoutes(deps), //  /api/v1/scenarios
    metricsRoutes(deps), //   /api/v1/scenarios/{id}/metrics
    ingestRoutes(deps), //    /ingest
    ingestJobRoutes(deps), // /api/v1/ingest-jobs
    flushRoutes(deps), //     /flush
    piiKindRoutes(deps), //   /api/v1/pii-kinds
    openApiRoutes(deps), //   /openapi.json
    docsRoutes(), //          /docs, /
  ];
}
