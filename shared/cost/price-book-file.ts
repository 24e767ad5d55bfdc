// The file of a price book: its form, the version that follows from its content, and where its
// prices come from. The file of the code is edited by hand, so errors name the field of a mistyped
// price or an unknown Region.
import canonicalize from 'canonicalize';
import Joi from 'joi';
import { sha256 } from '../crypto/sha256.ts';
import { type InferenceKind, inferenceKinds, keyOf, type PriceLineId } from './price-line.ts';

export interface QueueTiersFile {
  /** False if the prices above the last limit are unknown. */
  tiers_complete: boolean;
  tiers: { to_requests: number | null; price_per_million: string }[];
}

export type InferencePricesFile = { input_per_1k: string; output_per_1k: string } & {
  [Kind in InferenceKind as `${Kind}_per_1k`]?: string;
};

/** The evidence of one price. */
export interface PriceEvidenceFile {
  /** The day from which the price applies; null if the source does not tell it. */
  effective_from: string | null;
  as_of: string;
  sources: string[];
  /** Whether the standard price of the model has changed without this one. */
  stale?: true;
}

/** The status of a model that only a second source names. Costs at its prices are estimates. */
export const secondSource = 'second_source';

export interface PriceBookFile {
  /** A label for people. The name of a version follows from its content. */
  version?: string;
  as_of: string;
  currency: 'USD';
  notes: string[];
  sources: { id: string; title: string; publisher: string; version: string; retrieved_via: string; supports: string }[];
  regions: { code: string; name: string; partition: string }[];
  /** By `service scope item kind`, where it differs from that of the Region, service or model. */
  evidence?: Record<string, PriceEvidenceFile>;
  queue: {
    as_of: string;
    sources: string[];
    free_requests_per_month: number;
    regions: Record<string, { as_of: string; sources: string[]; standard?: QueueTiersFile; fifo?: QueueTiersFile }>;
  };
  function: {
    as_of: string;
    rechecked: string;
    sources: string[];
    free_requests_per_month: number;
    free_gb_seconds_per_month: number;
    tier_limits_gb_seconds: { x86_64: number[]; arm64: number[] };
    regions: Record<
      string,
      {
        request_price_per_million: string;
        x86_64_prices_per_gb_second: string[];
        arm64_prices_per_gb_second: string[];
        ephemeral_storage_price_per_gb_second: string;
      }
    >;
  };
  inference: {
    as_of: string;
    models: {
      id: string;
      name: string;
      provider: string;
      kind: string;
      status: string;
      as_of: string;
      sources: string[];
      note?: string;
      /** The shortest prompt that can be cached, if a source names it. */
      cache_min_tokens?: number;
      cache_min_sources?: string[];
      /** The ordinary lifetime of a cached prompt, if it is not 300 seconds. */
      cache_seconds?: number;
      /** Limits of a call, see `Model`. They are entered by hand: no vendor's list has them. */
      context_window?: number;
      long_context_above?: number;
      limits_as_of?: string;
      limits_sources?: string[];
      tokenizer: { encoding: 'o200k_base'; multiplier: string; exact: boolean; basis: string };
      prices: Record<string, InferencePricesFile>;
    }[];
  };
}

const text = Joi.string().required();
const count = Joi.number().integer().min(0).required();

/** A price is a string, because a binary number could not represent it exactly. */
function decimal(maxDecimals: number): Joi.StringSchema {
  return Joi.string()
    .pattern(new RegExp(`^\\d+(\\.\\d{1,${maxDecimals}})?$`))
    .messages({
      'string.base': `{{#label}} must be a decimal string with at most ${maxDecimals} decimals, not {{#value}}`,
      'string.pattern.base': `{{#label}} must be a decimal string with at most ${maxDecimals} decimals, not {{#value}}`,
    });
}

// With more decimals, a price per unit would not be a whole number of 10^-24 USD, which discounts
// rely on.
const pricePerMillion = decimal(18).required();
const pricePerGbSecond = decimal(11).required();
const pricePer1k = decimal(21);

const regionCode = Joi.string().valid(
  Joi.in('/regions', { adjust: (regions: { code: string }[]) => regions.map(({ code }) => code) }),
);
const sources = Joi.array()
  .items(Joi.string().valid(Joi.in('/sources', { adjust: (rows: { id: string }[]) => rows.map(({ id }) => id) })))
  .min(1)
  .required();

/** Prices by Region or profile. Without a limit, no call would have the long ones. */
function inferencePrices(kinds: readonly InferenceKind[]): Joi.ObjectSchema {
  const prices = Joi.object({
    ...Object.fromEntries(kinds.map((kind) => [`${kind}_per_1k`, pricePer1k])),
    input_per_1k: pricePer1k.required(),
    output_per_1k: pricePer1k.required(),
  });
  const pairs = prices.and('batch_input_per_1k', 'batch_output_per_1k').and('long_input_per_1k', 'long_output_per_1k');
  return Joi.object().pattern(regionCode.valid('geo', 'global'), pairs).required();
}

