import type { CustomHelpers } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import type { Ratio } from '../../shared/cost/projection.ts';
import type { WhatIf } from '../../shared/cost/what-if.ts';
import { architectures, queueTypes } from '../../shared/scenarios/assumptions.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { modelId, priceBookVersion, regionCode } from '../scenarios/price-book.schemas.ts';
import { assumptionRanges } from '../scenarios/scenarios.schemas.ts';

/** The terms and prices that differ from those of a scenario. */
type Changes = WhatIf & Period & { price_book?: string };

export type EstimateQuery = Changes;
export type RegionsQuery = Omit<Changes, 'region'>;

/** A volume of entries, as sent and as a fraction. */
interface Volume {
  text: string;
  value: Ratio;
}

export type ProjectionQuery = Changes & { entries_per_month?: Volume; entries_per_second?: Volume };

const maxVolume = 10n ** 15n;
const volumeDecimals = 9;

/** Schemas of the queries, with the regions and models of the price books. */
export function estimateSchemas(names: KnownNames) {
  const { requests_per_message: requests, memory_mb: memory } = assumptionRanges;
  const otherFields = {
    model: modelId(names).description('Prices all tokens as if this model had processed them.'),
    architecture: Joi.string().valid(...architectures),
    memory_mb: Joi.number()
      .integer()
      .min(memory.min)
      .max(memory.max)
      .description('Memory size of the function; the duration of an invocation stays the same.'),
    queue_type: Joi.string().valid(...queueTypes),
    requests_per_message: Joi.number().integer().min(requests.min).max(requests.max),
    free_tier: Joi.boolean(),
    price_book: priceBookVersion().description('Prices by another version of the price book.'),
    ...periodFields,
  };
  const fields = { region: regionCode(names), ...otherFields };
  return {
    estimate: withPeriod(Joi.object<EstimateQuery>(fields)),
    regions: withPeriod(Joi.object<RegionsQuery>(otherFields)),
    projection: withPeriod(
      Joi.object<ProjectionQuery>({
        ...fields,
        entries_per_month: volume(0).description('Log entries of the month, a whole number.').example('1000000'),
        entries_per_second: volume(volumeDecimals).description('Log entries per second, at all times of the month.'),
      })
        .oxor('entries_per_month', 'entries_per_second')
        .messages({ 'object.oxor': 'must not contain both entries_per_month and entries_per_second' }),
    ),
  };
}

/** A positive decimal number, which is converted to an exact fraction. */
function volume(decimals: number) {
  const what = decimals === 0 ? 'a whole number' : `a decimal number with at most ${decimals} decimals`;
  return Joi.string()
    .custom((text: string, helpers: CustomHelpers) => {
      const [, whole, fraction = ''] = /^(\d{1,16})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
      const over = 10n ** BigInt(decimals);
      if (whole === undefined || fraction.length > decimals) return helpers.error('volume.form');
      const times = BigInt(whole + fraction.padEnd(decimals, '0'));
      if (times === 0n || times > maxVolume * over) return helpers.error('volume.form');
      return { text, value: { times, over } } satisfies Volume;
    })
    .messages({ 'volume.form': `must be ${what} above 0, at most ${maxVolume}` });
}
