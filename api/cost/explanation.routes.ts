import { type Static, Type } from 'typebox';
import { formatExactGbSeconds } from '../../shared/cost/money.ts';
import { type MonthsCost, priceMonths, readMonths } from '../../shared/cost/monthly-usage.ts';
import { type PipelinePart, type PipelineWork, pipelineParts } from '../../shared/cost/pipeline/pipeline-work.ts';
import { presentPeriod, presentServices, presentTotals, presentVersion } from '../../shared/cost/present-cost.ts';
import { presentRemarks, remarkSentences } from '../../shared/cost/present-remarks.ts';
import { pricingOf, type ScenarioPricing } from '../../shared/cost/scenario-cost.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults, type CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { CompletePipeline } from '../../shared/scenarios/pipeline.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { json, reply } from '../http/response.ts';
import { oneOf, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { atListPrices, exact, explainedLine, linePresenter, pipelineRules } from './explained-lines.ts';
import { costTotals, metricsLine, usedPriceBook, wholePeriod } from './metrics.responses.ts';

const explanationQuery = withPeriod(Joi.object<Period>(periodFields));

const explainedPart = Type.Object({
  service: oneOf(['queue', 'function', 'inference']),
  part: oneOf(pipelineParts.flatMap(({ parts }) => parts as readonly PipelinePart[])),
  rule: Type.String(),
  unit: Type.String(),
  quantity: exact(),
});

export const explanationResponse = Type.Object(
  {
    scenario_id: uuid(),
    region: Type.String(),
    currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
    price_book: usedPriceBook,
    assumptions: Type.Unsafe<CompleteAssumptions>({ type: 'object', description: 'All assumptions, with defaults.' }),
    period: wholePeriod,
    totals: costTotals,
    remarks: Type.Array(Type.String(), {
      description:
        'Sentences about entries that were not counted as their senders may have meant, such as a usage that was not understood.',
    }),
    cost_breakdown: Type.Array(metricsLine),
    months: Type.Array(
      Type.Object({
        month: Type.String(),
        lines: Type.Array(explainedLine),
        pipeline: Type.Optional(
          Type.Array(explainedPart, {
            description: 'The parts of the usage of a pipeline, with their formulas in words. Parts of 0 are left out.',
          }),
        ),
      }),
    ),
  },
  { $id: 'Explanation' },
);
type Explanation = Static<typeof explanationResponse>;
type ExplainedPart = Static<typeof explainedPart>;

/** Presents the months, in slices of time. */
async function presentExplanation(id: string, pricing: ScenarioPricing, cost: MonthsCost): Promise<Explanation> {
  const { region, book } = pricing;
  const assumptions = applyDefaults(pricing.assumptions);
  const { pipeline } = assumptions;
  const present = linePresenter(book, pipeline !== undefined);
  const months: Explanation['months'] = [];
  for (const { month, lines, work } of cost.months) {
    if (isSliceOver()) await nextSlice();
    months.push({
      month: new Date(month).toISOString().slice(0, 7),
      lines: lines.flatMap(atListPrices).map(present),
      ...(pipeline && work && { pipeline: presentParts(pipeline, work) }),
    });
  }
  return {
    scenario_id: id,
    region,
    currency: book.currency,
    price_book: presentVersion(book),
    assumptions,
    period: presentPeriod(cost.period),
    totals: presentTotals(cost),
    remarks: remarkSentences(presentRemarks(cost.usage)),
    cost_breakdown: presentServices(cost),
    months,
  };
}

function presentParts(pipeline: CompletePipeline, work: PipelineWork): ExplainedPart[] {
  const partRules = pipelineRules(pipeline, work);
  return pipelineParts.flatMap(({ service, unit, parts }) =>
    parts
      .filter((part) => work.parts[part] > 0n)
      .map((part) => {
        const sum = work.parts[part];
        return {
          service,
          part,
          rule: partRules[part],
          unit,
          quantity: unit === 'GB-second' ? formatExactGbSeconds(sum) : String(sum),
        };
      }),
  );
}

/** Requests that read and price usage at the same time. */
const maxConcurrent = 2;

/** `GET /api/v1/scenarios/{id}/metrics/explain`: how every amount of the metrics comes about. */
export function explanationRoutes(): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      timeoutMs: longRequestMs,
      path: '/api/v1/scenarios/{id}/metrics/explain',
      operationId: 'explainScenarioMetrics',
      tag: scenariosTag,
      summary: 'Explain the cost: quantity, rule, tier, unit price and its source, by month',
      description: 'The amounts of the lines are not rounded. Those of all months add up to `totals.cost` exactly.',
      access: openAccess('scenarios:read'),
      params: scenarioPath,
      query: explanationQuery,
      compressed: 'each',
      responses: { 200: json(explanationResponse) },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async ({ params: { id }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const pricing = await pricingOf(scenario, deps);
        const explanation = await withSlot(caller, async () => {
          const usage = await readMonths(deps, id, { ...pricing, ...query });
          return presentExplanation(id, pricing, await priceMonths(usage, pricing));
        });
        return reply(200, explanation);
      },
    }),
  ];
}
