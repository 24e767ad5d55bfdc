import { type Static, Type } from 'typebox';
import { formatExactGbSeconds } from '../../shared/cost/money.ts';
import { type MonthlyUsage, type MonthsCost, monthsInPeriod } from '../../shared/cost/monthly-usage.ts';
import { type PipelinePartName, partsOf, pipelinePartNames } from '../../shared/cost/pipeline/pipeline-parts.ts';
import { PipelineSums } from '../../shared/cost/pipeline/pipeline-sums.ts';
import { presentServices, presentTotals } from '../../shared/cost/present-cost.ts';
import type { ChargeLine } from '../../shared/cost/price-month.ts';
import { type PriceSettings, presentPeriod, presentVersion } from '../../shared/cost/priced-usage.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults, type CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { CompletePipeline } from '../../shared/scenarios/pipeline.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { startOfMonth } from '../../shared/usage/periods.ts';
import { nullable, oneOf, uuid } from '../http/response-types.ts';
import { atListPrices, exact, explainedLine, linePresenter } from './explained-lines.ts';
import { type ExplanationQuery, formatMonth } from './explanation.schemas.ts';
import { costTotals, metricsLine, usedPriceBook, wholePeriod } from './metrics.responses.ts';
import { pipelineRules } from './pipeline-rules.ts';

interface PartUnit {
  service: ChargeLine['service'];
  unit: string;
}

const ofQueue: PartUnit = { service: 'queue', unit: 'request' };
const invocations: PartUnit = { service: 'function', unit: 'invocation' };
const compute: PartUnit = { service: 'function', unit: 'GB-second' };
const calls: PartUnit = { service: 'inference', unit: 'call' };
const tokens: PartUnit = { service: 'inference', unit: 'token' };

const partUnits: Readonly<Record<PipelinePartName, PartUnit>> = {
  sends: ofQueue,
  receives: ofQueue,
  retried_receives: ofQueue,
  deletes: ofQueue,
  empty_receives: ofQueue,
  invocations,
  retried_invocations: invocations,
  cold_starts: invocations,
  entry_compute: compute,
  retried_compute: compute,
  overhead_compute: compute,
  init_compute: compute,
  calls,
  retried_calls: calls,
  entry_tokens: tokens,
  retried_tokens: tokens,
  prompt_tokens: tokens,
  cache_write_tokens: tokens,
  cache_read_tokens: tokens,
  output_tokens: tokens,
  retried_output_tokens: tokens,
};

const explainedPart = Type.Object({
  service: oneOf(['queue', 'function', 'inference']),
  part: oneOf(pipelinePartNames),
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
    next: nullable(Type.String({ description: 'The `cursor` of the next page of `months`; null on the last one.' })),
  },
  { $id: 'Explanation' },
);
type Explanation = Static<typeof explanationResponse>;
type ExplainedPart = Static<typeof explainedPart>;

/** Presents up to `limit` months from `cursor` on, in slices of time. */
export async function presentExplanation(
  scenario: Pick<Scenario, '_id' | 'region' | 'assumptions'>,
  usage: MonthlyUsage,
  cost: MonthsCost,
  { cursor = -Infinity, limit }: Pick<ExplanationQuery, 'cursor' | 'limit'>,
  { priceBook: book }: PriceSettings,
): Promise<Explanation> {
  const assumptions = applyDefaults(scenario.assumptions);
  const { region } = scenario;
  const { pipeline } = assumptions;
  const present = linePresenter(book, pipeline !== undefined);
  const months: Explanation['months'] = [];
  let next: string | null = null;
  for (const { month, lines } of cost.months) {
    if (isSliceOver()) await nextSlice();
    if (month < cursor) continue;
    if (months.length === limit) {
      next = formatMonth(month);
      break;
    }
    months.push({
      month: formatMonth(month),
      lines: lines.flatMap(atListPrices).map(present),
      ...(pipeline && { pipeline: presentParts(pipeline, pipelineOf(usage, month)) }),
    });
  }
  return {
    scenario_id: scenario._id,
    region,
    currency: book.currency,
    price_book: presentVersion(book),
    assumptions,
    period: presentPeriod(usage),
    totals: presentTotals(cost),
    cost_breakdown: presentServices(cost),
    months,
    next,
  };
}

/** The work of the pipeline in the hours of the month that are in the period. */
function pipelineOf(usage: MonthlyUsage, month: number): PipelineSums {
  const found = monthsInPeriod(usage).find(({ hour }) => startOfMonth(hour) === month);
  return found?.pipeline ?? new PipelineSums();
}

function presentParts(pipeline: CompletePipeline, sums: PipelineSums): ExplainedPart[] {
  const partRules = pipelineRules(pipeline, sums);
  const parts = partsOf(sums);
  return pipelinePartNames
    .filter((part) => parts[part] > 0)
    .map((part) => {
      const { service, unit } = partUnits[part];
      const sum = parts[part];
      const quantity = unit === 'GB-second' ? formatExactGbSeconds(BigInt(sum)) : String(sum);
      return { service, part, rule: partRules[part], unit, quantity };
    });
}
