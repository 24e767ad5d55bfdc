import { type Static, Type } from 'typebox';
import { type ChargeItem, type ChargeLine, chargeItems, explainMonths } from '../../shared/cost/charge-lines.ts';
import { formatExactGbSeconds, formatExactMoney, mbMsPerGbSecond } from '../../shared/cost/money.ts';
import type { MonthlyUsage, MonthsCost } from '../../shared/cost/monthly-usage.ts';
import { type PipelinePartName, PipelineParts, pipelinePartNames } from '../../shared/cost/pipeline/pipeline-parts.ts';
import { presentLines, presentTotals } from '../../shared/cost/present-cost.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults, type CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { CompletePipeline } from '../../shared/scenarios/pipeline.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { nullable, oneOf, uuid } from '../http/response-types.ts';
import { type ExplanationQuery, formatMonth } from './explanation.schemas.ts';
import { costTotals, metricsLine, usedPriceBook, wholePeriod } from './metrics.responses.ts';
import { pipelineItemRules, pipelineRules } from './pipeline-rules.ts';
import { type PriceSettings, presentPeriod } from './priced-usage.ts';

/** The rules of the vendor and of the simulation, in words. */
const rules: Readonly<Record<ChargeItem, string>> = {
  requests:
    'Every action on a message is a request; an action with a payload is one request per started 64 KiB. Tiers apply to the requests of a month, by queue type.',
  invocations: 'One invocation per log entry.',
  compute:
    'GB-seconds: memory in GB (1,024 MB) times duration in seconds, each invocation rounded up to a millisecond. Tiers apply to the GB-seconds of a month, by architecture.',
  input_tokens:
    'Tokens of the message. Where an entry does not report them, they are counted with the encoding of the model.',
  output_tokens: 'Tokens of the response, as an entry reports them or the scenario assumes them.',
  cache_read_tokens: 'Tokens that are read from the prompt cache.',
  cache_write_tokens: 'Tokens that are written to the prompt cache.',
};

const units: Readonly<Record<ChargeItem, string>> = {
  requests: 'request',
  invocations: 'invocation',
  compute: 'GB-second',
  input_tokens: 'token',
  output_tokens: 'token',
  cache_read_tokens: 'token',
  cache_write_tokens: 'token',
};

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

/** A number with all its decimals. */
const exact = () => Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

const explainedLine = Type.Object({
  service: oneOf(['queue', 'function', 'inference']),
  item: oneOf(chargeItems),
  of: Type.String({ description: 'The queue type, the architecture or the model.' }),
  rule: Type.String(),
  unit: Type.String(),
  quantity: exact(),
  free: Type.Boolean({ description: 'Whether the quantity belongs to the free tier.' }),
  tier: nullable(Type.Object({ from: exact(), to: nullable(exact()) }), {
    description: 'The units of the month above `from`, up to and including `to`; null for free units.',
  }),
  unit_price: nullable(exact(), { description: 'In USD; null if the price book has no price.' }),
  amount: nullable(exact(), { description: 'In USD: quantity times unit_price, not rounded.' }),
  status: oneOf(['ok', 'estimated', 'unverified', 'missing']),
  price_source: nullable(
    Type.Object({
      region: Type.String({
        description: 'The region of the price, or `geo` for the price of all commercial regions.',
      }),
      as_of: Type.String(),
      sources: Type.Array(Type.Object({ title: Type.String(), publisher: Type.String(), version: Type.String() })),
    }),
  ),
});

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
export type Explanation = Static<typeof explanationResponse>;
type ExplainedPart = Static<typeof explainedPart>;

export async function presentExplanation(
  scenario: Pick<Scenario, '_id' | 'region' | 'assumptions'>,
  usage: MonthlyUsage,
  cost: MonthsCost,
  partsByMonth: ReadonlyMap<number, PipelineParts>,
  { cursor = -Infinity, limit }: Pick<ExplanationQuery, 'cursor' | 'limit'>,
  { priceBook: book, config }: PriceSettings,
): Promise<Explanation> {
  const assumptions = applyDefaults(scenario.assumptions);
  const { region } = scenario;
  const { pipeline, free_tier: freeTier } = assumptions;
  const terms = { region, book, fallback: config.priceFallback, freeTier, pipeline };
  const present = linePresenter(book, pipeline ? { ...rules, ...pipelineItemRules } : rules);
  const months: Explanation['months'] = [];
  let next: string | null = null;
  for (const { month, lines } of explainMonths(usage, terms)) {
    if (isSliceOver()) await nextSlice();
    if (month < cursor) continue;
    if (months.length === limit) {
      next = formatMonth(month);
      break;
    }
    const parts = partsByMonth.get(month) ?? new PipelineParts();
    months.push({
      month: formatMonth(month),
      lines: lines.map(present),
      ...(pipeline && { pipeline: presentParts(pipeline, parts) }),
    });
  }
  return {
    scenario_id: scenario._id,
    region,
    currency: book.currency,
    price_book: { version: book.version, as_of: book.asOf },
    assumptions,
    period: presentPeriod(usage),
    totals: presentTotals(cost),
    cost_breakdown: presentLines(cost),
    months,
    next,
  };
}

function presentParts(pipeline: CompletePipeline, parts: PipelineParts): ExplainedPart[] {
  const partRules = pipelineRules(pipeline, parts);
  return pipelinePartNames
    .filter((part) => parts.sumOf(part) > 0n)
    .map((part) => {
      const { service, unit } = partUnits[part];
      const sum = parts.sumOf(part);
      const quantity = unit === 'GB-second' ? formatExactGbSeconds(sum) : String(sum);
      return { service, part, rule: partRules[part], unit, quantity };
    });
}

function linePresenter(
  { sources: allSources }: PriceSettings['priceBook'],
  rules: Readonly<Record<ChargeItem, string>>,
) {
  const byId = new Map(allSources.map(({ id, ...source }) => [id, source]));
  return (line: ChargeLine): Explanation['months'][number]['lines'][number] => {
    const isCompute = line.item === 'compute';
    const quantity = (count: bigint) => (isCompute ? formatExactGbSeconds(count) : String(count));
    const { tier, price, origin } = line;
    return {
      service: line.service,
      item: line.item,
      of: line.of,
      rule: rules[line.item],
      unit: units[line.item],
      quantity: quantity(line.units),
      free: line.isFree,
      tier: tier && { from: quantity(tier.from), to: tier.to === null ? null : quantity(tier.to) },
      unit_price: price === null ? null : formatExactMoney(isCompute ? price * mbMsPerGbSecond : price),
      amount: line.amount === null ? null : formatExactMoney(line.amount),
      status: statusOf(line),
      price_source: origin && {
        region: origin.region,
        as_of: origin.asOf,
        sources: origin.sources.flatMap((id) => byId.get(id) ?? []),
      },
    };
  };
}

function statusOf({ price, isFallback, isEstimated }: ChargeLine) {
  if (price === null) return 'missing';
  if (isFallback) return 'unverified';
  return isEstimated ? 'estimated' : 'ok';
}
