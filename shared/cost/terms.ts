// Other terms for the same entries: stored usage is converted to what it would have been under
// other assumptions.

import { AppError } from '../errors.ts';
import { type Assumptions, applyDefaults, type CompleteAssumptions } from '../scenarios/assumptions.ts';
import { actionsOf, chunksOfRequests } from '../usage/queue-requests.ts';
import { addRows, type InferenceCount, type LevelCount, type QueueCount, type UsageCounters } from '../usage/usage.ts';

type QueueTerms = CompleteAssumptions['queue'];
type FunctionTerms = CompleteAssumptions['function'];

/**
 * Converts usage exactly. Entries that reported no output tokens have as many as are assumed for
 * them.
 * @throws AppError like `requireConvertible`.
 */
export function convertUsage<Usage extends UsageCounters>(
  usage: Usage,
  from: CompleteAssumptions,
  to: CompleteAssumptions,
): Usage {
  requireConvertible(usage, from, to);
  const queues = convertQueues(usage, from.queue, to.queue);
  return withAssumedOutput(
    { ...usage, queues, functions: convertFunctions(usage.functions, from.function, to.function) },
    to,
  );
}

/**
 * A message is one action with its payload per `min(r, 2)`, and one request without payload for
 * each further action.
 */
function convertQueues({ queues, logs }: UsageCounters, from: QueueTerms, to: QueueTerms): QueueCount[] {
  if (queues.length === 0 || (from.type === to.type && from.requests_per_message === to.requests_per_message)) {
    return queues;
  }
  const requests = queues.reduce((sum, row) => sum + row.requests, 0n);
  const chunks = chunksOfRequests(requests, logs, from.requests_per_message);
  const { withPayload, empty } = actionsOf(to.requests_per_message);
  return [{ type: to.type, requests: chunks * BigInt(withPayload) + logs * BigInt(empty) }];
}

/** Without memory sizes of entries, MB·ms are a multiple of the scenario's memory size. */
export function convertFunctions<Row extends LevelCount['functions'][number]>(
  rows: Row[],
  from: FunctionTerms,
  to: FunctionTerms,
): Row[] {
  if (from.memory_mb === to.memory_mb && from.architecture === to.architecture) return rows;
  const scale = (mbMs: bigint) =>
    from.memory_mb === to.memory_mb ? mbMs : (mbMs / BigInt(from.memory_mb)) * BigInt(to.memory_mb);
  const scaled = rows.map((row) => ({ ...row, mbMs: scale(row.mbMs) }));
  if (from.architecture === to.architecture) return scaled;
  return scaled.reduce<Row[]>(
    (sum, row) => addRows(sum, [{ ...row, architecture: to.architecture }], 'architecture'),
    [],
  );
}

/** @throws AppError INVALID_STATE if the memory size changes and an entry has reported its own. */
export function requireConvertible(
  { functions }: UsageCounters,
  { function: from }: CompleteAssumptions,
  { function: to }: CompleteAssumptions,
): void {
  if (from.memory_mb === to.memory_mb || !functions.some((row) => row.otherMemoryInvocations > 0n)) return;
  throw new AppError(
    'INVALID_STATE',
    'memory_mb cannot be changed: some entries of the scenario report a memory size of their own.',
  );
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
