// Usage and cost as callers see them, in metrics, reports and everything else that is computed from
// the same usage: counts are numbers, money and GB-seconds decimal strings.
import { modelOfField, type UsageTotals } from '../usage/stored-hour.ts';
import { sumOf } from './integers.ts';
import { formatGbSeconds, formatMoney, formatRelativeDifference, formatShare, type Money } from './money.ts';
import type { PipelineWork } from './pipeline/pipeline-work.ts';
import type { PriceBook } from './price-book.ts';
import { ofServices, type Service, services as serviceNames } from './price-line.ts';
import type { ChargeItem, Cost } from './price-month.ts';
import type { ScenarioCost } from './scenario-cost.ts';

/** Usage of a service by unit. */
type ServiceUsage = Record<string, number | string>;

export type CostBreakdownLine = ReturnType<typeof presentServices>[number];

/**
 * Usage and cost of a period; the cost is null if none of the usage has a price, and `incomplete`
 * if some of it has none.
 */
export function presentTotals({ usage, total, hasPipeline }: Pick<ScenarioCost, 'usage' | 'total' | 'hasPipeline'>) {
  const { logs, size_bytes, pii_logs, ...services } = presentUsage(usage);
  const { email = 0, national_id = 0, payment_card = 0 } = usage.pii ?? {};
  return {
    logs,
    size_bytes,
    pii_logs,
    pii: { email: Number(email), national_id: Number(national_id), payment_card: Number(payment_card) },
    ...services,
    ...(hasPipeline && presentPipeline(usage)),
    cost: presentAmount(total.amount),
    status: total.status,
    incomplete: total.incomplete || hasUnpricedCalls(usage),
  };
}

/** Whether calls are of a model without a price. No line has them. */
export const hasUnpricedCalls = ({ unpriced = {} }: UsageTotals): boolean => Object.keys(unpriced).length > 0;

export function presentUsage({ logs, sizeBytes, piiLogs = 0, queues, functions, inference }: UsageTotals) {
  const [runs, models] = [Object.values(functions), Object.values(inference)];
  return {
    logs: Number(logs),
    size_bytes: Number(sizeBytes),
    pii_logs: Number(piiLogs),
    queue_requests: Number(sumOf(Object.values(queues), (requests) => requests)),
    function_invocations: Number(sumOf(runs, ({ invocations }) => invocations)),
    function_gb_seconds: formatGbSeconds(sumOf(runs, ({ mbMs }) => mbMs)),
    input_tokens: Number(sumOf(models, ({ inputTokens }) => inputTokens)),
    output_tokens: Number(sumOf(models, ({ outputTokens }) => outputTokens)),
  };
}

/** The usage that only a pipeline has. Empty receives are part of the queue requests. */
export function presentPipeline({ emptyReceives = 0, inference }: UsageTotals) {
  const models = Object.values(inference);
  const ordinaryWrites = sumOf(models, ({ cacheWriteTokens = 0 }) => cacheWriteTokens);
  return {
    inference_calls: Number(sumOf(models, ({ calls = 0 }) => calls)),
    cache_read_tokens: Number(sumOf(models, ({ cacheReadTokens = 0 }) => cacheReadTokens)),
    cache_write_tokens: Number(ordinaryWrites + sumOf(models, ({ cacheWrite1hTokens = 0 }) => cacheWrite1hTokens)),
    empty_receives: Number(emptyReceives),
  };
}

/**
 * The breakdown of a cost by service: queue, function, inference. `share` is that of the total,
 * null if one of the two is unknown; `unpriced` is the usage without a price, `remarks` why prices
 * are not certain, if anything is.
 */
export function presentServices({
  usage,
  services,
  total,
  hasPipeline,
}: Pick<ScenarioCost, 'usage' | 'services' | 'total' | 'hasPipeline'>) {
  const { queue_requests, function_invocations, function_gb_seconds, input_tokens, output_tokens } =
    presentUsage(usage);
  const { inference_calls: calls, empty_receives, ...cached } = presentPipeline(usage);
  const shown: Record<Service, ServiceUsage> = {
    queue: { requests: queue_requests, ...(hasPipeline && { empty_receives }) },
    function: { invocations: function_invocations, gb_seconds: function_gb_seconds },
    inference: { ...(hasPipeline && { calls }), input_tokens, output_tokens, ...(hasPipeline && cached) },
  };
  return serviceNames.map((service) => {
    const { amount, status, unpriced, remarks } = services[service];
    return {
      service,
      usage: shown[service],
      cost: presentAmount(amount),
      share: amount === null || total.amount === null ? null : formatShare(amount, total.amount),
      status,
      ...(unpriced !== null && { unpriced: presentUnpriced(unpriced)[service] }),
      ...(remarks && { remarks }),
    };
  });
}

const cachedItems = ['cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'] as const;

