import { setTimeout as sleep } from 'node:timers/promises';
import type { Queues } from '../../shared/all-queues.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import { second } from '../../shared/durations.ts';
import type { IngestEntriesPayload } from '../../shared/ingest/ingest-entries.queue.ts';
import { notQueued } from '../../shared/ingest/overflowed-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { WaitForJob } from '../jobs/wait-for-job.ts';

/**
 * Waits until the batches that have overflowed before are processed, and the ingest jobs that are
 * unfinished now have stored their entries or have failed permanently, at most `limitMs`.
 * @param choose returns those of the scenarios whose jobs are waited for.
 * @returns the number of batches and jobs that are unfinished at the end.
 * @throws AppError SERVICE_UNAVAILABLE if Redis is unreachable at the start.
 */
export type FlushWait = (choose: ChooseScenarios, limitMs: number) => Promise<number>;
type ChooseScenarios = (ids: string[]) => Promise<ReadonlySet<string>>;

interface Wait {
  /** The jobs that the queue listed as unfinished last. */
  readonly unfinished: Set<string>;
  /** The unfinished jobs whose ends were not announced since. */
  readonly unannounced: Set<string>;
  readonly end: () => void;
}

const unfinishedStates = ['waiting', 'active', 'delayed', 'prioritized'] as const;
/**
 * Between two listings. Pauses double up to the longest, which is the most that a lost announcement
 * delays a request.
 */
const firstPause = 25;
const longestPause = 1 * second;

/**
 * Ends waits by listings of the queue, each for all waits. A listing follows soon after a wait has
 * begun and after the last of its jobs is announced as ended or about to end, otherwise after a
 * growing pause.
 */
export function createFlushWait(deps: {
  queues: Queues;
  waitForJob: WaitForJob;
  models: Pick<Models, 'overflowedBatch'>;
}): FlushWait {
  const { stripes } = deps.queues['ingest-entries'];
  const ofAll = async <Item>(list: (stripe: (typeof stripes)[number]) => Promise<Item[]>) =>
    (await Promise.all(stripes.map(list))).flat();
  const waits = new Set<Wait>();
  let timer: NodeJS.Timeout | undefined;
  let pause = longestPause;

  const removeEnded = async () => {
    // The listing lacks jobs that are added during it.
    const known = [...waits];
    const listed = new Set(await ofAll((stripe) => stripe.getRanges([...unfinishedStates], 0, -1)));
    for (const { unfinished, end } of known) {
      for (const id of unfinished) if (!listed.has(id)) unfinished.delete(id);
      if (unfinished.size === 0) end();
    }
  };
  const check = async () => {
    pause = Math.min(2 * pause, longestPause);
    if (waits.size === 0) return;
    // While Redis is unreachable, waits go on to their limits.
    await removeEnded().catch(() => {});
    checkAfterPause();
  };
  const checkAfterPause = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), pause);
  };
  const checkSoon = () => {
    // Any number of calls do not postpone a check.
    if (pause === firstPause) return;
    pause = firstPause;
    checkAfterPause();
  };
  deps.waitForJob.onAnnouncement('ingest-entries', (jobId) => {
    for (const { unannounced } of waits) if (unannounced.delete(jobId) && unannounced.size === 0) checkSoon();
  });

  const listJobs = shareNext(() => withRedis(() => ofAll((stripe) => stripe.getJobs([...unfinishedStates]))));
  /** @returns the jobs that are unfinished at the end. */
  const waitForJobs = async (choose: ChooseScenarios, limitMs: number): Promise<ReadonlySet<string>> => {
    const unfinished = await findUnfinished(listJobs, choose);
    if (unfinished.size === 0) return unfinished;
    let limit: NodeJS.Timeout | undefined;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
      limit = setTimeout(resolve, limitMs);
    });
    const wait = { unfinished, unannounced: new Set(unfinished), end };
    waits.add(wait);
    checkSoon();
    await ended;
    clearTimeout(limit);
    waits.delete(wait);
    return unfinished;
  };
  return async (choose, limitMs) => {
    const endsAt = performance.now() + limitMs;
    const { waiting, queued } = await waitForOverflow(deps.models.overflowedBatch, choose, endsAt);
    // Their jobs end soon after.
    const unfinished = await waitForJobs(choose, Math.max(0, endsAt - performance.now()));
    return waiting + new Set([...queued, ...unfinished]).size;
  };
}

/** The most that the clocks of two `web` processes differ. */
const clockDifference = 5 * second;

/**
 * @returns the chosen batches that overflowed before the call and are not processed: the number of
 * those without a job, and the ids of those with one.
 */
async function waitForOverflow(
  model: Models['overflowedBatch'],
  choose: ChooseScenarios,
  endsAt: number,
): Promise<{ waiting: number; queued: readonly string[] }> {
  const createdAt = { $lte: new Date(Date.now() + clockDifference) };
  const scenarioIds = await model.distinct('scenarioId');
  if (scenarioIds.length === 0) return { waiting: 0, queued: [] };
  const chosen = { scenarioId: { $in: [...(await choose(scenarioIds))] }, createdAt };
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    const count = await model.countDocuments(chosen);
    const left = endsAt - performance.now();
    if (count === 0) return { waiting: 0, queued: [] };
    if (left <= 0) {
      const queued = await model.find({ ...chosen, queuedAt: { $gt: notQueued } }, { _id: 1 }).lean();
      return {
        waiting: await model.countDocuments({ ...chosen, queuedAt: notQueued }),
        queued: queued.map(({ _id }) => _id),
      };
    }
    await sleep(Math.min(pause, left));
  }
}

async function findUnfinished(
  listJobs: () => Promise<readonly { id?: string | undefined; data: unknown }[]>,
  choose: ChooseScenarios,
): Promise<Set<string>> {
  // A job that is removed during the listing is undefined.
  const jobs = (await listJobs()).filter((job) => job);
  const scenarioOf = ({ data }: { data: unknown }) => (data as IngestEntriesPayload).scenarioId;
  const chosen = await choose([...new Set(jobs.map(scenarioOf))]);
  return new Set(jobs.filter((job) => chosen.has(scenarioOf(job))).map(({ id }) => id ?? ''));
}

/** Calls that arrive during a read share the next one, which begins after it. */
function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const reading = read();
      current = reading.catch(() => {});
      return reading;
    });
    return next;
  };
}
