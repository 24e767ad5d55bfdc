import type { CustomHelpers } from 'joi';
import type { DesignsRequest as CompareRequest } from '../../shared/cost/compare-designs.ts';
import { secondsPerMonth, type Volume } from '../../shared/cost/observed-rate.ts';
import type { Design } from '../../shared/cost/pipeline/standard-designs.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi, number } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { assumptionsSchema, maxNameLength, priceBookVersion, regionCode } from '../scenarios/assumptions.schema.ts';

const maxDesigns = 10;
const maxVolume = 1_000_000_000_000_000;
const maxDecimals = 6;

export type DesignsRequest = Pick<CompareRequest, 'designs' | 'volume'>;

export type DesignsQuery = Period & { price_book?: string };

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
          name: Joi.text().trim().characters(1, maxNameLength).visible().required(),
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
