// Counts the batches of a scenario into its hours and days, each once, without transactions.
//
// A plan names the batches that are being counted, under a sequence number that is used once. A sum
// has the number of the last plan that changed it, and a plan changes each of its sums once: the
// number tells whether it has. So a plan can be carried out by any number of processes, which may
// end, pause or repeat steps at any time.
//
//   a  Read the plan.
//   b  If it is open: S is its number. Read those of its batches that are not marked as counted.
//      The others were marked after all sums had been written.
//   c  Otherwise: S is the next number. Find stored batches that are not marked, only after a. Open
//      the plan, if it is unchanged since a. Any plan that has counted since then has changed it.
//   d  For each hour and day, add the usage of all these batches at once. Read the sum. It is done
//      if its number is S or higher. Otherwise replace it, if it still has the number that was
//      read, or insert it. If the write is refused, the plan continues: read the sum again.
//   e  Only when all sums are written: mark the batches as counted.
//   f  Only when all are marked: end the plan, if it still is S and open.
//
// Each step decides by documents that a majority of the members has, so a failover does not undo
// them. A read of usage (`read-usage.ts`) reads the plan, then the batches, then the sums.

import { unavailable } from '../errors.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { BatchSums, levelsIn, mergeCounters, type Sums } from './stored-hour.ts';
import type { Stored } from './usage.model.ts';
import { type SumWrite, sumId, type UncountedBatch, type UsageStore } from './usage-store.ts';

/** Bounds the size of a plan. */
const maxBatches = 1_000;
/** Bounds the memory of a roll-up, below what a read takes. A batch has at most 1,000. */
const maxLevelsOfHours = 10_000;
/** Sums that are read and written together. */
const sumsPerWrite = 100;
/** A write that another one precedes is repeated. More repeats in a row are due to stale reads. */
const maxRefusals = 20;

/**
 * Counts the batches that are stored and uncounted when it begins, and completes a plan that
 * another roll-up has begun.
 * @returns the number of batches; undefined if the scenario is deleted: the caller then removes the
 * sums that were written for it.
 */
export async function rollUp(
  store: UsageStore,
  scenarioId: string,
  hooks: {
    /** Called after sums are written. */
    isScenarioDeleted: () => Promise<boolean>;
    /** Called after every plan. */
    reportProgress: () => void;
  },
): Promise<number | undefined> {
  let counted = 0;
  let isEnd = false;
  for (let refusals = 0; refusals < maxRefusals; ) {
    const plan = await store.readPlan();
    if (plan === null) return undefined;
    // Batches that arrive while this job runs have a job of their own, which starts after it. This
    // job would otherwise count batches one by one, as they arrive.
    if (!plan.open && isEnd) return counted;
    // An open plan was bounded when it was cut, and all of its batches are marked together.
    const found = plan.open ? store.findBatches(plan.ids) : store.findStored();
    const portion = await sumBatches(found, !plan.open);
    const ids = plan.open ? plan.ids : portion.ids;
    const seq = plan.open ? plan.seq : plan.seq + 1;
    if (!plan.open && ids.length === 0) return counted;
    if (!plan.open && !(await store.openPlan(plan, ids))) {
      refusals += 1;
      continue;
    }
    await addToSums(store, 'hours', scenarioId, seq, portion.sums.hours);
    await addToSums(store, 'days', scenarioId, seq, portion.sums.days);
    // A deletion marks the scenario before it removes sums, so one that missed these is found here.
    if (await hooks.isScenarioDeleted()) return undefined;
    await store.markCounted(ids);
    await store.endPlan(seq);
    hooks.reportProgress();
    refusals = 0;
    counted += portion.ids.length;
    isEnd = !plan.open && portion.isLast;
  }
  throw unavailable('The plan of the roll-up changes while it is read.', 2);
}

/** Sums batches as they are read; if bounded, until there are enough for a plan. */
async function sumBatches(batches: AsyncIterable<UncountedBatch>, isBounded: boolean) {
  const sums = new BatchSums();
  let levelsOfHours = 0;
  const ids = new Set<string>();
  for await (const { _id, usage = [] } of batches) {
    // A change of its state can move a batch ahead of the cursor, which then reads it again.
    if (ids.has(_id)) continue;
    ids.add(_id);
    for (const hour of usage) {
      if (isSliceOver()) await nextSlice();
      sums.add(hour);
      levelsOfHours += levelsIn(hour);
    }
    const isFull = ids.size >= maxBatches || levelsOfHours >= maxLevelsOfHours;
    if (isBounded && isFull) return { ids: [...ids], sums, isLast: false };
  }
  return { ids: [...ids], sums, isLast: true };
}

async function addToSums<Kind extends keyof Sums>(
  store: UsageStore,
  kind: Kind,
  scenarioId: string,
  seq: number,
  sums: ReadonlyMap<number, Sums[Kind]>,
): Promise<void> {
  const additions = Array.from(sums, ([start, sum]) => [sumId(kind, scenarioId, start), sum] as const);
  for (let start = 0; start < additions.length; start += sumsPerWrite) {
    const portion = new Map(additions.slice(start, start + sumsPerWrite));
    for (let refusals = 0; !(await tryToAdd(store, kind, seq, portion)); refusals += 1) {
      if (refusals === maxRefusals) throw unavailable('The usage of the scenario changes while it is counted.', 2);
    }
  }
}

/** @returns whether all of these sums contain the additions of the plan, which are by their ids. */
async function tryToAdd<Kind extends keyof Sums>(
  store: UsageStore,
  kind: Kind,
  seq: number,
  additions: ReadonlyMap<string, Sums[Kind]>,
): Promise<boolean> {
  const found = new Map<string, Stored<Sums[Kind]>>();
  for await (const sum of store.findSums(kind, [...additions.keys()], { withLevels: true })) found.set(sum._id, sum);
  const writes: SumWrite<Sums[Kind]>[] = [];
  for (const [_id, more] of additions) {
    if (isSliceOver()) await nextSlice();
    const sum = found.get(_id);
    const before = sum?.seq;
    if (before !== undefined && before >= seq) continue;
    const changed = { _id, ...sum, seq } as Stored<Sums[Kind]>;
    mergeCounters(changed, more);
    writes.push({ before, sum: changed });
  }
  return store.writeSums(kind, writes);
}
