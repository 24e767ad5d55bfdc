// From the stored form of usage to that which is priced: lists of exact integers in a fixed order.

import { type PiiType, piiTypes } from '../pii/pii-kind.ts';
import { type Architecture, architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import { levelClasses } from '../scenarios/pipeline.ts';
import { readSeconds } from './active-seconds.ts';
import {
  type Count,
  type DayCounters,
  type FunctionCounters,
  type HourCounters,
  type LevelCounters,
  type LevelModelCounters,
  type ModelCounters,
  modelOfField,
  type UnpricedCounters,
  type UsageTotals,
} from './stored-hour.ts';
import {
  cacheCounters,
  compare,
  type FunctionCount,
  type HourUsage,
  type InferenceCount,
  type LevelCount,
  type LevelInferenceCount,
  type UsageCounters,
  type UsageSum,
} from './usage.ts';

/** With levels, if the hour was read with them. */
export function toHourUsage(stored: HourCounters): HourUsage {
  const usage = { hour: stored.hour, ...toCounters(stored) };
  const { levels, timedSeconds } = stored;
  if (!levels) return usage;
  return {
    ...usage,
    levels: rowsOf(levelClasses, levels, toLevel),
    ...(timedSeconds && { timedSeconds: readSeconds(timedSeconds) }),
  };
}

export function toUsageSum(stored: DayCounters): UsageSum {
  return { hour: stored.first, last: stored.last, ...toCounters(stored) };
}

// Loops and whole objects, because a year has thousands of hours: spreads take twice as long.

function toCounters(stored: UsageTotals): UsageCounters {
  const { logs, sizeBytes, piiLogs, pii, queues, functions, inference, untimed, usageUnread, unpriced } = stored;
  const counters: UsageCounters = {
    logs: BigInt(logs),
    sizeBytes: BigInt(sizeBytes),
    piiLogs: BigInt(piiLogs ?? 0),
    pii: pii ? rowsOf(piiTypes, pii, toPii) : [],
    queues: rowsOf(queueTypes, queues, toQueue),
    functions: rowsOf(architectures, functions, toFunction),
    inference: byModel(inference, toInference),
  };
  if (untimed !== undefined) counters.untimed = BigInt(untimed);
  if (usageUnread !== undefined) counters.usageUnread = BigInt(usageUnread);
  if (unpriced !== undefined) counters.unpriced = Object.entries(unpriced).map(toUnpriced);
  return counters;
}

const toUnpriced = ([field, { calls, inputTokens, outputTokens }]: [string, UnpricedCounters]) => ({
  name: modelOfField(field),
  calls: BigInt(calls),
  inputTokens: BigInt(inputTokens),
  outputTokens: BigInt(outputTokens),
});

function toLevel(level: LevelCount['level'], stored: LevelCounters): LevelCount {
  return {
    level,
    entries: BigInt(stored.entries),
    sizeBytes: BigInt(stored.sizeBytes),
    chunks: BigInt(stored.chunks),
    functions: rowsOf(architectures, stored.functions, toLevelFunction),
    inference: byModel(stored.inference, toLevelInference),
    seconds: readSeconds(stored.seconds),
  };
}

const toPii = (type: PiiType, count: Count) => ({ type, count: BigInt(count) });
const toQueue = (type: QueueType, requests: Count) => ({ type, requests: BigInt(requests) });
const toLevelFunction = (architecture: Architecture, mbMs: Count) => ({ architecture, mbMs: BigInt(mbMs) });

function toFunction(architecture: Architecture, row: FunctionCounters): FunctionCount {
  return {
    architecture,
    invocations: BigInt(row.invocations),
    mbMs: BigInt(row.mbMs),
    otherMemoryInvocations: BigInt(row.otherMemoryInvocations ?? 0),
  };
}

function toInference(model: string, row: ModelCounters): InferenceCount {
  const inputTokens = BigInt(row.inputTokens);
  const outputTokens = BigInt(row.outputTokens);
  const estimatedEntries = BigInt(row.estimatedEntries ?? 0);
  const count: InferenceCount =
    row.entriesWithoutOutput === undefined
      ? { model, inputTokens, outputTokens, estimatedEntries }
      : { model, inputTokens, outputTokens, entriesWithoutOutput: BigInt(row.entriesWithoutOutput), estimatedEntries };
  for (const field of cacheCounters) if (row[field] !== undefined) count[field] = BigInt(row[field]);
  return count;
}

function toLevelInference(model: string, row: LevelModelCounters): LevelInferenceCount {
  const count: LevelInferenceCount = {
    model,
    entries: BigInt(row.entries),
    inputTokens: BigInt(row.inputTokens),
    outputTokens: BigInt(row.outputTokens),
    entriesWithoutOutput: BigInt(row.entriesWithoutOutput ?? 0),
  };
  for (const field of cacheCounters) if (row[field] !== undefined) count[field] = BigInt(row[field]);
  return count;
}

/** A row for each of the names that is counted, in their order. */
function rowsOf<Name extends string, Stored, Row>(
  names: readonly Name[],
  counted: Readonly<Record<string, Stored>>,
  toRow: (name: Name, stored: Stored) => Row,
): Row[] {
  const rows: Row[] = [];
  for (const name of names) {
    const stored = counted[name];
    if (stored !== undefined) rows.push(toRow(name, stored));
  }
  return rows;
}

function byModel<Stored, Row extends { model: string }>(
  counted: Readonly<Record<string, Stored>>,
  toRow: (model: string, stored: Stored) => Row,
): Row[] {
  const rows: Row[] = [];
  for (const field in counted) rows.push(toRow(modelOf(field), counted[field] as Stored));
  return rows.length > 1 ? rows.sort((a, b) => compare(a.model, b.model)) : rows;
}

/** The models of fields that were read last: few occur in a year. */
const models = new Map<string, string>();
const maxModels = 1_000;

function modelOf(field: string): string {
  let model = models.get(field);
  if (model === undefined) {
    if (models.size === maxModels) models.clear();
    model = modelOfField(field);
    models.set(field, model);
  }
  return model;
}
