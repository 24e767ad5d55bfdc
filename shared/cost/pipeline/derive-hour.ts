import type { CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { type CacheOptions, CacheRuns } from './cache-runs.ts';
import type { Exact } from './exact.ts';
import { type FunctionRuns, functionRuns } from './function.ts';
import { type HourCounts, type LevelSet, levelSetOf, type MbMs } from './hour-counts.ts';
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

export interface DerivationOptions extends CacheOptions {
  /** Converts billed time that was counted on other assumptions. */
  convertMbMs?: ((rows: readonly MbMs[]) => readonly MbMs[]) | undefined;
  /** See `ModelTerms`. Default: no limit. */
  callLimit?: ((model: string) => number | undefined) | undefined;
}

/**
 * A function that derives what the pipeline of these assumptions does in an hour. It is called for
 * all hours with entries in order of time, because a cached prompt can live from one to the next.
 */
export function createDerivation(
  assumptions: PipelineAssumptions,
  { convertMbMs = (rows) => rows, callLimit = () => undefined, ...cache }: DerivationOptions = {},
): (hour: HourCounts) => DerivedHour {
  const { pipeline } = assumptions;
  const sentLevels = levelSetOf(pipeline.levels);
  const modelLevels = modelLevelsOf(pipeline);
  const runs = pipeline.inference.cache_prompt ? new CacheRuns(pipeline.inference, cache) : undefined;
  return (hour) => {
    const counts = hour.of(sentLevels);
    const calling = hour.of(modelLevels);
    const runsOf = runs?.add(calling, hour.start) ?? (() => 0);
    const sent = sendEntries(counts, convertMbMs(counts.mbMs), pipeline);
    return {
      messages: sent.entries,
      queue: queueActions(sent, pipeline, hour.seconds),
      function: functionRuns(sent, pipeline, assumptions.function.memory_mb),
      inference: modelCalls(calling, pipeline, assumptions.inference.output_tokens_per_entry, { runsOf, callLimit }),
    };
  };
}

/** The levels of the entries that reach the model. */
export const modelLevelsOf = ({ levels, inference }: CompletePipeline): LevelSet =>
  levelSetOf(levels) & levelSetOf(inference.levels);

/**
 * Whether the hours before a period matter for it: a prompt that lives for an hour can be cached.
 */
export const dependsOnEarlierHours = ({ pipeline: { inference } }: PipelineAssumptions): boolean =>
  inference.cache_prompt && inference.cache_ttl === '1h';
