import type { ObjectSchema } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { type Assumptions, architectures, queueTypes } from '../../shared/scenarios/assumptions.ts';
import { Joi, number } from '../http/joi.ts';
import { pipelineSchema } from './pipeline.schemas.ts';
import { modelId, priceBookVersion } from './price-book.schemas.ts';

/** In Unicode code points. */
export const maxNameLength = 100;

/** The ranges of the assumptions that are numbers. */
export const assumptionRanges = {
  requests_per_message: { min: 1, max: 100 },
  memory_mb: { min: 128, max: 10_240 },
} as const;

/** Assumptions by their fields; `pipelineErrors` refuses combinations. */
export function assumptionsSchema(names: KnownNames): ObjectSchema<Assumptions> {
  const { requests_per_message: requests, memory_mb: memory } = assumptionRanges;
  return Joi.object<Assumptions>({
    queue: Joi.object({
      type: Joi.string().valid(...queueTypes),
      requests_per_message: number().integer().min(requests.min).max(requests.max),
    }),
    function: Joi.object({
      architecture: Joi.string().valid(...architectures),
      memory_mb: number().integer().min(memory.min).max(memory.max),
      duration_ms: number().min(0).max(900_000),
    }),
    inference: Joi.object({
      model: modelId(names),
      output_tokens_per_entry: number().integer().min(0).max(10_000_000),
    }),
    free_tier: Joi.boolean().strict(),
    price_book: priceBookVersion().description(
      'The version of the price book. Default: the newest one when the scenario leaves `draft`.',
    ),
    pipeline: pipelineSchema(),
  });
}
