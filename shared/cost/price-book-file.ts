// The file of a price book: its form, and the version that follows from its content. That of the
// code is edited by hand, so errors name the field of a mistyped price or an unknown Region.
import canonicalize from 'canonicalize';
import { type Static, type TProperties, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { sha256 } from '../crypto/sha256.ts';
import { type InferenceKind, inferenceKinds, newestDay, pricePlaces } from './price-line.ts';

/** Without unknown fields. */
const object = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false });
const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const positive = Type.Integer({ minimum: 1 });
const twoLimits = Type.Array(positive, { minItems: 2, maxItems: 2 });
const sourceIds = Type.Array(text, { minItems: 1 });
/** Binary numbers cannot represent prices. `pricePlaces` checks that it is a decimal string. */
const price = Type.Unsafe<string>({});

const queueTiers = object({
  /** False if the prices above the last limit are unknown. */
  tiers_complete: Type.Boolean(),
  tiers: Type.Array(object({ to_requests: Type.Union([positive, Type.Null()]), price_per_million: price }), {
    minItems: 1,
  }),
});
export type QueueTiersFile = Static<typeof queueTiers>;

export type InferencePricesFile = { input_per_1k: string; output_per_1k: string } & {
  [Kind in InferenceKind as `${Kind}_per_1k`]?: string;
};
const inferencePrices = Type.Unsafe<InferencePricesFile>(
  object({
    ...Object.fromEntries(inferenceKinds.map((kind) => [`${kind}_per_1k`, Type.Optional(price)])),
    input_per_1k: price,
    output_per_1k: price,
  }),
);

/** The evidence of one price. */
const evidence = object({
  /** The day from which the price applies; null if the source does not tell it. */
  effective_from: Type.Union([text, Type.Null()]),
  as_of: text,
  sources: sourceIds,
});
export type PriceEvidenceFile = Static<typeof evidence>;

/** The status of a model that only a second source names. Costs at its prices are estimates. */
export const secondSource = 'second_source';

const model = object({
  id: text,
  name: text,
  provider: text,
  kind: text,
  status: text,
  as_of: text,
  sources: sourceIds,
  note: Type.Optional(text),
  /** The shortest prompt that can be cached, if a source names it. */
  cache_min_tokens: Type.Optional(positive),
  cache_min_sources: Type.Optional(sourceIds),
  /** The ordinary lifetime of a cached prompt, if it is not 300 seconds. */
  cache_seconds: Type.Optional(positive),
  /**
   * The tokens that a call can hold, input and output together. Limits of a call are entered by
   * hand, because vendors' lists lack them.
   */
  context_window: Type.Optional(positive),
  /**
   * The `long` prices apply to every token of a call with more input tokens than this, cached ones
   * among them. Absent if the model has one price for calls of any size.
   */
  long_context_above: Type.Optional(positive),
  limits_as_of: Type.Optional(text),
  limits_sources: Type.Optional(sourceIds),
  tokenizer: object({
    encoding: Type.Literal('o200k_base'),
    multiplier: Type.String({ pattern: '^\\d+(\\.\\d{1,2})?$' }),
    exact: Type.Boolean(),
    basis: text,
  }),
  prices: Type.Record(text, inferencePrices),
});
const priceBookFile = object({
  /** A label for people. The name of a version follows from its content. */
  version: Type.Optional(text),
  as_of: text,
  currency: Type.Literal('USD'),
  notes: Type.Array(text),
  sources: Type.Array(
    object({ id: text, title: text, publisher: text, version: text, retrieved_via: text, supports: text }),
  ),
  regions: Type.Array(object({ code: text, name: text, partition: text })),
  /** By `service scope item kind`, where it differs from that of the Region, service or model. */
  evidence: Type.Optional(Type.Record(text, evidence)),
  queue: object({
    as_of: text,
    sources: sourceIds,
    free_requests_per_month: count,
    regions: Type.Record(
      text,
      object({
        as_of: text,
        sources: sourceIds,
        standard: Type.Optional(queueTiers),
        fifo: Type.Optional(queueTiers),
      }),
    ),
  }),
  function: object({
    as_of: text,
    rechecked: text,
    sources: sourceIds,
    free_requests_per_month: count,
    free_gb_seconds_per_month: count,
    tier_limits_gb_seconds: object({ x86_64: twoLimits, arm64: twoLimits }),
    regions: Type.Record(
      text,
      object({
        request_price_per_million: price,
        x86_64_prices_per_gb_second: Type.Array(price, { minItems: 3, maxItems: 3 }),
        arm64_prices_per_gb_second: Type.Array(price, { minItems: 3, maxItems: 3 }),
        ephemeral_storage_price_per_gb_second: text,
      }),
    ),
  }),
  inference: object({ as_of: text, models: Type.Array(model) }),
});
export type PriceBookFile = Static<typeof priceBookFile>;

