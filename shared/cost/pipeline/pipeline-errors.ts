// Pipelines that cannot be built, or have no price: combinations of fields, beyond their ranges.
import type { FieldError } from '../../errors.ts';
import { type Assumptions, applyDefaults, type CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { offersBatch, type PriceBook } from '../price-book.ts';
import { hasTokenPrice } from '../token-price.ts';

/** The error of a field that makes a call larger than the context window of a model. */
export const tooLarge = (model: string, window: number): string =>
  `must be less: a call does not fit the context window of ${model}, ${window} tokens of input and output`;

/** Messages of a batch that a mapping takes without a window, or from a FIFO queue. */
const maxUngathered = 10;

/**
 * The combinations of fields that are refused.
 * @param field the path of the assumptions, which precedes the fields.
 */
export function pipelineErrors(
  { region, assumptions }: { region: string; assumptions: Assumptions },
  book: PriceBook,
  field = 'assumptions',
): FieldError[] {
  const complete = applyDefaults(assumptions);
  const { pipeline } = complete;
  if (pipeline === undefined) return [];
  const errors = [...batchErrors(pipeline, complete.queue), ...inferenceErrors(pipeline, complete, region, book)];
  return errors.map(([name, error]) => ({ field: `${field}.pipeline.${name}`, error }));
}

type PipelineError = readonly [field: string, error: string];

function* batchErrors(
  { function: fn }: CompletePipeline,
  queue: CompleteAssumptions['queue'],
): Generator<PipelineError> {
  const { batch_size: size, window_seconds: seconds } = fn;
  if (queue.type === 'fifo') {
    if (size > maxUngathered) yield ['function.batch_size', 'must be at most 10 with a FIFO queue'];
    if (seconds > 0) yield ['function.window_seconds', 'must be 0 with a FIFO queue, which has no window'];
  } else if (seconds < 1 && size > maxUngathered) {
    yield ['function.window_seconds', 'must be at least 1 with a batch_size of more than 10'];
  }
}

function* inferenceErrors(
  { inference }: CompletePipeline,
  { inference: { model: id } }: CompleteAssumptions,
  region: string,
  book: PriceBook,
): Generator<PipelineError> {
  const model = book.model(id);
  const { tier, profile } = inference;
  if (profile === 'global' && !hasTokenPrice(book, id, region, 'input', { profile })) {
    yield ['inference.profile', `must be regional: the price book has no price of the global profile for ${id}`];
  }
  if (
    tier === 'batch' &&
    !(model && offersBatch(model)) &&
    !hasTokenPrice(book, id, region, 'input', { tier, profile })
  ) {
    yield ['inference.tier', `must be standard: the price book has no batch prices for ${id}`];
  }
  const window = model?.context_window ?? Infinity;
  if (inference.prompt_tokens + (inference.output_tokens_per_call ?? 0) > window) {
    yield ['inference.prompt_tokens', tooLarge(id, window)];
  }
  if (!inference.cache_prompt) return;
  const kinds = ['cache_read', `cache_write_${inference.cache_ttl}`] as const;
  const refuse = (error: string): PipelineError => ['inference.cache_prompt', error];
  if (tier === 'batch') yield refuse('must be false with the batch tier');
  else if (inference.prompt_tokens === 0) yield refuse('must be false without prompt_tokens');
  else if (!kinds.every((kind) => hasTokenPrice(book, id, region, kind, { profile }))) {
    const cached = inference.cache_ttl === '1h' ? 'prices of a cache of an hour' : 'cache prices';
    yield refuse(`must be false: the price book has no ${cached} for ${id} in ${region}`);
  } else if (inference.prompt_tokens < (model?.cache_min_tokens ?? 0)) {
    yield ['inference.prompt_tokens', `must be at least ${model?.cache_min_tokens} to be cached by ${id}`];
  }
}

/** The effects that the usage of a pipeline leaves out. */
export const pipelineNotes: readonly string[] = [
  'Entries are spread evenly over those seconds of an hour that have any.',
  'Batches of the function do not reach into the next hour. Sends are filled over the whole hour.',
  'After a quiet time, up to five invocations start at once, which is not counted.',
  'A sample keeps a cached prompt in use as long as all entries would. For the observed entries, one of five minutes is written anew in each hour.',
  'Calls of one model keep the cached prompt of another in use.',
  'Another volume leaves the rhythm of the cached prompt as it was observed.',
  'Near the observed volume, evenly filled windows can differ from the observed ones.',
  'A batch job can need a least number of records.',
  'The time in which the function waits for the model counts only as part of duration_ms.',
];
