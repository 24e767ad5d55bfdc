// What a pipeline does, in one hour or in several: the parts of which its usage consists.

/** The parts by service and unit. */
export const pipelineParts = [
  {
    service: 'queue',
    unit: 'request',
    parts: ['sends', 'receives', 'retried_receives', 'deletes', 'empty_receives'],
  },
  { service: 'function', unit: 'invocation', parts: ['invocations', 'retried_invocations', 'cold_starts'] },
  {
    service: 'function',
    unit: 'GB-second',
    parts: ['entry_compute', 'retried_compute', 'overhead_compute', 'init_compute'],
  },
  { service: 'inference', unit: 'call', parts: ['calls', 'retried_calls'] },
  {
    service: 'inference',
    unit: 'token',
    parts: [
      'entry_tokens',
      'retried_tokens',
      'prompt_tokens',
      'cache_write_tokens',
      'cache_read_tokens',
      'output_tokens',
      'retried_output_tokens',
    ],
  },
] as const;
type PartOf<Service> = Extract<(typeof pipelineParts)[number], { service: Service }>['parts'][number];

/** Requests; MB·ms for compute; calls and tokens. */
export type QueueParts = Record<PartOf<'queue'>, bigint>;
export type FunctionParts = Record<PartOf<'function'>, bigint>;
export type InferenceParts = Record<PartOf<'inference'>, bigint>;
export type PipelinePart = keyof (QueueParts & FunctionParts & InferenceParts);

/**
 * What decides on the number of invocations. `entries`: one each; `batch_size`: batches are full;
 * `window`: a window ends before a batch is full; `payload`: an invocation takes at most 6 MiB;
 * `duration`: an invocation lasts at most 900 s; `none`: no entries.
 */
export const invocationLimits = ['none', 'entries', 'batch_size', 'window', 'payload', 'duration'] as const;
export type InvocationLimit = (typeof invocationLimits)[number];

export interface PipelineWork {
  /** Without calls, there are no parts of inference. */
  parts: { queue: QueueParts; function: FunctionParts; inference?: InferenceParts };
  /** Entries that are sent to the queue, and those that reach the model. */
  messages: bigint;
  modelEntries: bigint;
  /** The invocations of the hours in which a limit decided on their number. */
  invocationsBy: Partial<Record<InvocationLimit, bigint>>;
}

/** The limit that decided on the number of most invocations. */
export const mainLimit = ({ invocationsBy }: Pick<PipelineWork, 'invocationsBy'>): InvocationLimit =>
  invocationLimits.reduce((most, limit) => ((invocationsBy[limit] ?? 0n) > (invocationsBy[most] ?? 0n) ? limit : most));
