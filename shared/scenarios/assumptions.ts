// The usage that a scenario assumes for log entries that report none. The defaults are choices of
// the simulation, not properties of the services.
import { type CompletePipeline, completePipeline, type Optional, type Pipeline, withDefaults } from './pipeline.ts';

export type QueueType = 'standard' | 'fifo';
export type Architecture = 'x86_64' | 'arm64';

/** Listed in the order in which they consume a shared free amount. */
export const queueTypes = ['standard', 'fifo'] as const satisfies readonly QueueType[];
/** Listed in the order in which they consume a shared free amount. */
export const architectures = ['x86_64', 'arm64'] as const satisfies readonly Architecture[];

/** The assumptions with all defaults applied. */
export interface CompleteAssumptions {
  queue: { type: QueueType; requests_per_message: number };
  function: { architecture: Architecture; memory_mb: number; duration_ms: number };
  inference: { model: string; output_tokens_per_entry: number };
  free_tier: boolean;
  /** The version of the price book. Absent: the newest one when the scenario leaves `draft`. */
  price_book?: string;
  /** Absent: each entry is one message, one invocation and one model call without a prompt. */
  pipeline?: CompletePipeline;
}

/** The assumptions in the form of database and API. Each assumption is optional. */
export interface Assumptions extends Optional<Pick<CompleteAssumptions, 'free_tier' | 'price_book'>> {
  queue?: Optional<CompleteAssumptions['queue']> | undefined;
  function?: Optional<CompleteAssumptions['function']> | undefined;
  inference?: Optional<CompleteAssumptions['inference']> | undefined;
  pipeline?: Pipeline | undefined;
}

export const defaultAssumptions: CompleteAssumptions = {
  queue: { type: 'standard', requests_per_message: 1 },
  function: { architecture: 'x86_64', memory_mb: 128, duration_ms: 100 },
  inference: { model: 'anthropic.claude-haiku-4-5-20251001-v1:0', output_tokens_per_entry: 100 },
  free_tier: false,
};

/** Applies the defaults. Ranges are not checked, because the API has validated the values. */
export function applyDefaults(assumptions: Assumptions | null | undefined): CompleteAssumptions {
  const { queue, function: fn, inference, free_tier, price_book, pipeline } = assumptions ?? {};
  return {
    queue: withDefaults(defaultAssumptions.queue, queue),
    function: withDefaults(defaultAssumptions.function, fn),
    inference: withDefaults(defaultAssumptions.inference, inference),
    free_tier: free_tier ?? defaultAssumptions.free_tier,
    ...(price_book !== undefined && { price_book }),
    ...(pipeline && { pipeline: completePipeline(pipeline) }),
  };
}