/**
 * Validates the parsed JSON of a price book.
 * @throws Error that lists every error with its field:
 * `price book: "queue.regions.us-east-1…" must be a decimal string`.
 */
export function checkPriceBookFile(content: unknown): PriceBookFile {
  const errors = formErrors(content);
  for (const { fault, path } of pricePlaces(content)) if (fault !== undefined) errors.push(`"${path}" ${fault}`);
  const file = content as PriceBookFile;
  if (errors.length === 0) errors.push(...nameErrors(file), ...tierErrors(file), ...modelErrors(file));
  if (errors.length > 0) throw new Error(`price book: ${errors.join('. ')}`);
  return file;
}

function formErrors(content: unknown): string[] {
  return Errors(priceBookFile, content).flatMap(({ keyword, instancePath, message }) => {
    // An unknown field has an error of its own.
    if (keyword === 'additionalProperties') return [];
    const field = instancePath.slice(1).replaceAll('/', '.');
    return `"${field}" ${keyword === 'boolean' ? 'is not allowed' : message}`;
  });
}

/** Names of Regions and sources that the book does not have, and names that it has twice. */
function* nameErrors(file: PriceBookFile): Generator<string> {
  const { models } = file.inference;
  const codes = file.regions.map(({ code }) => code);
  const sources = file.sources.map(({ id }) => id);
  for (const names of [codes, sources, models.map(({ id }) => id)]) {
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) yield `"${twice}" is there twice`;
  }
  const scopes = [file.queue.regions, file.function.regions, ...models.map(({ prices }) => prices)];
  const known = new Set([...codes, 'geo', 'global']);
  for (const scope of scopes.flatMap(Object.keys)) if (!known.has(scope)) yield `"${scope}" is not one of the regions`;
  for (const [path, id] of namedSources({ ...file, sources: [] })) {
    if (!sources.includes(id)) yield `"${path}" is not the id of a source: ${id}`;
  }
}

/** The ids in all lists of sources, with their paths. */
function* namedSources(value: object, path = ''): Generator<readonly [string, string]> {
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'string' && path.endsWith('sources')) yield [`${path}.${key}`, part];
    if (typeof part === 'object' && part !== null) yield* namedSources(part, path === '' ? key : `${path}.${key}`);
  }
}

function* tierErrors({ queue }: PriceBookFile): Generator<string> {
  for (const [code, { standard, fifo }] of Object.entries(queue.regions)) {
    for (const { tiers, tiers_complete: isComplete } of [standard ?? [], fifo ?? []].flat()) {
      const limits = tiers.map(({ to_requests: to }) => to ?? Infinity);
      const isAscending = limits.every((limit, index) => index === 0 || limit > (limits[index - 1] ?? limit));
      if (isAscending && isComplete === (limits.at(-1) === Infinity)) continue;
      yield `"queue.regions.${code}": queue tiers must ascend, and the last one must have no limit if and only if tiers_complete is true`;
    }
  }
}

/** Prices that a model has only together. Without a limit, no call would have the long ones. */
function* modelErrors({ inference }: PriceBookFile): Generator<string> {
  for (const [index, { long_context_above: long, context_window: window = 0, prices }] of inference.models.entries()) {
    const field = `inference.models.${index}`;
    if (long !== undefined && long >= window) yield `"${field}.long_context_above" must be less than context_window`;
    for (const [scope, of] of Object.entries(prices)) {
      for (const kind of ['batch', 'long'] as const) {
        const has = (direction: 'input' | 'output') => `${kind}_${direction}_per_1k` in of;
        if (has('input') !== has('output')) yield `"${field}.prices.${scope}" needs ${kind} prices of input and output`;
      }
      const longKind = Object.keys(of).find((name) => name.startsWith('long_'));
      if (longKind && long === undefined) yield `"${field}.prices.${scope}.${longKind}" needs long_context_above`;
    }
  }
}

/** `2026-10-01-0f3a5c7e9b1d`: the day of the newest evidence, and a digest of the content. */
export const versionForm = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{12}$/;

const digestLength = 12;

/** The name of a version follows from its content, so that the same prices have the same name. */
export function versionOf(file: PriceBookFile): string {
  const digest = sha256(contentOf(file), 'hex').slice(0, digestLength);
  return `${newestDay(file.as_of) ?? '0000-00-00'}-${digest}`;
}

/** The content of a version as JSON, whatever order the fields have, and without a label. */
export function contentOf({ version: _label, ...content }: PriceBookFile): string {
  return canonicalize(content) as string;
}
