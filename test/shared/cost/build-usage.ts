import { createBucketPage } from '../../../shared/cost/paged-cost.ts';
import { loadPriceBook, type PriceBook } from '../../../shared/cost/price-book.ts';
import {
  type CostBucket,
  createScenarioPricer,
  type ScenarioCost,
  type ScenarioPricing,
} from '../../../shared/cost/scenario-cost.ts';
import { type Architecture, architectures, type QueueType, queueTypes } from '../../../shared/scenarios/assumptions.ts';
import { daySpan, type Interval, intervalLength } from '../../../shared/usage/periods.ts';
import type { ReadDays } from '../../../shared/usage/read-usage.ts';
import {
  type ActiveSeconds,
  addSecond,
  emptyUsage,
  fieldOfModel,
  type HourCounters,
  noSeconds,
} from '../../../shared/usage/stored-hour.ts';
import { type EntryPii, type EntryUsage, UsageTally } from '../../../shared/usage/usage-tally.ts';
import { mergeHours, sumParts } from '../../support/merge-hours.ts';
import { randomInteger } from '../../support/random-choices.ts';

export const book: PriceBook = loadPriceBook();
export const firstHour = Date.UTC(2026, 4, 1);
export const hourMs = 3_600_000;

export const defaultPricing: ScenarioPricing = { region: 'us-east-1', book, fallback: 'us-east-1', assumptions: {} };

export interface UsageOverrides {
  /** Hours after the start of May 2026. */
  at?: number;
  logs?: bigint;
  queue?: bigint;
  queueType?: QueueType;
  invocations?: bigint;
  mbMs?: bigint;
  architecture?: Architecture;
  model?: string;
  inputTokens?: bigint;
  outputTokens?: bigint;
  estimatedEntries?: bigint;
}

/** One hour with the given usage only. */
export function buildHour(overrides: UsageOverrides = {}): HourCounters {
  const { at = 0, logs = 1n, queue, invocations = 0n, mbMs = 0n, inputTokens = 0n, outputTokens = 0n } = overrides;
  const { queueType = 'standard', architecture = 'x86_64', model = 'amazon.nova-lite-v1:0' } = overrides;
  const { estimatedEntries = 0n } = overrides;
  return {
    ...emptyUsage(),
    hour: new Date(firstHour + at * hourMs),
    logs,
    queues: queue === undefined ? {} : { [queueType]: queue },
    functions: invocations + mbMs > 0n ? { [architecture]: { invocations, mbMs } } : {},
    inference:
      inputTokens + outputTokens > 0n ? { [fieldOfModel(model)]: { inputTokens, outputTokens, estimatedEntries } } : {},
  };
}

/** An hour in May or June 2026 with usage of one kind per service, in any tier. */
export function randomHour(random: () => number): HourCounters {
  return buildHour({
    at: randomInteger(random, 0, 61 * 24 - 1),
    logs: BigInt(randomInteger(random, 1, 1_000)),
    queue: BigInt(randomInteger(random, 0, random() < 0.5 ? 400_000 : 40_000_000_000)),
    queueType: queueTypes[randomInteger(random, 0, 1)]!,
    invocations: BigInt(randomInteger(random, 0, 300_000)),
    mbMs: BigInt(randomInteger(random, 0, random() < 0.5 ? 100_000_000_000 : 2_000_000_000_000_000)),
    architecture: architectures[randomInteger(random, 0, 1)]!,
    model: random() < 0.5 ? 'amazon.nova-lite-v1:0' : 'anthropic.claude-haiku-4-5-20251001-v1:0',
    inputTokens: BigInt(randomInteger(random, 0, 1_000_000)),
    outputTokens: BigInt(randomInteger(random, 0, 1_000_000)),
    estimatedEntries: BigInt(randomInteger(random, 0, 10)),
  });
}

/**
 * Prices hours in any order, with all buckets; by default in us-east-1, by hour, without free tier.
 */
export function priceOf(
  hours: readonly HourCounters[],
  { interval = 'hour', ...pricing }: Partial<ScenarioPricing> & { interval?: Interval } = {},
): ScenarioCost & { buckets: CostBucket[] } {
  const page = createBucketPage({ limit: Infinity }, intervalLength(interval));
  const pricer = createScenarioPricer({ ...defaultPricing, ...pricing }, interval, (bucket) => page.add(bucket));
  for (const hour of mergeHours(hours)) pricer.add(hour);
  return { ...pricer.finish(), buckets: page.rows };
}

/** Hours in any order as `readUsage` returns them, with few days read together. */
export function byDay(hours: readonly HourCounters[]): ReadDays {
  return async function* (detailOf) {
    const hoursOf = new Map<number, HourCounters[]>();
    for (const hour of mergeHours(hours)) {
      const day = Math.floor(hour.hour.getTime() / (24 * hourMs)) * 24 * hourMs;
      hoursOf.set(day, [...(hoursOf.get(day) ?? []), hour]);
    }
    const days = [...hoursOf.keys()];
    while (days.length > 0) {
      const first = daySpan(days[0] ?? 0);
      const byHour = (day: number) => detailOf(daySpan(day), first) === 'hours';
      const detailed = byHour(first.start);
      const end = days.findIndex((day, index) => index === 20 || byHour(day) !== detailed);
      for (const day of days.splice(0, end < 0 ? days.length : end)) {
        const hoursOfDay = hoursOf.get(day) ?? [];
        const sum = sumParts(hoursOfDay);
        yield detailed || !sum ? hoursOfDay : [sum];
      }
    }
  };
}

/** The active seconds of an hour with entries in these seconds. */
export function secondsOf(...active: number[]): ActiveSeconds {
  const seconds = noSeconds();
  for (const second of active) addSecond(seconds, second);
  return seconds;
}

type BuiltEntryUsage = EntryUsage & { outputTokens: number };

export function buildEntryUsage(overrides: Partial<BuiltEntryUsage> = {}): BuiltEntryUsage {
  return {
    hour: firstHour,
    second: 0,
    timed: true,
    level: 'none',
    sizeBytes: 1,
    chunks: 1,
    queueType: 'standard',
    queueRequests: 1,
    architecture: 'x86_64',
    memoryMb: 128,
    billedMs: 1,
    mbMs: 128,
    ownMemory: true,
    unpriced: false,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite1hTokens: 0,
    usageUnread: false,
    model: 'amazon.nova-lite-v1:0',
    inputTokens: 0,
    inputEstimated: false,
    outputTokens: 0,
    ...overrides,
  };
}

/** The usage of a batch of entries by hour, sorted. */
export function usageOfEntries(entries: Iterable<{ usage: EntryUsage; pii?: EntryPii }>): HourCounters[] {
  const tally = new UsageTally();
  for (const { usage, pii } of entries) tally.add(usage, pii);
  return tally.hours();
}
