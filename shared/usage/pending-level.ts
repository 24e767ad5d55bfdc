import type { Architecture } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/level-class.ts';
import { addSecond, noSeconds } from './active-seconds.ts';
import type { EntryUsage } from './entry-usage.ts';
import type { LevelCount } from './level-count.ts';
import { emptyUsage, type UsageCounters } from './usage.ts';

interface FunctionSums {
  invocations: number;
  mbMs: number;
  otherMemoryInvocations: number;
}

interface InferenceSums {
  entries: number;
  inputTokens: number;
  outputTokens: number;
  entriesWithoutOutput: number;
  estimatedEntries: number;
}

/** The sums of the entries of one hour and level of a `UsageTally`, in numbers. */
export class PendingLevel {
  readonly #sums = { entries: 0, sizeBytes: 0, chunks: 0 };
  readonly #functions = new Map<Architecture, FunctionSums>();
  readonly #inference = new Map<string, InferenceSums>();
  readonly #seconds = noSeconds();

  add(entry: EntryUsage): void {
    this.#sums.entries += 1;
    this.#sums.sizeBytes += entry.sizeBytes;
    this.#sums.chunks += entry.chunks;
    addSecond(this.#seconds, entry.second);

    let fn = this.#functions.get(entry.architecture);
    if (fn === undefined) {
      fn = { invocations: 0, mbMs: 0, otherMemoryInvocations: 0 };
      this.#functions.set(entry.architecture, fn);
    }
    fn.invocations += 1;
    fn.mbMs += entry.mbMs;
    if (!entry.ownMemory) fn.otherMemoryInvocations += 1;

    let inference = this.#inference.get(entry.model);
    if (inference === undefined) {
      inference = { entries: 0, inputTokens: 0, outputTokens: 0, entriesWithoutOutput: 0, estimatedEntries: 0 };
      this.#inference.set(entry.model, inference);
    }
    inference.entries += 1;
    inference.inputTokens += entry.inputTokens;
    if (entry.outputTokens === null) inference.entriesWithoutOutput += 1;
    else inference.outputTokens += entry.outputTokens;
    if (entry.inputEstimated) inference.estimatedEntries += 1;
  }

  /** The part of the hour's usage that follows from these entries. */
  toUsage(): UsageCounters {
    return {
      ...emptyUsage(),
      logs: BigInt(this.#sums.entries),
      sizeBytes: BigInt(this.#sums.sizeBytes),
      functions: Array.from(this.#functions, ([architecture, sums]) => ({
        architecture,
        invocations: BigInt(sums.invocations),
        mbMs: BigInt(sums.mbMs),
        otherMemoryInvocations: BigInt(sums.otherMemoryInvocations),
      })),
      inference: Array.from(this.#inference, ([model, sums]) => ({
        model,
        inputTokens: BigInt(sums.inputTokens),
        outputTokens: BigInt(sums.outputTokens),
        ...(sums.entriesWithoutOutput > 0 && { entriesWithoutOutput: BigInt(sums.entriesWithoutOutput) }),
        estimatedEntries: BigInt(sums.estimatedEntries),
      })),
    };
  }

  toLevel(level: LevelClass): LevelCount {
    return {
      level,
      entries: BigInt(this.#sums.entries),
      sizeBytes: BigInt(this.#sums.sizeBytes),
      chunks: BigInt(this.#sums.chunks),
      functions: Array.from(this.#functions, ([architecture, { mbMs }]) => ({ architecture, mbMs: BigInt(mbMs) })),
      inference: Array.from(this.#inference, ([model, sums]) => ({
        model,
        entries: BigInt(sums.entries),
        inputTokens: BigInt(sums.inputTokens),
        outputTokens: BigInt(sums.outputTokens),
        entriesWithoutOutput: BigInt(sums.entriesWithoutOutput),
      })),
      seconds: this.#seconds,
    };
  }
}
