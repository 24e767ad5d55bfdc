// The parts of which the usage of a pipeline consists, by name.
import { type Exact, sumOf } from './exact.ts';
import type { PipelineSums } from './pipeline-sums.ts';

export const pipelinePartNames = [
  'sends',
  'receives',
  'retried_receives',
  'deletes',
  'empty_receives',
  'invocations',
  'retried_invocations',
  'cold_starts',
  'entry_compute',
  'retried_compute',
  'overhead_compute',
  'init_compute',
  'calls',
  'retried_calls',
  'entry_tokens',
  'retried_tokens',
  'prompt_tokens',
  'cache_write_tokens',
  'cache_read_tokens',
  'output_tokens',
  'retried_output_tokens',
] as const;
export type PipelinePartName = (typeof pipelinePartNames)[number];

/** MB·ms for compute. */
export function partsOf({ queue, function: runs, inference }: PipelineSums): Readonly<Record<PipelinePartName, Exact>> {
  return {
    sends: queue.sends,
    receives: queue.receives,
    retried_receives: queue.retriedReceives,
    deletes: queue.deletes,
    empty_receives: queue.emptyReceives,
    invocations: runs.invocations,
    retried_invocations: runs.retries,
    cold_starts: runs.coldStarts,
    entry_compute: sumOf(runs.entryMbMs, ({ mbMs }) => mbMs),
    retried_compute: sumOf(runs.entryMbMs, ({ retried }) => retried),
    overhead_compute: runs.overheadMbMs,
    init_compute: runs.initMbMs,
    calls: sumOf(inference, ({ calls }) => calls),
    retried_calls: sumOf(inference, ({ retries }) => retries),
    entry_tokens: sumOf(inference, ({ entryTokens }) => entryTokens),
    retried_tokens: sumOf(inference, ({ retriedTokens }) => retriedTokens),
    prompt_tokens: sumOf(inference, ({ promptTokens }) => promptTokens),
    cache_write_tokens: sumOf(inference, ({ cacheWriteTokens }) => cacheWriteTokens),
    cache_read_tokens: sumOf(inference, ({ cacheReadTokens }) => cacheReadTokens),
    output_tokens: sumOf(inference, ({ outputTokens }) => outputTokens),
    retried_output_tokens: sumOf(inference, ({ retriedOutputTokens }) => retriedOutputTokens),
  };
}
