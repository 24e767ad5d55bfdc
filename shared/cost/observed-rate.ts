// The rate at which entries arrive, and a month at it. The rate rests on the seconds that entries
// cover, not on whole hours, which entries can cover in part.

import { spanInWords } from '../amounts.ts';
import { levelClasses } from '../scenarios/pipeline.ts';
import { type HourCounters, readSeconds, type UsageTotals } from '../usage/stored-hour.ts';
import { type Ratio, scaleCounters } from './integers.ts';
import {
  type EntryCounts,
  type HourCounts,
  type LevelSet,
  levelSetOf,
  listSeconds,
  secondsPerHour,
} from './pipeline/hour-counts.ts';

/** A month has 730 hours. */
export const secondsPerMonth = 2_628_000n;

export type ObservedHour = ReturnType<typeof observeHour>;

/**
 * The part of an hour with entries that decides on the rate; its counters are not kept.
 * @param callLevels the sets of levels whose last second is needed.
 */
export function observeHour({ logs, timedSeconds }: HourCounters, counts: HourCounts, callLevels: readonly LevelSet[]) {
  const { start } = counts;
  const lastOf = ({ activeSeconds, lastSecond }: EntryCounts) => (activeSeconds > 0 ? start + lastSecond : -Infinity);
  const all = counts.of(everyLevel);
  const timed = listSeconds(timedSeconds ? [readSeconds(timedSeconds)] : []);
  const spanOf = (first = 0, last = 0, count = 0) =>
    count > 0 ? { first: start + first, last: start + last, count } : null;
  return {
    /** In epoch seconds. */
    start,
    entries: BigInt(logs),
    /** The active epoch seconds of all entries, and of those with a time of their own. */
    all: spanOf(all.firstSecond, all.lastSecond, all.activeSeconds),
    timed: spanOf(timed[0], timed.at(-1), timed.length),
    /** The last second with entries of a set of levels, in epoch seconds; −Infinity without. */
    last: new Map(callLevels.map((set) => [set, lastOf(counts.of(set))])),
  };
}

const everyLevel = levelSetOf(levelClasses);

export interface Observation {
  entries: bigint;
  /** The first and the last active second, in epoch seconds. */
  first: number;
  last: number;
  /** The number of active seconds. */
  active: number;
  /** The start of the last hour with entries, in epoch seconds. */
  lastHour: number;
}

/**
 * Whether the seconds of entries with a time of their own decide on the rate: those of arrival tell
 * when a file was sent.
 */
export const areTimed = (hours: readonly ObservedHour[]): boolean =>
  hours.reduce((sum, { timed }) => sum + (timed?.count ?? 0), 0) >= 2;

/** @returns null without active seconds. */
export function observe(hours: readonly ObservedHour[], isTimed: boolean): Observation | null {
  let observed: Observation | null = null;
  let entries = 0n;
  for (const hour of hours) {
    entries += hour.entries;
    const seconds = isTimed ? hour.timed : hour.all;
    if (seconds === null) continue;
    observed ??= { entries, first: seconds.first, last: seconds.last, active: 0, lastHour: hour.start };
    observed.last = seconds.last;
    observed.active += seconds.count;
  }
  return observed && { ...observed, entries, lastHour: hours.at(-1)?.start ?? 0 };
}

/**
 * The observed time in seconds: the last entry is followed by a mean gap. Null for a single active
 * second, which has no rate.
 */
export function observedSeconds({ first, last, active }: Observation): Ratio | null {
  return active < 2 ? null : { times: BigInt(last - first) * BigInt(active), over: BigInt(active - 1) };
}

/** The entries of a month: a whole number of them, or so many a second. */
export interface Volume {
  kind: 'entries_per_month' | 'entries_per_second';
  /** Entries a second. */
  rate: Ratio;
}

/** The time that stands for a month, and how its entries become those of the month. */
export interface RateSpan {
  /** The first active second, in epoch seconds. */
  start: number;
  /** In seconds. */
  length: Ratio;
  /** The volume over the observed one; null for 1. */
  volume: Ratio | null;
  /** The entries of all hours. */
  entries: bigint;
  /** The start of the last hour with entries, in epoch seconds. */
  until: number;
}

/** @returns null without a volume for a single active second. */
export function spanOfRate(observed: Observation, volume: Volume | null): RateSpan | null {
  const { first: start, entries, lastHour: until } = observed;
  const length = observedSeconds(observed);
  if (volume === null) return length && { start, length, volume: null, entries, until };
  const { times, over } = volume.rate;
  if (length) {
    const ratio = { times: times * length.times, over: over * length.over * entries };
    return { start, length, volume: ratio.times === ratio.over ? null : ratio, entries, until };
  }
  // So long that the volume is that of the entries, and at least the second that is active.
  const needed = { times: entries * over, over: times };
  if (needed.times >= needed.over) return { start, length: needed, volume: null, entries, until };
  return { start, length: { times: 1n, over: 1n }, volume: { times, over: over * entries }, entries, until };
}

/** The seconds of an hour that a span covers, up to 3,600; null if it does not touch the hour. */
export function secondsWithin({ start, length: { times, over } }: RateSpan, hourStart: number): Ratio | null {
  const from = BigInt(Math.max(start, hourStart));
  const to = BigInt(hourStart + secondsPerHour);
  const end = BigInt(start) * over + times;
  const covered = (end < to * over ? end : to * over) - from * over;
  if (covered <= 0n) return null;
  return end < to * over ? { times: covered, over } : { times: to - from, over: 1n };
}

/** The start of the last hour that a span touches, in epoch seconds. */
export function lastHourStart({ start, length: { times, over } }: RateSpan): number {
  const hourSeconds = BigInt(secondsPerHour) * over;
  const end = BigInt(start) * over + times;
  return Number((end - 1n) / hourSeconds) * secondsPerHour;
}

/** Fewer whole hours have no thirds that could differ. */
const minWholeHours = 6;

/** The thirds of the whole hours that a span covers; empty if they are fewer than six. */
export function thirdsOf(
  hours: readonly ObservedHour[],
  { start, length: { times, over } }: RateSpan,
): ObservedHour[][] {
  const first = Math.ceil(start / secondsPerHour);
  const end = Number((BigInt(start) * over + times) / (BigInt(secondsPerHour) * over));
  const count = end - first;
  if (count < minWholeHours) return [];
  const cut = (third: number) => (first + Math.floor((third * count) / 3)) * secondsPerHour;
  return [0, 1, 2].map((third) => hours.filter((hour) => hour.start >= cut(third) && hour.start < cut(third + 1)));
}

/**
 * The usage of a month from that of the hours of a span, each counter rounded up.
 * @param ofEntries the ratio of the entries.
 * @param ofServices the ratio of what they cause.
 */
export function scaleUsage(usage: UsageTotals, ofEntries: Ratio, ofServices: Ratio): UsageTotals {
  const { logs, sizeBytes, piiLogs = 0, pii = {}, queues, emptyReceives = 0, functions, inference } = usage;
  return {
    ...scaleCounters({ logs, sizeBytes, piiLogs, pii }, ofEntries),
    ...scaleCounters({ queues, emptyReceives, functions, inference }, ofServices),
  };
}

/** `6,000 entries in a minute`. */
export function observationInWords({ entries }: Pick<Observation, 'entries'>, length: Ratio): string {
  return `${countInWords(entries)} in ${spanInWords(Number(length.times) / Number(length.over))}`;
}

export const countInWords = (entries: bigint): string =>
  entries === 1n ? '1 entry' : `${entries.toLocaleString('en-US')} entries`;
