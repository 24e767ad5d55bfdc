import type { CustomHelpers } from 'joi';
import { type Static, Type } from 'typebox';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { bookUnit, inferenceKinds, type PriceLineId, services } from '../../shared/cost/price-line.ts';
import type { PriceOverride } from '../../shared/cost/price-overrides.model.ts';
import { unknownModel, unknownRegion } from '../../shared/cost/unknown-name.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { mustBeOneOf } from '../../shared/quoted.ts';
import { architectures, queueTypes } from '../../shared/scenarios/assumptions.ts';
import { Joi } from '../http/joi.ts';
import { nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';

interface OverrideInput {
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

export type NewOverride = Omit<PriceOverride, 'id' | 'setBy' | 'setAt'>;

/** @throws AppError VALIDATION_ERROR that lists every override that cannot be applied. */
export function checkOverrides(inputs: readonly OverrideInput[], names: KnownNames): NewOverride[] {
  const errors: FieldError[] = [];
  const overrides = inputs.map((input, at) => {
    const found = errorsOf(input, names);
    errors.push(...found.map(({ field, error }) => ({ field: `overrides[${at}].${field}`, error })));
    return toOverride(input);
  });
  for (const [at, override] of overrides.entries()) {
    const earlier = overrides.slice(0, at).findIndex((other) => isSamePrice(other, override));
    if (earlier === -1) continue;
    errors.push({ field: `overrides[${at}]`, error: `is for the same price as overrides[${earlier}]` });
  }
  if (errors.length > 0) throw validationError(errors);
  return overrides;
}

function errorsOf(input: OverrideInput, names: KnownNames): FieldError[] {
  const { service, discount_percent: discount, item, kind, region, price } = input;
  const errors: FieldError[] = [];
  const require = (isValid: boolean, field: keyof OverrideInput, error: string) => {
    if (!isValid) errors.push({ field, error });
  };
  if (discount !== undefined) {
    for (const [field, value] of Object.entries({ item, kind, region, price })) {
      require(value === undefined, field as keyof OverrideInput, 'must be absent with discount_percent');
    }
    return errors;
  }
  if (price === undefined) return [...errors, { field: 'price', error: 'is required without discount_percent' }];
  const ofInference = service === 'inference';
  const items: readonly string[] = service === 'queue' ? queueTypes : ['requests', ...architectures];
  const isItem = ofInference ? names.hasModel(item ?? '') : items.includes(item ?? '');
  if (item === undefined) require(false, 'item', 'is required with price');
  else if (!isItem) require(false, 'item', ofInference ? unknownModel(item, names) : mustBeOneOf(items, item));
  require(ofInference === (kind !== undefined), 'kind', ofInference ? 'is required' : 'must be absent');
  const isScope = ofInference && (region === 'geo' || region === 'global');
  if (region && !isScope && !names.hasRegion(region)) require(false, 'region', unknownRegion(region, names));
  const { maxDecimals } = bookUnit({ kind: kindOf(input) });
  const decimals = price.split('.')[1]?.length ?? 0;
  require(decimals <= maxDecimals, 'price', `must have at most ${maxDecimals} decimals`);
  return errors;
}

/** The kind of a price that is not one of inference follows from its item. */
function kindOf({ service, item, kind = 'input' }: OverrideInput): PriceLineId['kind'] {
  if (service === 'inference') return kind;
  return service === 'queue' || item === 'requests' ? 'request' : 'gb_second';
}

function toOverride(input: OverrideInput): NewOverride {
  const { service, discount_percent: discountPercent = null, item = '', region = null, price } = input;
  return {
    service,
    discountPercent,
    price: price === undefined ? null : { item, kind: kindOf(input), region, amount: price },
    note: input.note,
  };
}

function isSamePrice(one: NewOverride, other: NewOverride): boolean {
  if (one.service !== other.service || !one.price !== !other.price) return false;
  const [first, second] = [one.price, other.price];
  return first?.item === second?.item && first?.kind === second?.kind && first?.region === second?.region;
}

export const overrideResponse = Type.Object(
  {
    id: uuid(),
    service: oneOf(services),
    discount_percent: nullable(Type.String(), { description: 'Null if it is a price.' }),
    item: nullable(Type.String(), { description: 'Null if it is a discount on the service.' }),
    kind: nullable(Type.String()),
    region: nullable(Type.String(), { description: 'Null: wherever the item is priced.' }),
    price: nullable(Type.String(), { description: 'In USD per `unit`.' }),
    unit: nullable(Type.String()),
    note: Type.String(),
    set_by: uuid(),
    set_at: timestamp(),
  },
  { $id: 'PriceOverride' },
);

export const overridesResponse = Type.Object({ overrides: Type.Array(overrideResponse) }, { $id: 'PriceOverrides' });

export function presentOverride(override: PriceOverride): Static<typeof overrideResponse> {
  const { id, service, discountPercent, price, note, setBy, setAt } = override;
  return {
    id,
    service,
    discount_percent: discountPercent,
    item: price?.item ?? null,
    kind: price?.kind ?? null,
    region: price?.region ?? null,
    price: price?.amount ?? null,
    unit: price && bookUnit(price).name,
    note,
    set_by: setBy,
    set_at: setAt.toISOString(),
  };
}
