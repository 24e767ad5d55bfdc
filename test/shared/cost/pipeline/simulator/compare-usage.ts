// Usage that is derived from counters, beside usage that is simulated from arrival times.
import { createDerivation } from '../../../../../shared/cost/pipeline/derive-hour.ts';
import { CountedHour } from '../../../../../shared/cost/pipeline/hour-counts.ts';
import { applyDefaults } from '../../../../../shared/scenarios/assumptions.ts';
import { completePipeline, type Pipeline } from '../../../../../shared/scenarios/pipeline.ts';
import type { LevelCount } from '../../../../../shared/usage/usage.ts';
import { claude, secondsOf } from '../build-levels.ts';
import { type ArrivalShape, arrivalShapes, generateArrivals, splitHours } from './arrival-shapes.ts';
import { type Arrival, type SimulatedMapping, type SimulatedUsage, simulatePipeline } from './simulate-pipeline.ts';

const hourMs = 3_600_000;

/** Windows in seconds and batch sizes. A batch of more than 10 requires a window. */
export const mappings: readonly SimulatedMapping[] = [0, 1, 20, 300].flatMap((windowSeconds) =>
  [10, 50, 1_000]
    .filter((batchSize) => windowSeconds > 0 || batchSize <= 10)
    .map((batchSize) => ({ windowSeconds, batchSize, entriesPerCall: 50 })),
);

/** Windows last their time although a batch is full, as in the formulas. */
export const fixedWindows: readonly SimulatedMapping[] = mappings.map((mapping) => ({
  ...mapping,
  hasFixedWindows: true,
}));

export interface Comparison {
  shape: ArrivalShape;
  mapping: SimulatedMapping;
  simulated: SimulatedUsage;
  derived: SimulatedUsage;
}

export interface Variant {
  mappings?: readonly SimulatedMapping[];
  /** Changes the arrivals that are simulated. */
  rearrange?: (arrivals: readonly Arrival[]) => readonly Arrival[];
}

/** Compares all shapes with all mappings. */
export function compareShapes(seed: number, variant?: Variant): Comparison[] {
  return arrivalShapes.flatMap((shape) =>
    compareUsage(generateArrivals(shape, seed), variant).map((usage) => ({ shape, ...usage })),
  );
}

export function compareUsage(
  arrivals: readonly Arrival[],
  { mappings: chosen = mappings, rearrange = (same) => same }: Variant = {},
): Omit<Comparison, 'shape'>[] {
  const hours = countHours(arrivals);
  const simulated = rearrange(arrivals);
  return chosen.map((mapping) => ({
    mapping,
    simulated: simulatePipeline(simulated, hours.length * hourMs, mapping),
    derived: deriveUsage(hours, mapping),
  }));
}

/** Derived over simulated usage, minus 1. */
export function differenceOf(
  { simulated, derived }: Pick<Comparison, 'simulated' | 'derived'>,
  field: keyof SimulatedUsage,
): number {
  return simulated[field] === derived[field] ? 0 : derived[field] / simulated[field] - 1;
}

/** Whether derived usage is within 3 % or one of simulated usage. */
export function isClose(comparison: Pick<Comparison, 'simulated' | 'derived'>, field: keyof SimulatedUsage): boolean {
  const { simulated, derived } = comparison;
  return Math.abs(derived[field] - simulated[field]) <= 1 || Math.abs(differenceOf(comparison, field)) <= 0.03;
}

export function countClose(comparisons: readonly Comparison[], field: keyof SimulatedUsage): number {
  return comparisons.filter((one) => isClose(one, field)).length;
}

/** The counters of each hour. */
function countHours(arrivals: readonly Arrival[]): LevelCount[][] {
  return splitHours(arrivals).map((all) =>
    (['info', 'error'] as const).map((level) =>
      countLevel(
        level,
        all.filter((arrival) => arrival.level === level),
      ),
    ),
  );
}

function countLevel(level: Arrival['level'], arrivals: readonly Arrival[]): LevelCount {
  const entries = BigInt(arrivals.length);
  const sumOf = (value: (arrival: Arrival) => number) =>
    BigInt(arrivals.reduce((sum, arrival) => sum + value(arrival), 0));
  return {
    level,
    entries,
    sizeBytes: sumOf(({ sizeBytes }) => sizeBytes),
    chunks: sumOf(({ sizeBytes }) => Math.ceil(sizeBytes / 65_536)),
    functions: [],
    inference: [{ model: claude, entries, inputTokens: 0n, outputTokens: 0n, entriesWithoutOutput: entries }],
    seconds: secondsOf(arrivals.map(({ at }) => Math.floor((at % hourMs) / 1_000))),
  };
}

function deriveUsage(hours: readonly LevelCount[][], mapping: SimulatedMapping): SimulatedUsage {
  const fn = { batch_size: mapping.batchSize, window_seconds: mapping.windowSeconds };
  const inference = { entries_per_call: mapping.entriesPerCall };
  const derive = createHourDerivation({ function: fn, inference });
  const deriveErrors = createHourDerivation({ function: fn, inference: { ...inference, levels: ['error'] } });
  const usage = { receives: 0, emptyReceives: 0, invocations: 0, deletes: 0, calls: 0, errorCalls: 0 };
  for (const levels of hours) {
    const hour = new CountedHour(levels);
    const { queue, function: runs, inference: calls } = derive(hour);
    usage.receives += Number(queue.receives);
    usage.emptyReceives += Number(queue.emptyReceives);
    usage.invocations += Number(runs.invocations);
    usage.deletes += Number(queue.deletes);
    for (const row of calls) usage.calls += Number(row.calls);
    for (const row of deriveErrors(hour).inference) usage.errorCalls += Number(row.calls);
  }
  return usage;
}

const createHourDerivation = (pipeline: Pipeline) =>
  createDerivation({ ...applyDefaults({}), pipeline: completePipeline(pipeline) });