const queueTiers = Joi.object({
  tiers_complete: Joi.boolean().required(),
  tiers: Joi.array()
    .items(Joi.object({ to_requests: count.positive().allow(null), price_per_million: pricePerMillion }))
    .min(1)
    .required(),
});

const priceBookFileSchema = Joi.object<PriceBookFile>({
  version: Joi.string(),
  as_of: text,
  currency: Joi.valid('USD').required(),
  notes: Joi.array().items(Joi.string()).required(),
  sources: Joi.array()
    .items(Joi.object({ id: text, title: text, publisher: text, version: text, retrieved_via: text, supports: text }))
    .unique('id')
    .required(),
  regions: Joi.array()
    .items(Joi.object({ code: text, name: text, partition: text }))
    .unique('code')
    .required(),
  evidence: Joi.object().pattern(
    Joi.string(),
    Joi.object({
      effective_from: Joi.string().allow(null).required(),
      as_of: text,
      sources,
      stale: Joi.valid(true),
    }),
  ),
  queue: Joi.object({
    as_of: text,
    sources,
    free_requests_per_month: count,
    regions: Joi.object()
      .pattern(regionCode, Joi.object({ as_of: text, sources, standard: queueTiers, fifo: queueTiers }))
      .required(),
  }).required(),
  function: Joi.object({
    as_of: text,
    rechecked: text,
    sources,
    free_requests_per_month: count,
    free_gb_seconds_per_month: count,
    tier_limits_gb_seconds: Joi.object({
      x86_64: Joi.array().items(count.positive()).length(2).required(),
      arm64: Joi.array().items(count.positive()).length(2).required(),
    }).required(),
    regions: Joi.object()
      .pattern(
        regionCode,
        Joi.object({
          request_price_per_million: pricePerMillion,
          x86_64_prices_per_gb_second: Joi.array().items(pricePerGbSecond).length(3).required(),
          arm64_prices_per_gb_second: Joi.array().items(pricePerGbSecond).length(3).required(),
          ephemeral_storage_price_per_gb_second: pricePerGbSecond,
        }),
      )
      .required(),
  }).required(),
  inference: Joi.object({
    as_of: text,
    models: Joi.array()
      .items(
        Joi.object({
          id: text,
          name: text,
          provider: text,
          kind: text,
          status: text,
          as_of: text,
          sources,
          note: Joi.string(),
          cache_min_tokens: Joi.number().integer().min(1),
          cache_min_sources: sources.optional(),
          cache_seconds: Joi.number().integer().min(1),
          context_window: Joi.number().integer().min(1),
          long_context_above: Joi.number().integer().min(1).less(Joi.ref('context_window')),
          limits_as_of: Joi.string(),
          limits_sources: sources.optional(),
          tokenizer: Joi.object({
            encoding: Joi.valid('o200k_base').required(),
            multiplier: decimal(2).required(),
            exact: Joi.boolean().required(),
            basis: text,
          }).required(),
          prices: Joi.when('long_context_above', {
            is: Joi.exist(),
            // oxlint-disable-next-line unicorn/no-thenable -- the name is Joi's
            then: inferencePrices(inferenceKinds),
            otherwise: inferencePrices(inferenceKinds.filter((kind) => !kind.startsWith('long_'))),
          }),
        })
          .and('cache_min_tokens', 'cache_min_sources')
          .with('cache_seconds', 'cache_min_sources')
          .and('limits_as_of', 'limits_sources')
          .with('context_window', 'limits_sources')
          .with('long_context_above', ['context_window', 'limits_sources']),
      )
      .unique('id')
      .required(),
  }).required(),
});

/**
 * Validates the parsed JSON of a price book.
 * @throws Error that lists every error with its field:
 * `price book: "queue.regions.us-east-1…" must be a decimal string`.
 */
export function checkPriceBookFile(file: unknown): PriceBookFile {
  const { error, value } = priceBookFileSchema.validate(file, {
    abortEarly: false,
    convert: false,
    presence: 'optional',
  });
  if (error !== undefined) throw new Error(`price book: ${error.message}`);
  return value;
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

/** Where a price comes from: its own evidence, else that of its Region, service or model. */
export function evidenceOf(file: PriceBookFile, line: PriceLineId): PriceEvidenceFile | undefined {
  const own = file.evidence?.[keyOf(line)];
  if (own) return own;
  const common = commonEvidence(file, line);
  return common && { effective_from: null, as_of: common.as_of, sources: common.sources };
}

function commonEvidence({ queue, function: functions, inference }: PriceBookFile, line: PriceLineId) {
  if (line.service === 'queue') return queue.regions[line.scope];
  if (line.service === 'function') return functions;
  return inference.models.find(({ id }) => id === line.item);
}

/** The newest day of a text such as `2025-11-03 (us Regions rechecked 2026-07-24)`. */
export const newestDay = (text: string): string | null =>
  text
    .match(/\d{4}-\d\d-\d\d/g)
    ?.sort()
    .at(-1) ?? null;
