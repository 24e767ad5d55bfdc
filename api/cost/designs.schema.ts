import type { CustomHelpers } from 'joi';
import { type Static, Type } from 'typebox';
import type { DesignsRequest as CompareRequest } from '../../shared/cost/compare-designs.ts';
import { secondsPerMonth, type Volume } from '../../shared/cost/observed-rate.ts';
import type { Design } from '../../shared/cost/pipeline/standard-designs.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { ofServices } from '../../shared/cost/price-line.ts';
import type { CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi, number, periodFields, text, withPeriod } from '../http/input.ts';
import { count, decimal, described, named, nullable, timestamp, uuid } from '../http/response-types.ts';
import { assumptionsSchema, maxNameLength, priceBookVersion, regionCode } from '../scenarios/assumptions.schema.ts';
import {
  amount,
  costByService,
  costTotals,
  entryUsage,
  metricsLine,
  usedPriceBook,
  wholePeriod,
} from './metrics.schema.ts';

const difference = nullable(
  Type.Object({
    amount: decimal(),
    share: nullable(Type.String({ pattern: '^-?\\d+\\.\\d{4}$' }), {
      description: 'The difference as a share of the first amount; null if that is 0.',
    }),
  }),
  { description: 'In USD; null if one of the two amounts is not or only partly known.' },
);
export const differences = Type.Object({ ...ofServices(() => difference), total: difference });

const queueRequests = (description: string) =>
  Type.Optional(count({ description: `${description} Only with a pipeline.` }));

const flow = described('Counts of what passes through the pipeline. They are not part of `totals`.', {
  messages: count({ description: 'Entries that are sent to the queue.' }),
  sends: queueRequests('Queue requests that send messages.'),
  receives: queueRequests('Queue requests that receive messages, including those of retries.'),
  deletes: queueRequests('Queue requests that delete messages.'),
  model_entries: count({ description: 'Entries that reach the model.' }),
});

/** The cost of a month or a year, and the range of its total. */
const rate = (months: string) =>
  nullable(Type.Object({ ...costByService().properties, low: amount(), high: amount() }), {
    description: `The cost of ${months} of 730 hours. Tiers and free amounts are those of a month. \`low\` and \`high\` are the least and the greatest total of the thirds of the whole hours, each by its own rate; null if there are fewer than six, or a third has no rate. Null without a rate.`,
  });

/** The scenario as it is, or with a design. */
const designFields = {
  price_book: usedPriceBook,
  region: Type.String(),
  assumptions: Type.Unsafe<CompleteAssumptions>({ type: 'object', description: 'All assumptions, with defaults.' }),
  totals: costTotals,
  cost_breakdown: Type.Array(metricsLine),
  cost: costByService(),
  flow,
  month: rate('a month'),
  year: rate('twelve months'),
  month_totals: nullable(
    Type.Object({
      logs: count(),
      ...entryUsage,
      inference_calls: count(),
      cache_read_tokens: count(),
      cache_write_tokens: count(),
      empty_receives: count(),
    }),
    { description: 'The usage of the month, each counter rounded up. Null without a rate.' },
  ),
};

const observed = described('The time that the entries cover.', {
  entries: count(),
  first: nullable(timestamp(), { description: 'The first second with an entry.' }),
  last: nullable(timestamp(), { description: 'The last second with an entry.' }),
  seconds: nullable(Type.Number(), {
    description:
      'From the first to the last second with an entry, and a mean gap, with at most six decimals. The seconds are those of entries with a time of their own if there are two or more, otherwise of arrival. Null for a single second, which has no rate.',
  }),
  entries_per_second: nullable(Type.Number(), { description: 'With at most six decimals.' }),
  short: Type.Boolean({ description: 'Whether the time is under 24 hours, so that no day and night is in it.' }),
});

export const designsResponse = named('Designs', {
  scenario_id: uuid(),
  currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
  price_book: usedPriceBook,
  period: wholePeriod,
  observed,
  basis: Type.String({ description: 'What the months rest on, in words.' }),
  present: Type.Object(designFields, { description: 'The scenario as it is.' }),
  items: Type.Array(
    described('In the order of the designs.', {
      name: Type.String(),
      ...designFields,
      difference: Type.Object(differences.properties, { description: 'Of the observed entries.' }),
      month_difference: nullable(differences, { description: 'Of the month.' }),
    }),
  ),
  cheapest: nullable(Type.String(), {
    description:
      'The name of the design with the least complete cost, of a month if there is a rate; the first one if several cost the same. A design in which no entry reaches the model is not named if others reach it.',
  }),
  notes: Type.Array(Type.String(), { description: 'Effects that the calculation does not take into account.' }),
});
export type Designs = Static<typeof designsResponse>;

const maxDesigns = 10;
const maxVolume = 1_000_000_000_000_000;
const maxDecimals = 6;

type DesignsRequest = Pick<CompareRequest, 'designs' | 'volume'>;

type DesignsQuery = Period & { price_book?: string };

export const designsQuery = withPeriod(
  Joi.object<DesignsQuery>({
    price_book: priceBookVersion().description('Prices designs that name no version by this one.'),
    ...periodFields,
  }),
);

export function designsBody(names: KnownNames) {
  return Joi.object<DesignsRequest>({
    designs: Joi.array()
      .items(
        Joi.object<Design>({
          name: text(1, maxNameLength).trim().required(),
          region: regionCode(names).description('Default: the region of the scenario.'),
          price_book: priceBookVersion().description('Default: the version that prices the scenario.'),
          assumptions: designAssumptions(names),
        }),
      )
      .min(1)
      .max(maxDesigns)
      .unique('name')
      .messages({ 'array.unique': 'must not have the name of another design' })
      .description('Default: five standard designs.'),
    volume: Joi.object({
      entries_per_month: number().integer().min(1).max(maxVolume).description('Entries of a month of 730 hours.'),
      entries_per_second: number()
        .greater(0)
        .max(maxVolume)
        .description('Entries a second, at all times of the month, with at most six decimals.'),
    })
      .xor('entries_per_month', 'entries_per_second')
      .custom(volumeOf)
      .messages({
        'object.xor': 'must not contain both entries_per_month and entries_per_second',
        'object.missing': 'must contain entries_per_month or entries_per_second',
        'volume.decimals': `entries_per_second must have at most ${maxDecimals} decimals`,
      })
      .description('The volume of the month. Default: the observed rate.'),
  });
}

const designAssumptions = (names: KnownNames) => {
  const assumptions = assumptionsSchema(names);
  return assumptions
    .keys({ pipeline: (assumptions.extract('pipeline') as ReturnType<typeof Joi.object>).allow(null) })
    .description(
      'Replaces the assumptions of the scenario field by field, `pipeline` as a whole. `null` removes the pipeline: an entry is then one message, one invocation and one model call.',
    );
};

/** The volume as an exact fraction. */
function volumeOf(
  { entries_per_month: perMonth, entries_per_second: perSecond }: Record<string, number | undefined>,
  helpers: CustomHelpers,
): unknown {
  if (perMonth !== undefined) {
    return { kind: 'entries_per_month', rate: { times: BigInt(perMonth), over: secondsPerMonth } } satisfies Volume;
  }
  const over = 10 ** maxDecimals;
  const [whole = '', fraction = ''] = (perSecond ?? 0).toFixed(maxDecimals).split('.');
  if (Number(`${whole}.${fraction}`) !== perSecond) return helpers.error('volume.decimals');
  return { kind: 'entries_per_second', rate: { times: BigInt(whole + fraction), over: BigInt(over) } } satisfies Volume;
}
