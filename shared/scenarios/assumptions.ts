// The usage that a scenario assumes for log entries that report none. The defaults are choices of
// the simulation, not properties of the services.
import { type CompletePipeline, completePipeline, type Pipeline } from './pipeline.ts';

export type QueueType = 'standard' | 'fifo';
export type Architecture = 'x86_64' | 'arm64';

/** Listed in the order in which they consume a shared free amount. */
export const queueTypes = ['standard', 'fifo'] as const satisfies readonly QueueType[];
/** Listed in the order in which they consume a shared free amount. */
export const architectures = ['x86_64', 'arm64'] as const satisfies readonly Architecture[];

/** The assumptions in the form of database and API. Each assumption is optional. */
export interface Assumptions {
  queue?: { type?: QueueType | undefined; requests_per_message?: number | undefined } | undefined;
  function?:
    | { architecture?: Architecture | undefined; memory_mb?: number | undefined; duration_ms?: number | undefined }
    | undefined;
  inference?: { model?: string | undefined; output_tokens_per_entry?: number | undefined } | undefined;
  free_tier?: boolean | undefined;
  /** The version of the price book. Absent: the newest one when the scenario leaves `draft`. */
  price_book?: string | undefined;
  /** Absent: each entry is one message, one invocation and one model call without a prompt. */
  pipeline?: Pipeline | undefined;
}

/** The assumptions with all defaults applied. */
export interface CompleteAssumptions {
  queue: { type: QueueType; requests_per_message: number };
  function: { architecture: Architecture; memory_mb: number; duration_ms: number };
  inference: { model: string; output_tokens_per_entry: number };
  free_tier: boolean;
  price_book?: string;
  pipeline?: CompletePipeline;
}

export const defaultAssumptions: CompleteAssumptions = {
  queue: { type: 'standard', requests_per_message: 1 },
  function: { architecture: 'x86_64', memory_mb: 128, duration_ms: 100 },
  inference: { model: 'anthropic.claude-haiku-4-5-20251001-v1:0', output_tokens_per_entry: 100 },
  free_tier: false,
};

/** Applies the defaults. Ranges are not checked, because the API has validated the values. */
export function applyDefaults(assumptions: Assumptions | null | undefined): CompleteAssumptions {
  const { queue, function: fn, inference, free_tier } = defaultAssumptions;
  return {
    queue: {
      type: assumptions?.queue?.type ?? queue.type,
      requests_per_message: assumptions?.queue?.requests_per_message ?? queue.requests_per_message,
    },
    function: {
      architecture: assumptions?.function?.architecture ?? fn.architecture,
      memory_mb: assumptions?.function?.memory_mb ?? fn.memory_mb,
      duration_ms: assumptions?.function?.duration_ms ?? fn.duration_ms,
    },
    inference: {
      model: assumptions?.inference?.model ?? inference.model,
      output_tokens_per_entry: assumptions?.inference?.output_tokens_per_entry ?? inference.output_tokens_per_entry,
    },
    free_tier: assumptions?.free_tier ?? free_tier,
    ...(assumptions?.price_book !== undefined && { price_book: assumptions.price_book }),
    ...(assumptions?.pipeline && { pipeline: completePipeline(assumptions.pipeline) }),
  };
}
