// From the stored form of usage to that which is priced: lists of exact integers in a fixed order.

import { piiTypes } from '../pii/pii-kind.ts';
import { architectures, queueTypes } from '../scenarios/assumptions.ts';
import { type LevelClass, levelClasses } from '../scenarios/pipeline.ts';
import { readSeconds } from './active-seconds.ts';
import {
  type Count,
  type DayCounters,
  type HourCounters,
  type LevelCounters,
  modelOfField,
  type UsageTotals,
} from './stored-hour.ts';
import { compare, type HourUsage, type LevelCount, type UsageCounters, type UsageSum } from './usage.ts';

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

// Loops, because a year has thousands of hours: spreads take twice as long.

function toCounters(stored: UsageTotals): UsageCounters {
  const { logs, sizeBytes, piiLogs, pii, queues, functions, inference, untimed, usageUnread, unpriced } = stored;
  const counters: UsageCounters = {
    logs: BigInt(logs),
    sizeBytes: BigInt(sizeBytes),
    piiLogs: BigInt(piiLogs ?? 0),
    pii: pii ? rowsOf(piiTypes, pii, (type, count) => ({ type, count: BigInt(count) })) : [],
    queues: rowsOf(queueTypes, queues, (type, requests) => ({ type, requests: BigInt(requests) })),
    functions: rowsOf(architectures, functions, (architecture, counts) =>
      addCounts({ architecture, otherMemoryInvocations: 0n }, counts),
    ),
    inference: byModel(inference, (model, counts) => addCounts({ model, estimatedEntries: 0n }, counts)),
  };
  if (untimed !== undefined) counters.untimed = BigInt(untimed);
  if (usageUnread !== undefined) counters.usageUnread = BigInt(usageUnread);
  if (unpriced) {
    counters.unpriced = Object.entries(unpriced).map(([field, counts]) =>
      addCounts({ name: modelOfField(field) }, counts),
    );
  }
  return counters;
}

function toLevel(level: LevelClass, stored: LevelCounters): LevelCount {
  return {
    level,
    entries: BigInt(stored.entries),
    sizeBytes: BigInt(stored.sizeBytes),
    chunks: BigInt(stored.chunks),
    functions: rowsOf(architectures, stored.functions, (architecture, mbMs) => ({ architecture, mbMs: BigInt(mbMs) })),
    inference: byModel(stored.inference, (model, counts) => addCounts({ model, entriesWithoutOutput: 0n }, counts)),
    seconds: readSeconds(stored.seconds),
  };
}

/** Adds counts to a row of a name, which has those that must not be absent. */
function addCounts<Row extends object, Counts extends object>(row: Row, counts: Counts): Row & Exact<Counts> {
  const exact = row as Record<string, unknown>;
  for (const name in counts) exact[name] = BigInt(counts[name] as Count);
  return row as Row & Exact<Counts>;
}

type Exact<Counts> = { [Name in keyof Counts]: bigint };

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
