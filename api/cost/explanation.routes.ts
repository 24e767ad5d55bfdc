import { type Static, Type } from 'typebox';
import { formatExactGbSeconds, formatExactMoney, mbMsPerGbSecond } from '../../shared/cost/money.ts';
import { describeOverride } from '../../shared/cost/own-prices.ts';
import {
  type InvocationLimit,
  mainLimit,
  type PipelinePart,
  type PipelineWork,
  pipelineParts,
} from '../../shared/cost/pipeline/pipeline-work.ts';
import {
  presentPeriod,
  presentRemarks,
  presentServices,
  presentTotals,
  presentVersion,
  remarkSentences,
} from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { type ChargeItem, type ChargeLine, chargeItems } from '../../shared/cost/price-month.ts';
import {
  type MonthsCost,
  priceMonths,
  pricingOf,
  readMonths,
  type ScenarioPricing,
} from '../../shared/cost/scenario-cost.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults, type CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import { type CompletePipeline, levelClasses } from '../../shared/scenarios/pipeline.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi, periodFields, withPeriod } from '../http/input.ts';
import { json, reply } from '../http/response.ts';
import { named, nullable, oneOf, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import { costTotals, metricsLine, usedPriceBook, wholePeriod } from './metrics.schema.ts';
import { overrideResponse, presentOverride } from './price-overrides.routes.ts';

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
  cache_write_tokens: 'Tokens that are written to the prompt cache for its ordinary time.',
  cache_write_1h_tokens: 'Tokens that are written to the prompt cache for an hour.',
};

const units: Readonly<Partial<Record<ChargeItem, string>>> = {
  requests: 'request',
  invocations: 'invocation',
  compute: 'GB-second',
};

/** A number with all its decimals. */
export const exact = () => Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

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
  override: Type.Optional(overrideResponse),
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
type ExplainedLine = Static<typeof explainedLine>;

/** @param hasPipeline whether the quantities are those of a pipeline, with rules of their own. */
function linePresenter(book: Pick<PriceBook, 'sources' | 'origin'>, hasPipeline: boolean) {
  const itemRules = hasPipeline ? { ...rules, ...pipelineItemRules } : rules;
  const byId = new Map(book.sources.map(({ id, title, publisher, version }) => [id, { title, publisher, version }]));
  /** An uncertain price, and the price of large calls, are part of the rule. */
  const ruleOf = ({ item, override, remark, source }: ChargeLine) => {
    const long = source?.kind.startsWith('long_')
      ? ' The calls are above the limit of the model, so all of their tokens have its price of large calls.'
      : '';
    const rule = override ? describeOverride(override) : itemRules[item];
    return remark === undefined ? rule + long : `${rule}${long} ${remark}`;
  };
  return (line: ChargeLine): ExplainedLine => {
    const isCompute = line.item === 'compute';
    const quantity = (count: bigint) => (isCompute ? formatExactGbSeconds(count) : String(count));
    const { tier, price, source, status } = line;
    const origin = source && book.origin(source);
    const sources = origin?.sources.flatMap((id) => byId.get(id) ?? []) ?? [];
    const priceSource = source && origin ? { region: source.scope, as_of: origin.as_of, sources } : null;
    return {
      service: line.service,
      item: line.item,
      of: line.of,
      rule: ruleOf(line),
      unit: units[line.item] ?? 'token',
      quantity: quantity(line.units),
      free: line.isFree,
      tier: tier && { from: quantity(tier.from), to: tier.to === null ? null : quantity(tier.to) },
      unit_price: price === null ? null : formatExactMoney(isCompute ? price * mbMsPerGbSecond : price),
      amount: line.amount === null ? null : formatExactMoney(line.amount),
      // The usage of a pipeline is an estimate.
      status: hasPipeline && status === 'ok' && !line.isFree ? 'estimated' : status,
      price_source: priceSource,
      ...(line.override && { override: presentOverride(line.override) }),
    };
  };
}

/**
 * Shows a line with an own price or a discount as two: the units at their list price, and what the
 * override adds to it. An own price of units without a list price stays one line.
 */
export function atListPrices({ atList, ...line }: ChargeLine): ChargeLine[] {
  if (!atList || atList.price === null || line.price === null) return [line];
  const price = line.price - atList.price;
  return [atList, { ...line, price, amount: line.units * price, source: null }];
}

// The rules of a pipeline in words, with the values of its assumptions.

/** The rules of the amounts, in place of those of single entries. */
export const pipelineItemRules: Readonly<Partial<Record<ChargeItem, string>>> = {
  requests:
    'Sends, receives with those of retries, deletes and empty polls: see `pipeline`. An action with a payload is one request per started 64 KiB. Tiers apply to the requests of a month, by queue type.',
  invocations: 'Invocations and their retries: see `pipeline`.',
  compute:
    'GB-seconds: memory in GB (1,024 MB) times billed seconds of entries, retries, overhead and initialisation: see `pipeline`. Tiers apply to the GB-seconds of a month, by architecture.',
  input_tokens: 'Tokens of the entries, of retries, and of instructions that are not cached: see `pipeline`.',
  output_tokens: 'Output tokens of all calls: see `pipeline`.',
  cache_read_tokens:
    'Tokens that calls read from a cache, as entries report them and of the instruction: see `pipeline`.',
  cache_write_tokens:
    'Tokens that calls write to a cache for five minutes, as entries report them and of the instruction: see `pipeline`.',
  cache_write_1h_tokens:
    'Tokens that calls write to a cache for an hour, as entries report them and of the instruction: see `pipeline`.',
};

