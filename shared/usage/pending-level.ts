import type { Architecture } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/level-class.ts';
import { addSecond, noSeconds } from './active-seconds.ts';
import { findRow } from './add-rows.ts';
import type { EntryUsage } from './entry-usage.ts';
import type { LevelCount } from './level-count.ts';
import type { UsageCounters } from './usage.ts';

interface FunctionSums {
  architecture: Architecture;
  invocations: number;
  mbMs: number;
  otherMemoryInvocations: number;
}

interface InferenceSums {
  model: string;
  entries: number;
  inputTokens: number;
  outputTokens: number;
  entriesWithoutOutput: number;
  estimatedEntries: number;
}

/** The sums of the entries of one hour and level of a `UsageTally`, in numbers. */
export class PendingLevel {
  readonly level: LevelClass;
  #entries = 0;
  #sizeBytes = 0;
  #chunks = 0;
  readonly #functions: FunctionSums[] = [];
  readonly #inference: InferenceSums[] = [];
  readonly #seconds = noSeconds();

  constructor(level: LevelClass) {
    this.level = level;
  }

  add(entry: EntryUsage): void {
    this.#entries += 1;
    this.#sizeBytes += entry.sizeBytes;
    this.#chunks += entry.chunks;
    addSecond(this.#seconds, entry.second);

    const { architecture, model } = entry;
    let fn = findRow(this.#functions, 'architecture', architecture);
    if (fn === undefined) {
      fn = { architecture, invocations: 0, mbMs: 0, otherMemoryInvocations: 0 };
      this.#functions.push(fn);
    }
    fn.invocations += 1;
    fn.mbMs += entry.mbMs;
    if (!entry.ownMemory) fn.otherMemoryInvocations += 1;

    let inference = findRow(this.#inference, 'model', model);
    if (inference === undefined) {
      inference = { model, entries: 0, inputTokens: 0, outputTokens: 0, entriesWithoutOutput: 0, estimatedEntries: 0 };
      this.#inference.push(inference);
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
      logs: BigInt(this.#entries),
      sizeBytes: BigInt(this.#sizeBytes),
      piiLogs: 0n,
      pii: [],
      queues: [],
      functions: this.#functions.map(({ architecture, invocations, mbMs, otherMemoryInvocations }) => ({
        architecture,
        invocations: BigInt(invocations),
        mbMs: BigInt(mbMs),
        otherMemoryInvocations: BigInt(otherMemoryInvocations),
      })),
      inference: this.#inference.map(
        ({ model, inputTokens, outputTokens, entriesWithoutOutput, estimatedEntries }) => ({
          model,
          inputTokens: BigInt(inputTokens),
          outputTokens: BigInt(outputTokens),
          ...(entriesWithoutOutput > 0 && { entriesWithoutOutput: BigInt(entriesWithoutOutput) }),
          estimatedEntries: BigInt(estimatedEntries),
        }),
      ),
    };
  }

  toLevel(): LevelCount {
    return {
      level: this.level,
      entries: BigInt(this.#entries),
      sizeBytes: BigInt(this.#sizeBytes),
      chunks: BigInt(this.#chunks),
      functions: this.#functions.map(({ architecture, mbMs }) => ({ architecture, mbMs: BigInt(mbMs) })),
      inference: this.#inference.map(({ model, entries, inputTokens, outputTokens, entriesWithoutOutput }) => ({
        model,
        entries: BigInt(entries),
        inputTokens: BigInt(inputTokens),
        outputTokens: BigInt(outputTokens),
        entriesWithoutOutput: BigInt(entriesWithoutOutput),
      })),
      seconds: this.#seconds,
    };
  }
}
