import type { Architecture, QueueType } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/pipeline.ts';

/** The usage of one log entry, in numbers far below 2^53. */
export interface EntryUsage {
  /** The start of the entry's UTC hour, in epoch milliseconds. */
  hour: number;
  /** The second of the hour, 0 to 3,599. */
  second: number;
  /** Whether the entry has a time of its own, not that of its arrival. */
  timed: boolean;
  level: LevelClass;
  sizeBytes: number;
  /** Started 64 KiB of the size, at least one. */
  chunks: number;
  queueType: QueueType;
  queueRequests: number;
  architecture: Architecture;
  memoryMb: number;
  billedMs: number;
  /** memoryMb × billedMs, at most 9,216,000,000. */
  mbMs: number;
  /** Whether memoryMb is the memory size of the scenario. */
  ownMemory: boolean;
  /** With the profile after a blank, if the entry tells it. */
  model: string;
  /** Whether `model` is not one of the price book. */
  unpriced: boolean;
  inputTokens: number;
  /** Whether inputTokens were counted from the message, because the sender did not report them. */
  inputEstimated: boolean;
  cacheReadTokens: number;
  /** Tokens that are cached for the model's ordinary time, and for an hour. */
  cacheWriteTokens: number;
  cacheWrite1hTokens: number;
  /** Null if the sender did not report them. */
  outputTokens: number | null;
  /** Whether the entry reports a usage that is not understood. */
  usageUnread: boolean;
}

/** Billed milliseconds of one invocation: the duration rounded up to a whole number, at least 1. */
export function billedMs(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs));
}
