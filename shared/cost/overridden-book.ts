// The price book with the own prices and discounts of this installation.

import { type Money, mbMsPerGbSecond, parseDecimal, unitPrice } from './money.ts';
import {
  type FunctionPrices,
  type InferencePrices,
  type Model,
  nameOfKind,
  type PriceBook,
  type PricedTier,
} from './price-book.ts';
import { bookUnit, inferenceKinds, type PriceLineId } from './price-line.ts';
import type { PriceOverride } from './price-overrides.model.ts';

/** The book with the overrides in place of its own prices. */
export function withOverrides(list: PriceBook, overrides: readonly PriceOverride[], revision: number): PriceBook {
  if (overrides.length === 0) return list;
  const find = (line: PriceLineId) => findOverride(overrides, line);
  const models = new Map<string, Model>();
  return {
    ...list,
    key: `${list.key} ${revision}`,
    overrides,
    overridden: { list, find },
    model: (id) => {
      const model = models.get(id) ?? overrideModel(list, id, overrides, find);
      if (model) models.set(id, model);
      return model;
    },
    queue: {
      ...list.queue,
      knownTiers: (scope, item) => {
        const line = { service: 'queue', scope, item, kind: 'request' } as const;
        return overrideTiers(list.queue.knownTiers(scope, item), find(line), line);
      },
    },
    function: {
      ...list.function,
      prices: (scope) => {
        const prices = list.function.prices(scope);
        return prices && overrideFunction(prices, scope, find);
      },
    },
  };
}

type Find = (line: PriceLineId) => PriceOverride | undefined;

/** An own price comes before a discount, and that of the Region before that of all. */
function findOverride(overrides: readonly PriceOverride[], line: PriceLineId): PriceOverride | undefined {
  const own = overrides.filter(
    ({ service, price }) => price && service === line.service && price.item === line.item && price.kind === line.kind,
  );
  return (
    own.find(({ price }) => price?.region === line.scope) ??
    own.find(({ price }) => price?.region === null) ??
    overrides.find(({ service, discountPercent }) => discountPercent !== null && service === line.service)
  );
}

const percentDecimals = 2;
const wholePercent = 10n ** BigInt(percentDecimals + 2);

/** The price of one unit under an override; undefined without a price. */
function overridePrice(price: Money | undefined, override: PriceOverride | undefined, line: PriceLineId) {
  if (override?.price) return ownUnitPrice(override.price.amount, line);
  if (!override?.discountPercent || price === undefined) return price;
  return (price * (wholePercent - parseDecimal(override.discountPercent, percentDecimals))) / wholePercent;
}

/** @throws RangeError if the amount has more digits than the price book holds. */
function ownUnitPrice(amount: string, { service, kind }: Pick<PriceLineId, 'service' | 'kind'>): Money {
  return unitPrice(amount, kind === 'gb_second' ? mbMsPerGbSecond : 10n ** BigInt(bookUnit({ service, kind }).power));
}

/** An own price applies to all tiers, and to units whose price the book does not know. */
function overrideTiers(
  tiers: readonly PricedTier[],
  override: PriceOverride | undefined,
  line: PriceLineId,
): readonly PricedTier[] {
  if (!override) return tiers;
  const known = tiers.map(({ to, price }) => ({ to, price: overridePrice(price, override, line) ?? price }));
  if (!override.price || known.at(-1)?.to === null) return known;
  return [...known, { to: null, price: ownUnitPrice(override.price.amount, line) }];
}

function overrideFunction({ perInvocation, compute }: FunctionPrices, scope: string, find: Find): FunctionPrices {
  const requests = { service: 'function', scope, item: 'requests', kind: 'request' } as const;
  const tiersOf = (item: keyof FunctionPrices['compute']) => {
    const line = { service: 'function', scope, item, kind: 'gb_second' } as const;
    return overrideTiers(compute[item], find(line), line);
  };
  return {
    perInvocation: overridePrice(perInvocation, find(requests), requests) ?? perInvocation,
    compute: { x86_64: tiersOf('x86_64'), arm64: tiersOf('arm64') },
  };
}

/** A Region with an own price has the prices of all commercial Regions for the other kinds. */
function overrideModel(
  list: PriceBook,
  id: string,
  overrides: readonly PriceOverride[],
  find: Find,
): Model | undefined {
  const model = list.model(id);
  if (!model) return undefined;
  const pricesIn = (scope: string) =>
    model.prices.get(scope) ?? (list.region(scope)?.partition === 'aws' ? model.prices.get('geo') : undefined);
  const own = overrides.flatMap(({ price }) => (price?.item === id && price.region !== null ? price.region : []));
  const prices = [...new Set([...model.prices.keys(), ...own])].flatMap((scope) => {
    const known = pricesIn(scope);
    return known ? [[scope, overrideTokens(known, { service: 'inference', scope, item: id }, find)] as const] : [];
  });
  return { ...model, prices: new Map(prices) };
}

function overrideTokens(
  { uncertain, ...list }: InferencePrices,
  line: Omit<PriceLineId, 'kind'>,
  find: Find,
): InferencePrices {
  const prices = { ...list };
  const left = new Set(uncertain);
  for (const kind of inferenceKinds) {
    const name = nameOfKind[kind];
    const override = find({ ...line, kind });
    const price = overridePrice(list[name], override, { ...line, kind });
    if (price !== undefined) prices[name] = price;
    if (override?.price) left.delete(name);
  }
  return { ...prices, ...(left.size > 0 && { uncertain: left }) };
}

const units: Readonly<Partial<Record<PriceLineId['kind'], string>>> = {
  request: 'million requests',
  gb_second: 'GB-second',
};

/** The unit of an own price: that of the price book. */
export const unitOf = (kind: PriceLineId['kind']): string => units[kind] ?? 'thousand tokens';

/** One line for audit records and reports. */
export function summarizeOverride(override: Omit<PriceOverride, 'id' | 'setBy' | 'setAt'>): string {
  const { service, discountPercent, price } = override;
  if (!price) return `${service}: ${discountPercent} % discount`;
  const { item, kind, region, amount } = price;
  const name = [service, item, ...(service === 'inference' ? [kind] : []), region ?? 'all regions'].join(' ');
  return `${name}: ${amount} USD per ${unitOf(kind)}`;
}

/** The rule of a line with an override. */
export function describeOverride({ discountPercent, price }: PriceOverride): string {
  if (!price) return `A discount of ${discountPercent} per cent on the list price.`;
  return `An own price of ${price.amount} USD per ${unitOf(price.kind)}, less the list price if there is one.`;
}
