// Other terms for the same entries: stored usage is converted to what it would have been under
// other assumptions.

import { AppError } from '../errors.ts';
import { type Assumptions, applyDefaults, type CompleteAssumptions } from '../scenarios/assumptions.ts';
import { actionsOf, chunksOfRequests } from '../usage/queue-requests.ts';
import type { FunctionCount, InferenceCount, QueueCount, UsageCounters } from '../usage/usage.ts';
import { splitCall } from './called-model.ts';
import { type Exact, plus, toExact } from './pipeline/exact.ts';
import type { MbMs } from './pipeline/hour-counts.ts';
import type { PriceBook } from './price-book.ts';

/** The terms on which usage is priced. */
export interface Terms {
  region: string;
  assumptions: CompleteAssumptions;
  /** Prices all tokens as if this model had processed them. */
  asModel?: string | undefined;
  /** The book by whose limits calls were counted. */
  countedBy: PriceBook;
}

/** The terms on which usage is read. */
export interface ReadTerms extends Terms {
  /**
   * Converts usage of the scenario, exactly.
   * @throws AppError INVALID_STATE if the memory size changes and an entry has reported its own.
   */
  convert: <Usage extends UsageCounters>(usage: Usage) => Usage;
  /** Converts billed time by architecture in the same way. */
  convertMbMs: (rows: readonly MbMs[]) => readonly MbMs[];
  /** @throws AppError like `convert`. */
  requireConvertible: (usage: UsageCounters) => void;
  /** See `CacheOptions` and `ModelTerms`. */
  cacheSeconds: (call: string) => number | undefined;
  callLimit: (call: string) => number | undefined;
}

/** The terms of a scenario as it is. */
export function ownTerms(
  { region, assumptions }: { region: string; assumptions?: Assumptions | null | undefined },
  book: PriceBook,
): ReadTerms {
  const own = applyDefaults(assumptions);
  return termsOn(own, { region, assumptions: own, countedBy: book }, book);
}

/** The limits of calls in a price book. */
export function limitsOf(book: Pick<PriceBook, 'model'>, asModel?: string) {
  const modelOf = (call: string) => book.model(asModel ?? splitCall(call).model);
  return {
    cacheSeconds: (call: string) => modelOf(call)?.cacheSeconds,
    callLimit: (call: string) => modelOf(call)?.longContextAbove,
  };
}

/**
 * @param own the assumptions that usage was counted on.
 * @param book the prices of the terms.
 */
export function termsOn(own: CompleteAssumptions, terms: Terms, book: PriceBook): ReadTerms {
  const { queue, function: fn } = terms.assumptions;
  return {
    ...terms,
    convert: (usage) => ({
      ...usage,
      queues: convertQueues(usage, own.queue, queue),
      functions: convertFunctions(usage.functions, own.function, fn),
    }),
    convertMbMs: (rows) => convertMbMs(rows, own.function, fn),
    requireConvertible: (usage) => requireConvertible(usage.functions, own.function, fn),
    ...limitsOf(book, terms.asModel),
  };
}

/**
 * A message is one action with its payload per `min(r, 2)`, and one request without payload for
 * each further action.
 */
function convertQueues(
  { queues, logs }: UsageCounters,
  from: CompleteAssumptions['queue'],
  to: CompleteAssumptions['queue'],
): QueueCount[] {
  if (queues.length === 0 || (from.type === to.type && from.requests_per_message === to.requests_per_message)) {
    return queues;
  }
  const requests = queues.reduce((sum, row) => sum + row.requests, 0n);
  const chunks = chunksOfRequests(requests, logs, from.requests_per_message);
  const { withPayload, empty } = actionsOf(to.requests_per_message);
  return [{ type: to.type, requests: chunks * BigInt(withPayload) + logs * BigInt(empty) }];
}

function convertFunctions(
  functions: readonly FunctionCount[],
  from: CompleteAssumptions['function'],
  to: CompleteAssumptions['function'],
): FunctionCount[] {
  requireConvertible(functions, from, to);
  const rows = functions.map((row) => ({ ...row, mbMs: scaleMbMs(row.mbMs, from, to) }));
  if (from.architecture === to.architecture || rows.length === 0) return rows;
  return [
    {
      architecture: to.architecture,
      invocations: rows.reduce((sum, row) => sum + row.invocations, 0n),
      mbMs: rows.reduce((sum, row) => sum + row.mbMs, 0n),
      otherMemoryInvocations: rows.reduce((sum, row) => sum + row.otherMemoryInvocations, 0n),
    },
  ];
}

function requireConvertible(
  functions: readonly FunctionCount[],
  from: CompleteAssumptions['function'],
  to: CompleteAssumptions['function'],
): void {
  if (from.memory_mb === to.memory_mb || !functions.some((row) => row.otherMemoryInvocations > 0n)) return;
  throw new AppError(
    'INVALID_STATE',
    'memory_mb cannot be changed: some entries of the scenario report a memory size of their own.',
  );
}

function convertMbMs(
  rows: readonly MbMs[],
  from: CompleteAssumptions['function'],
  to: CompleteAssumptions['function'],
): readonly MbMs[] {
  const isOwnMemory = from.memory_mb === to.memory_mb;
  const scaled = isOwnMemory
    ? rows
    : rows.map(({ architecture, mbMs }) => ({ architecture, mbMs: toExact(scaleMbMs(BigInt(mbMs), from, to)) }));
  if (from.architecture === to.architecture || scaled.length === 0) return scaled;
  return [{ architecture: to.architecture, mbMs: scaled.reduce<Exact>((sum, row) => plus(sum, row.mbMs), 0) }];
}

/** Without memory sizes of entries, MB·ms are a multiple of the scenario's memory size. */
function scaleMbMs(mbMs: bigint, from: CompleteAssumptions['function'], to: CompleteAssumptions['function']): bigint {
  return from.memory_mb === to.memory_mb ? mbMs : (mbMs / BigInt(from.memory_mb)) * BigInt(to.memory_mb);
}

/**
 * Usage in which entries that reported no output tokens have as many as the scenario assumes for
 * them. The usage is not changed.
 */
export function withAssumedOutput<Usage extends UsageCounters>(
  usage: Usage,
  assumptions: Assumptions | null | undefined,
): Usage {
  if (!usage.inference.some(({ entriesWithoutOutput }) => entriesWithoutOutput !== undefined)) return usage;
  const perEntry = BigInt(applyDefaults(assumptions).inference.output_tokens_per_entry);
  const addAssumed = ({ entriesWithoutOutput = 0n, ...row }: InferenceCount): InferenceCount => ({
    ...row,
    outputTokens: row.outputTokens + entriesWithoutOutput * perEntry,
  });
  return { ...usage, inference: usage.inference.map(addAssumed) };
}
