import { type Static, Type } from 'typebox';
import { formatExactGbSeconds, formatExactMoney, mbMsPerGbSecond } from '../../shared/cost/money.ts';
import { describeOverride } from '../../shared/cost/override-texts.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { type ChargeItem, type ChargeLine, chargeItems } from '../../shared/cost/price-month.ts';
import { statusOfLine } from '../../shared/cost/service-cost.ts';
import { nullable, oneOf } from '../http/response-types.ts';
import { pipelineItemRules } from './pipeline-rules.ts';
import { overrideResponse, presentOverride } from './price-overrides.responses.ts';

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

const units: Readonly<Record<ChargeItem, string>> = {
  requests: 'request',
  invocations: 'invocation',
  compute: 'GB-second',
  input_tokens: 'token',
  output_tokens: 'token',
  cache_read_tokens: 'token',
  cache_write_tokens: 'token',
  cache_write_1h_tokens: 'token',
};

/** A number with all its decimals. */
export const exact = () => Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

export const explainedLine = Type.Object({
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
export function linePresenter(book: Pick<PriceBook, 'sources' | 'origin'>, hasPipeline: boolean) {
  const itemRules = hasPipeline ? { ...rules, ...pipelineItemRules } : rules;
  const byId = new Map(book.sources.map(({ id, ...source }) => [id, source]));
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
    const { tier, price, source } = line;
    const origin = source && book.origin(source);
    const status = statusOfLine(line);
    return {
      service: line.service,
      item: line.item,
      of: line.of,
      rule: ruleOf(line),
      unit: units[line.item],
      quantity: quantity(line.units),
      free: line.isFree,
      tier: tier && { from: quantity(tier.from), to: tier.to === null ? null : quantity(tier.to) },
      unit_price: price === null ? null : formatExactMoney(isCompute ? price * mbMsPerGbSecond : price),
      amount: line.amount === null ? null : formatExactMoney(line.amount),
      // The usage of a pipeline is an estimate.
      status: hasPipeline && status === 'ok' && !line.isFree ? 'estimated' : status,
      price_source:
        source && origin
          ? {
              region: source.scope,
              as_of: origin.asOf,
              sources: origin.sources.flatMap((id) => byId.get(id) ?? []),
            }
          : null,
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
