// Other terms for the same entries: stored usage is converted to what it would have been under
// other assumptions.

import { AppError } from '../errors.ts';
import { type Assumptions, applyDefaults, type CompleteAssumptions } from '../scenarios/assumptions.ts';
import { actionsOf, chunksOfRequests } from '../usage/queue-requests.ts';
import { type Count, type ModelCounters, mergeCounters, type UsageTotals } from '../usage/stored-hour.ts';
import { sumOf } from './integers.ts';

type QueueTerms = CompleteAssumptions['queue'];
type FunctionTerms = CompleteAssumptions['function'];

/**
 * Converts usage exactly. Entries that reported no output tokens have as many as are assumed for
 * them.
 * @throws AppError INVALID_STATE if the memory size changes and an entry has reported its own.
 */
export function convertUsage<Usage extends UsageTotals>(
  usage: Usage,
  from: CompleteAssumptions,
  to: CompleteAssumptions,
): Usage {
  if (from.function.memory_mb !== to.function.memory_mb && Object.values(usage.functions).some(isOtherMemory)) {
    throw new AppError(
      'INVALID_STATE',
      'memory_mb cannot be changed: some entries of the scenario report a memory size of their own.',
    );
  }
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
function convertQueues({ queues, logs }: UsageTotals, from: QueueTerms, to: QueueTerms): UsageTotals['queues'] {
  const counts = Object.values(queues);
  const isSame = from.type === to.type && from.requests_per_message === to.requests_per_message;
  if (isSame || counts.length === 0) return queues;
  const messages = BigInt(logs);
  const requests = sumOf(counts, (count) => count);
  const chunks = chunksOfRequests(requests, messages, from.requests_per_message);
  const { withPayload, empty } = actionsOf(to.requests_per_message);
  return { [to.type]: chunks * BigInt(withPayload) + messages * BigInt(empty) };
}

/** Without memory sizes of entries, MB·ms are a multiple of the scenario's memory size. */
export function convertFunctions<Row extends { mbMs: Count }>(
  rows: Record<string, Row>,
  from: FunctionTerms,
  to: FunctionTerms,
): Record<string, Row> {
  const isSameMemory = from.memory_mb === to.memory_mb;
  const isSameArchitecture = from.architecture === to.architecture;
  if (isSameMemory && isSameArchitecture) return rows;
  const converted: Record<string, Row> = {};
  for (const [architecture, row] of Object.entries(rows)) {
    const mbMs = isSameMemory ? row.mbMs : (BigInt(row.mbMs) / BigInt(from.memory_mb)) * BigInt(to.memory_mb);
    mergeCounters(converted, { [isSameArchitecture ? architecture : to.architecture]: { ...row, mbMs } });
  }
  return converted;
}

const isOtherMemory = ({ otherMemoryInvocations = 0 }: UsageTotals['functions'][string]) => otherMemoryInvocations > 0;

/**
 * Usage in which entries that reported no output tokens have as many as the scenario assumes for
 * them. The usage is not changed.
 */
export function withAssumedOutput<Usage extends UsageTotals>(
  usage: Usage,
  assumptions: Assumptions | null | undefined,
): Usage {
  const models = Object.entries(usage.inference);
  if (!models.some(([, { entriesWithoutOutput }]) => entriesWithoutOutput !== undefined)) return usage;
  const perEntry = BigInt(applyDefaults(assumptions).inference.output_tokens_per_entry);
  const withAssumed = ({ entriesWithoutOutput = 0, ...row }: ModelCounters): ModelCounters => ({
    ...row,
    outputTokens: BigInt(row.outputTokens) + BigInt(entriesWithoutOutput) * perEntry,
  });
  return { ...usage, inference: Object.fromEntries(models.map(([field, row]) => [field, withAssumed(row)])) };
}
