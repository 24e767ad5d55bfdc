// The rules of a pipeline in words, with the values of its assumptions.

import type { InvocationLimit } from '../../shared/cost/pipeline/function.ts';
import type { PipelinePartName } from '../../shared/cost/pipeline/pipeline-parts.ts';
import type { PipelineSums } from '../../shared/cost/pipeline/pipeline-sums.ts';
import type { ChargeItem } from '../../shared/cost/price-month.ts';
import { levelClasses } from '../../shared/scenarios/level-class.ts';
import type { CompletePipeline } from '../../shared/scenarios/pipeline.ts';

/** The rules of the amounts, in place of those of single entries. */
export const pipelineItemRules: Readonly<Partial<Record<ChargeItem, string>>> = {
  requests:
    'Sends, receives with those of retries, deletes and empty polls: see `pipeline`. An action with a payload is one request per started 64 KiB. Tiers apply to the requests of a month, by queue type.',
  invocations: 'Invocations and their retries: see `pipeline`.',
  compute:
    'GB-seconds: memory in GB (1,024 MB) times billed seconds of entries, retries, overhead and initialisation: see `pipeline`. Tiers apply to the GB-seconds of a month, by architecture.',
  input_tokens: 'Tokens of the entries, of retries, and of instructions that are not cached: see `pipeline`.',
  output_tokens: 'Output tokens of all calls: see `pipeline`.',
  cache_read_tokens: 'Tokens of the instruction that calls read from the prompt cache: see `pipeline`.',
  cache_write_tokens:
    'Tokens of the instruction that calls write to the prompt cache, for five minutes: see `pipeline`.',
  cache_write_1h_tokens: 'Tokens of the instruction that calls write to the prompt cache, for an hour: see `pipeline`.',
};

const limits: Readonly<Record<InvocationLimit, string>> = {
  none: 'no entries arrived',
  entries: 'each entry is an invocation of its own',
  batch_size: 'batches are full before their window ends',
  window: 'windows end before their batch is full',
  payload: 'an invocation takes 6 MiB at most, with 1 KiB around each message',
  duration: 'an invocation lasts 900 s at most',
};

/** How each part of the usage comes about, and why it is as large as it is. */
export function pipelineRules(
  { queue, function: fn, inference, ...pipeline }: CompletePipeline,
  { mainLimit }: PipelineSums,
): Readonly<Record<PipelinePartName, string>> {
  const actionBatch = Math.min(fn.batch_size, 10);
  const window = fn.window_seconds === 0 ? 'without a window' : `in a window of ${fn.window_seconds} s`;
  const retried = `${pipeline.retry_percent} % of them, for invocations that run a second time.`;
  const callSize = Math.min(inference.entries_per_call, fn.batch_size);
  const retriedCalls =
    inference.tier === 'batch' ? 'A batch job is not called from the function, so it has no retries.' : retried;
  return {
    sends: `${entriesText(pipeline)} ${
      queue.send_batch === 1 ? 'Each message is one send.' : `A send has up to ${queue.send_batch} messages.`
    }`,
    receives:
      actionBatch === 1
        ? 'Each message is one receive.'
        : `A receive returns the messages of one second, up to ${actionBatch}.`,
    retried_receives: retried,
    deletes:
      actionBatch === 1
        ? 'Each message is one delete.'
        : `The messages of an invocation are deleted together, up to ${actionBatch} at once.`,
    empty_receives: `${queue.pollers} pollers each wait 20 s in the seconds without messages, also in hours without entries.`,
    invocations: `Up to ${fn.batch_size} messages ${window}: ${limits[mainLimit]}.`,
    retried_invocations: retried,
    cold_starts: `${fn.cold_start_percent} % of all invocations pay the initialisation.`,
    entry_compute: 'Billed time of the entries times memory.',
    retried_compute: retried,
    overhead_compute: `${fn.overhead_ms} ms of each invocation, in addition to the time of its entries.`,
    init_compute: `${fn.init_ms} ms of each cold start.`,
    calls: callsText(inference, callSize, fn.batch_size),
    retried_calls: retriedCalls,
    entry_tokens: `Tokens of the entries that reach the model. ${entriesText(inference)}`,
    retried_tokens: retriedCalls,
    prompt_tokens: inference.cache_prompt
      ? 'The instruction is cached.'
      : `${inference.prompt_tokens} tokens of the instruction in each call.`,
    cache_write_tokens: inference.cache_prompt
      ? `${inference.prompt_tokens} tokens whenever no call has used the cache for ${inference.cache_ttl === '1h' ? 'an hour.' : 'its lifetime (five minutes, unless the model has another one), and once an hour.'}`
      : 'The instruction is not cached.',
    cache_read_tokens: inference.cache_prompt
      ? `${inference.prompt_tokens} tokens in each of the other calls.`
      : 'The instruction is not cached.',
    output_tokens:
      inference.output_tokens_per_call === undefined
        ? 'As entries report them, or the scenario assumes them for an entry.'
        : `${inference.output_tokens_per_call} tokens in each call.`,
    retried_output_tokens: retriedCalls,
  };
}

function entriesText({ levels, sample_percent: percent }: Pick<CompletePipeline, 'levels' | 'sample_percent'>): string {
  const which = levels.length === levelClasses.length ? 'All entries' : `Entries of ${levels.join(', ')}`;
  return percent === 100 ? `${which}.` : `${which}, of which ${percent} %.`;
}

function callsText(
  { tier, entries_per_call: perCall }: CompletePipeline['inference'],
  size: number,
  batchSize: number,
): string {
  if (tier === 'batch') return `A record of a batch job has up to ${perCall} entries of the hour.`;
  const bounded = size < perCall ? `, because no call spans two invocations of up to ${batchSize} messages` : '';
  return size === 1 ? `One call per entry${bounded}.` : `Up to ${size} entries of an invocation in one call${bounded}.`;
}
