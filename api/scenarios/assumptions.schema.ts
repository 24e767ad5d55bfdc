import type { ObjectSchema } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { versionForm } from '../../shared/cost/price-book-file.ts';
import { unknownModel, unknownRegion, unknownVersion } from '../../shared/cost/unknown-name.ts';
import { type Assumptions, architectures, queueTypes } from '../../shared/scenarios/assumptions.ts';
import {
  cacheLifetimes,
  inferenceProfiles,
  inferenceTiers,
  levelClasses,
  type Pipeline,
  pipelineRanges,
} from '../../shared/scenarios/pipeline.ts';
import { Joi, knownName, number } from '../http/input.ts';

// Versions of the price book can add names at any time.

export const regionCode = (names: KnownNames) =>
  knownName(
    (code) => names.regionCodes.has(code),
    (code) => unknownRegion(code, names),
    { examples: ['eu-west-1'] },
  );

export const modelId = (names: KnownNames) =>
  knownName(
    (id) => names.modelIds.has(id),
    (id) => unknownModel(id, names),
    { examples: ['amazon.nova-lite-v1:0'] },
  );

/** The name of a version; whether it exists is the handler's to find out. */
export const priceBookVersion = () =>
  knownName((version) => versionForm.test(version), unknownVersion, { pattern: versionForm.source });

/**
 * A pipeline by its fields. Combinations are refused by `pipelineErrors`, because some depend on
 * the model and the region.
 */
const pipelineSchema = () => {
  const { queue, function: fn, inference, sample_percent: sample, retry_percent: retry } = pipelineRanges;
  return Joi.object<Pipeline>({
    levels: levels().description('Only entries of these levels are sent to the queue. Default: all levels.'),
    sample_percent: integer(sample).description('The share of them that is sent. Default: 100.'),
    retry_percent: integer(retry).description('Invocations that run a second time. Default: 0.'),
    queue: Joi.object({
      send_batch: integer(queue.send_batch).description('Messages in one send action. Default: 1.'),
      pollers: integer(queue.pollers).description(
        'Long polls of 20 s that the mapping of queue and function keeps open while nothing arrives. Default: 5.',
      ),
    }),
    function: Joi.object({
      batch_size: integer(fn.batch_size).description('The most messages of one invocation. Default: 1.'),
      window_seconds: integer(fn.window_seconds).description(
        'How long messages are gathered for an invocation. Default: 0.',
      ),
      overhead_ms: integer(fn.overhead_ms).description(
        'Billed time of an invocation in addition to that of its entries. Default: 0.',
      ),
      init_ms: integer(fn.init_ms).description('Billed time of an initialisation. Default: 0.'),
      cold_start_percent: integer(fn.cold_start_percent).description('Invocations that pay `init_ms`. Default: 0.'),
    }),
    inference: Joi.object({
      levels: levels().description('Only delivered entries of these levels reach the model. Default: all levels.'),
      sample_percent: integer(inference.sample_percent).description('The share of them. Default: 100.'),
      entries_per_call: integer(inference.entries_per_call).description('Entries in one model call. Default: 1.'),
      prompt_tokens: integer(inference.prompt_tokens).description(
        'Tokens of the instruction of each call. Default: 0.',
      ),
      cache_ttl: Joi.string()
        .valid(...cacheLifetimes)
        .description('How long a cached instruction lives after its last use.'),
      cache_prompt: Joi.boolean()
        .strict()
        .description('Whether the instruction is cached, for five minutes from its last use. Default: false.'),
      output_tokens_per_call: integer(inference.output_tokens_per_call).description(
        'Default: the tokens that entries report, or the scenario assumes for each entry.',
      ),
      tier: Joi.string()
        .valid(...inferenceTiers)
        .description('Calls on demand, or batch jobs at batch prices. Default: standard.'),
      profile: Joi.string()
        .valid(...inferenceProfiles)
        .description('`global` takes the prices of the global profile. Default: regional.'),
    }),
  }).description('How the pipeline batches, waits, polls, filters, samples, retries, prompts and caches.');
};

const integer = ({ min, max }: { min: number; max: number }) => number().integer().min(min).max(max);

const levels = () =>
  Joi.array()
    .items(Joi.string().valid(...levelClasses))
    .min(1)
    .unique()
    .messages({ 'array.min': 'must contain at least one level', 'array.unique': 'must not contain a level twice' });

/** In Unicode code points. */
export const maxNameLength = 100;

/** Assumptions by their fields; `pipelineErrors` refuses combinations. */
export function assumptionsSchema(names: KnownNames): ObjectSchema<Assumptions> {
  return Joi.object<Assumptions>({
    queue: Joi.object({
      type: Joi.string().valid(...queueTypes),
      requests_per_message: integer({ min: 1, max: 100 }),
    }),
    function: Joi.object({
      architecture: Joi.string().valid(...architectures),
      memory_mb: integer({ min: 128, max: 10_240 }),
      duration_ms: number().min(0).max(900_000),
    }),
    inference: Joi.object({
      model: modelId(names),
      output_tokens_per_entry: integer({ min: 0, max: 10_000_000 }),
    }),
    free_tier: Joi.boolean().strict(),
    price_book: priceBookVersion().description(
      'The version of the price book. Default: the newest one when the scenario leaves `draft`.',
    ),
    pipeline: pipelineSchema(),
  });
}
