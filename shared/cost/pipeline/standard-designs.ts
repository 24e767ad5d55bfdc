import type { Assumptions, CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { Pipeline } from '../../scenarios/pipeline.ts';

/** A pipeline that a scenario could have. */
export interface Design {
  name: string;
  /** Default: that of the scenario. */
  region?: string;
  /** Absent fields are those of the scenario, except for the pipeline, which is then absent too. */
  assumptions: Assumptions;
}

/** An instruction of usual length, and a response of usual length. */
const instruction = { prompt_tokens: 800, output_tokens_per_call: 300 };
const batches: Pipeline['function'] = { batch_size: 50, window_seconds: 5 };
const manyACall = { ...instruction, entries_per_call: 50 };

/**
 * Five designs that differ in what decides on the cost.
 * @param own FIFO queues have no windows, so the designs with windows take a standard queue.
 */
export function standardDesigns({ queue }: CompleteAssumptions): Design[] {
  const windowed = queue.type === 'fifo' ? { queue: { type: 'standard' as const } } : {};
  const gathered = (inference: Pipeline['inference']): Assumptions => ({
    ...windowed,
    pipeline: { function: batches, inference },
  });
  return [
    { name: 'simple', assumptions: {} },
    { name: 'one call a line', assumptions: { pipeline: { inference: instruction } } },
    { name: '50 lines a call', assumptions: gathered(manyACall) },
    { name: '50 lines a batch job', assumptions: gathered({ ...manyACall, tier: 'batch' }) },
    { name: 'errors only, 50 a call', assumptions: gathered({ ...manyACall, levels: ['error', 'fatal'] }) },
  ];
}