const limits: Readonly<Record<InvocationLimit, string>> = {
  none: 'no entries arrived',
  entries: 'each entry is an invocation of its own',
  batch_size: 'batches are full before their window ends',
  window: 'windows end before their batch is full',
  payload: 'an invocation takes 6 MiB at most, with 1 KiB around each message',
  duration: 'an invocation lasts 900 s at most',
};

/** How each part of the usage comes about, and why it is as large as it is. */
function pipelineRules(
  { queue, function: fn, inference, ...pipeline }: CompletePipeline,
  work: PipelineWork,
): Readonly<Record<PipelinePart, string>> {
  const actionBatch = Math.min(fn.batch_size, 10);
  const window = fn.window_seconds === 0 ? 'without a window' : `in a window of ${fn.window_seconds} s`;
  const retried = `${pipeline.retry_percent} % of them, for invocations that run a second time.`;
  const callSize = Math.min(inference.entries_per_call, fn.batch_size);
  const retriedCalls =
    inference.tier === 'batch' ? 'A batch job is not called from the function, so it has no retries.' : retried;
  return {
    sends: `${entriesText(pipeline)} ${
      queue.send_batch === 1 ? 'Each message is one send.' : `A send has up to ${queue.send_batch} messages.`
    }`,
    receives:
      actionBatch === 1
        ? 'Each message is one receive.'
        : `A receive returns the messages of one second, up to ${actionBatch}.`,
    retried_receives: retried,
    deletes:
      actionBatch === 1
        ? 'Each message is one delete.'
        : `The messages of an invocation are deleted together, up to ${actionBatch} at once.`,
    empty_receives: `${queue.pollers} pollers each wait 20 s in the seconds without messages, also in hours without entries.`,
    invocations: `Up to ${fn.batch_size} messages ${window}: ${limits[mainLimit(work)]}.`,
    retried_invocations: retried,
    cold_starts: `${fn.cold_start_percent} % of all invocations pay the initialisation.`,
    entry_compute: 'Billed time of the entries times memory.',
    retried_compute: retried,
    overhead_compute: `${fn.overhead_ms} ms of each invocation, in addition to the time of its entries.`,
    init_compute: `${fn.init_ms} ms of each cold start.`,
    calls: callsText(inference, callSize, fn.batch_size),
    retried_calls: retriedCalls,
    entry_tokens: `Tokens of the entries that reach the model. ${entriesText(inference)}`,
    retried_tokens: retriedCalls,
    prompt_tokens: inference.cache_prompt
      ? 'The instruction is cached.'
      : `${inference.prompt_tokens} tokens of the instruction in each call.`,
    cache_write_tokens: inference.cache_prompt
      ? `${inference.prompt_tokens} tokens whenever no call has used the cache for ${inference.cache_ttl === '1h' ? 'an hour.' : 'its lifetime (five minutes, unless the model has another one), and once an hour.'}`
      : 'As entries report them: the instruction is not cached.',
    cache_read_tokens: inference.cache_prompt
      ? `${inference.prompt_tokens} tokens in each of the other calls.`
      : 'As entries report them: the instruction is not cached.',
    output_tokens:
      inference.output_tokens_per_call === undefined
        ? 'As entries report them, or the scenario assumes them for an entry.'
        : `${inference.output_tokens_per_call} tokens in each call.`,
    retried_output_tokens: retriedCalls,
  };
}

function entriesText({ levels, sample_percent: percent }: Pick<CompletePipeline, 'levels' | 'sample_percent'>): string {
  const which = levels.length === levelClasses.length ? 'All entries' : `Entries of ${levels.join(', ')}`;
  return percent === 100 ? `${which}.` : `${which}, of which ${percent} %.`;
}

function callsText(
  { tier, entries_per_call: perCall }: CompletePipeline['inference'],
  size: number,
  batchSize: number,
): string {
  if (tier === 'batch') return `A record of a batch job has up to ${perCall} entries of the hour.`;
  const bounded = size < perCall ? `, because no call spans two invocations of up to ${batchSize} messages` : '';
  return size === 1 ? `One call per entry${bounded}.` : `Up to ${size} entries of an invocation in one call${bounded}.`;
}

const explainedPart = Type.Object({
  service: oneOf(['queue', 'function', 'inference']),
  part: oneOf(pipelineParts.flatMap(({ parts }) => parts as readonly PipelinePart[])),
  rule: Type.String(),
  unit: Type.String(),
  quantity: exact(),
});

export const explanationResponse = named('Explanation', {
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
});
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
    parts.flatMap((part) => {
      const sums: Partial<Record<PipelinePart, bigint>> = work.parts[service] ?? {};
      const sum = sums[part] ?? 0n;
      const quantity = unit === 'GB-second' ? formatExactGbSeconds(sum) : String(sum);
      return sum > 0n ? { service, part, rule: partRules[part], unit, quantity } : [];
    }),
  );
}

/** `GET /api/v1/scenarios/{id}/metrics/explain`: how every amount of the metrics comes about. */
export function explanationRoutes(): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...scenarioRead,
      method: 'GET',
      path: '/api/v1/scenarios/{id}/metrics/explain',
      operationId: 'explainScenarioMetrics',
      summary: 'Explain the cost: quantity, rule, tier, unit price and its source, by month',
      description: 'The amounts of the lines are not rounded. Those of all months add up to `totals.cost` exactly.',
      query: withPeriod(Joi.object<Period>(periodFields)),
      responses: { 200: json(explanationResponse) },
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