function presentUnpriced(unpriced: Readonly<Partial<Record<ChargeItem, bigint>>>): Record<Service, ServiceUsage> {
  const count = (item: ChargeItem) => Number(unpriced[item] ?? 0n);
  const cached = {
    cache_read_tokens: count('cache_read_tokens'),
    cache_write_tokens: count('cache_write_tokens') + count('cache_write_1h_tokens'),
  };
  return {
    queue: { requests: count('requests') },
    function: { invocations: count('invocations'), gb_seconds: formatGbSeconds(unpriced.compute ?? 0n) },
    inference: {
      input_tokens: count('input_tokens'),
      output_tokens: count('output_tokens'),
      ...(cachedItems.some((item) => unpriced[item] !== undefined) && cached),
    },
  };
}

/** USD with 12 decimals, rounded half up; null without a price. */
export function presentAmount(amount: Money | null): string | null {
  return amount === null ? null : formatMoney(amount);
}

// The parts that designs, comparison and explanation share.

/** The version of a price book, and whether the installation has own prices. */
export const presentVersion = ({ version, asOf, overrides }: PriceBook) => ({
  version,
  as_of: asOf,
  ...(overrides.length > 0 && { own_prices: true as const }),
});

/** A period in whole hours; null for an open end without entries. */
export const presentPeriod = ({ from, to }: ScenarioCost['period']) => ({
  from: from?.toISOString() ?? null,
  to: to?.toISOString() ?? null,
});

/** The cost of each service and of all of them, as `valueOf` shows it. */
export const ofEach = <Value>({ services, total }: Cost, valueOf: (cost: PartOfCost, part: CostPartName) => Value) => ({
  ...ofServices((service) => valueOf(services[service], service)),
  total: valueOf(total, 'total'),
});
type PartOfCost = Pick<Cost['total'], 'amount' | 'status'>;
type CostPartName = Service | 'total';

export const presentCosts = (cost: Cost) => ofEach(cost, ({ amount }) => presentAmount(amount));

/** How much more the second costs than the first, in USD and as a share of the first. */
export function differencesOf(first: Cost, second: Cost) {
  const known = ({ amount, status }: PartOfCost) => (status === 'missing' ? null : amount);
  const firsts = ofEach(first, known);
  return ofEach(second, (cost, part) => {
    const [from, to] = [firsts[part], known(cost)];
    if (from === null || to === null) return null;
    return { amount: formatMoney(to - from), share: formatRelativeDifference(from, to) };
  });
}

/** The parts of the work of a pipeline, as numbers with all their digits. */
export const presentParts = (work: PipelineWork | undefined) =>
  Object.values(work?.parts ?? {})
    .flatMap((parts: object) => Object.entries(parts))
    .map(([part, quantity]) => ({ part, quantity: String(quantity) }));

/** Calls of models without a price have most calls first. */
export function presentRemarks({
  untimed = 0,
  usageUnread = 0,
  unpriced = {},
}: Pick<UsageTotals, 'untimed' | 'usageUnread' | 'unpriced'>) {
  return {
    untimed: Number(untimed),
    usage_unread: Number(usageUnread),
    unpriced: Object.entries(unpriced)
      .map(([field, { calls, inputTokens, outputTokens }]) => ({
        model: modelOfField(field),
        calls: Number(calls),
        input_tokens: Number(inputTokens),
        output_tokens: Number(outputTokens),
      }))
      .sort((one, other) => other.calls - one.calls || (one.model < other.model ? -1 : 1)),
  };
}

/** Models that a sentence names. */
const maxNamed = 3;

/** A sentence for each kind of remark that there is. Names of models are texts of senders. */
export function remarkSentences({
  untimed = 0,
  usage_unread: usageUnread = 0,
  unpriced = [],
}: Partial<ReturnType<typeof presentRemarks>>): string[] {
  const sentences: string[] = [];
  if (usageUnread > 0) {
    const [had, theirs] = usageUnread === 1 ? ['entry had', 'its'] : ['entries had', 'their'];
    sentences.push(
      `${count(usageUnread)} ${had} a usage that was not understood: ${theirs} tokens are counted from the message.`,
    );
  }
  if (unpriced.length > 0) {
    const calls = unpriced.reduce((sum, model) => sum + model.calls, 0);
    const names = unpriced.slice(0, maxNamed).map(({ model }) => model);
    const more = unpriced.length - names.length;
    const others = more === 0 ? '' : ` and ${more} ${more === 1 ? 'other' : 'others'}`;
    const verb = calls === 1 ? 'call is of a model' : 'calls are of models';
    sentences.push(`${count(calls)} ${verb} without a price, which the cost leaves out: ${names.join(', ')}${others}.`);
  }
  if (untimed > 0) {
    const verb =
      untimed === 1 ? 'entry has no time of its own and counts' : 'entries have no time of their own and count';
    sentences.push(`${count(untimed)} ${verb} at ${untimed === 1 ? 'its' : 'their'} arrival.`);
  }
  return sentences;
}

const count = (value: number) => value.toLocaleString('en-US');
