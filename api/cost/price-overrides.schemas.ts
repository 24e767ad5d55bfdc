import type { CustomHelpers } from 'joi';
import { services } from '../../shared/cost/price-changes/apply-changes.ts';
import { inferenceKinds, type PriceLineId } from '../../shared/cost/price-line.ts';
import { Joi } from '../http/joi.ts';

export interface OverrideInput {
  service: PriceLineId['service'];
  discount_percent?: string;
  item?: string;
  kind?: PriceLineId['kind'];
  region?: string | null;
  price?: string;
  note: string;
}

interface OverridesInput {
  overrides: OverrideInput[];
}

const maxOverrides = 100;

const discount = Joi.string()
  .custom((text: string, helpers: CustomHelpers) => {
    const isValid = /^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= 100;
    return isValid ? text : helpers.error('discount.form');
  })
  .messages({
    'discount.form': 'must be decimal text above 0, up to 100, with at most 2 decimals, such as "12.5"',
  });

const price = Joi.string()
  .pattern(/^\d{1,12}(\.\d{1,24})?$/)
  .messages({ 'string.pattern.base': 'must be a decimal number as text, such as "0.35"' });

const override = Joi.object<OverrideInput>({
  service: Joi.string()
    .valid(...services)
    .required(),
  discount_percent: discount.description('A discount on all list prices of the service.'),
  item: Joi.string().max(200).description('`standard` or `fifo`; `requests`, `x86_64` or `arm64`; the id of a model.'),
  kind: Joi.string()
    .valid(...inferenceKinds)
    .description('The kind of an inference price.'),
  region: Joi.string()
    .max(100)
    .allow(null)
    .description('A region code, `geo` or `global`. Default: wherever the item is priced.'),
  price: price.description('In USD: per million requests or invocations, per GB-second, per thousand tokens.'),
  note: Joi.string()
    .allow('')
    .max(500)
    .default('')
    .description('A note, such as the contract that the price comes from.'),
});

export const overridesInput = Joi.object<OverridesInput>({
  overrides: Joi.array().items(override).max(maxOverrides).required(),
});
