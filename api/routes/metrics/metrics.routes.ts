import Router from '@koa/router';
import { usageNeededFor } from '../../../shared/pricing/periods.ts';
import { readUsage } from '../../../shared/usage-ledger.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AppState } from '../../request/context.ts';
import { validateQuery } from '../../validation/query.ts';
import { validate } from '../../validation/validate.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { scenarioPath } from '../scenarios/scenarios.schemas.ts';
import { presentMetrics } from './metrics.presenter.ts';
import { metricsQuery } from './metrics.schemas.ts';

/** `GET /api/v1/scenarios/{id}/metrics`: usage and cost, in total, by service and by hour or day. */
export function metricsRoutes({ models, priceBook, config }: AppDeps): Router<AppState> {
  const router = new Router<AppState>();

  router.get('/api/v1/scenarios/:id/metrics', async (ctx) => {
    const { id } = validate(scenarioPath, ctx.params);
    const query = validateQuery(metricsQuery, ctx);
    const { region, assumptions } = await findScenario(models, id);
    const hours = await readUsage(models, id, usageNeededFor(query));
    ctx.body = presentMetrics({ id, region, assumptions }, hours, query, {
      priceBook,
      fallback: config.priceFallback,
    });
  });

  return router;
}
