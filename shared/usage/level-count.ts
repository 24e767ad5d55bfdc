// The counters from which the usage of a pipeline is derived, for one hour and one class of levels.
import type { Architecture } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/level-class.ts';

/**
 * Which of the 3,600 seconds of an hour had an entry: second s is bit `s & 31` of word `s >> 5`.
 * Words, because hours are merged and counted by the million.
 */
export type ActiveSeconds = Int32Array;
/** The words of `ActiveSeconds`. */
export const activeSecondsWords = 113;

export interface LevelFunctionCount {
  architecture: Architecture;
  /** Σ memory in MB × billed milliseconds. */
  mbMs: bigint;
}

export interface LevelInferenceCount {
  model: string;
  entries: bigint;
  inputTokens: bigint;
  /** Tokens that entries reported; those that an entry leaves out are not part of it. */
  outputTokens: bigint;
  /** Entries that reported no output tokens. */
  entriesWithoutOutput: bigint;
}

export interface LevelCount {
  level: LevelClass;
  entries: bigint;
  sizeBytes: bigint;
  /**
   * Chunks of 64 KiB of the entries' messages, at least one an entry: the unit of queue requests.
   */
  chunks: bigint;
  functions: LevelFunctionCount[];
  inference: LevelInferenceCount[];
  seconds: ActiveSeconds;
}
