import type { CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import type { Exact } from './exact.ts';
import { type FunctionRuns, functionRuns } from './function.ts';
import { type HourCounts, levelSetOf, type MbMs } from './hour-counts.ts';
import { type ModelCalls, modelCalls } from './inference.ts';
import { type QueueActions, queueActions } from './queue.ts';
import { sendEntries } from './sent-entries.ts';

/** The work of a pipeline in one hour. */
export interface DerivedHour {
  /** Entries that are sent to the queue. */
  messages: Exact;
  queue: QueueActions;
  function: FunctionRuns;
  /** One row per model with entries. */
  inference: ModelCalls[];
}

export type PipelineAssumptions = CompleteAssumptions & { pipeline: CompletePipeline };

export function hasPipeline(assumptions: CompleteAssumptions): assumptions is PipelineAssumptions {
  return assumptions.pipeline !== undefined;
}

/**
 * A function that derives what the pipeline of these assumptions does in an hour.
 * @param convertMbMs converts billed time that was counted on other assumptions.
 */
export function createDerivation(
  assumptions: PipelineAssumptions,
  convertMbMs: (rows: readonly MbMs[]) => readonly MbMs[] = (rows) => rows,
): (hour: HourCounts) => DerivedHour {
  const { pipeline } = assumptions;
  const sentLevels = levelSetOf(pipeline.levels);
  const modelLevels = sentLevels & levelSetOf(pipeline.inference.levels);
  return (hour) => {
    const counts = hour.of(sentLevels);
    const sent = sendEntries(counts, convertMbMs(counts.mbMs), pipeline);
    return {
      messages: sent.entries,
      queue: queueActions(sent, pipeline, hour.seconds),
      function: functionRuns(sent, pipeline, assumptions.function.memory_mb),
      inference: modelCalls(hour.of(modelLevels), pipeline, assumptions.inference.output_tokens_per_entry),
    };
  };
}
