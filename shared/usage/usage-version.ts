import type { UsageStore } from './usage-store.ts';

/**
 * Reads a text that is another one after every change of a scenario's usage, or of the batches that
 * are not part of it. Between two roll-ups, uncounted batches only become more, those of all states
 * and the stored ones. So no text returns, as long as all are counted before the stored ones.
 * @returns undefined during a roll-up, and for a deleted scenario.
 */
export async function readUsageVersion(
  store: Pick<UsageStore, 'readPlan' | 'countUncounted'>,
): Promise<string | undefined> {
  const before = await store.readPlan();
  if (!before || before.open) return undefined;
  const all = await store.countUncounted();
  const [stored, failed] = await Promise.all([
    store.countUncounted({ state: 'stored' }),
    store.countUncounted({ state: 'failed' }),
  ]);
  const after = await store.readPlan();
  if (!after || after.open || after.seq !== before.seq) return undefined;
  return [before.seq, all, stored, failed].join();
}
