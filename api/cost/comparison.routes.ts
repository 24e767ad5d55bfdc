import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { requireVersion } from '../../shared/cost/price-books.ts';
import { presentPeriod, priceOnTerms } from '../../shared/cost/priced-usage.ts';
import { ownTerms } from '../../shared/cost/terms.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { type ComparedScenario, comparisonResponse, presentComparison } from './comparison.presenter.ts';
import { comparisonQuery } from './comparison.schemas.ts';

/** Requests that read and price usage at the same time. Each reads one scenario after the other. */
const maxConcurrent = 2;

/** `GET /api/v1/scenarios/compare`: the costs of several scenarios side by side. */
export function comparisonRoutes(): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      timeoutMs: longRequestMs,
      path: '/api/v1/scenarios/compare',
      operationId: 'compareScenarios',
      tag: scenariosTag,
      summary: 'Compare the costs of several scenarios',
      access: openAccess('scenarios:read'),
      query: comparisonQuery,
      compressed: 'each',
      responses: { 200: json(comparisonResponse) },
      errors: { NOT_FOUND: 'One of the scenarios does not exist.' },
      handle: async ({ query: { ids, price_book: version, ...period }, scenarios, caller }, deps) => {
        const found = await Promise.all(ids.map((id) => findScenario(scenarios, id)));
        const common = version === undefined ? undefined : await requireVersion(deps, version);
        const compared = await withSlot(caller, async () => {
          const costs: ComparedScenario[] = [];
          for (const scenario of found) {
            const priceBook = await deps.priceBooks.ofScenario(scenario);
            const terms = ownTerms(scenario, priceBook);
            const usage = await readMonthsOn(deps, scenario, terms, period);
            const own = await priceOnTerms(usage, terms, { ...deps, priceBook });
            const cost = common ? await priceOnTerms(usage, terms, { ...deps, priceBook: common }) : own;
            costs.push({
              scenario,
              period: presentPeriod(usage),
              book: common ?? priceBook,
              cost,
              ...(common && { own }),
            });
          }
          return costs;
        });
        return reply(200, presentComparison(compared));
      },
    }),
  ];
}
