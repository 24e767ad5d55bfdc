import { allQueues, type QueueName, type Queues } from '../../shared/all-queues.ts';
import { isReadOnlyError } from '../../shared/connections/redis.ts';
import { second } from '../../shared/durations.ts';
import { readHeartbeats, stalledAfter, type WorkerReport, type WorkerState } from '../../shared/process/heartbeat.ts';
import { succeedsWithin } from '../../shared/process/succeeds-within.ts';
import { countDueJobs } from '../../shared/queues/count-due-jobs.ts';
import type { RouteDeps } from '../app-deps.ts';

const checkLimit = 2 * second;

type CheckName = 'mongodb' | 'redis' | 'worker' | 'queues' | 'notebook_backend';

interface Readiness {
  checks: Record<CheckName, 'up' | 'down'>;
  workers: WorkerReport[];
  /** The parts that are down, by name; empty if the service is ready. */
  problems: { field: string; error: string }[];
}

type Deps = Pick<RouteDeps, 'mongo' | 'redis' | 'config' | 'queues' | 'notebookBreaker'>;

/** Checks everything that the service needs, within two seconds. Redis must accept a write. */
export async function checkReadiness({ mongo, redis, config, queues, notebookBreaker }: Deps): Promise<Readiness> {
  let workers: WorkerReport[] = [];
  let stalled: { name: string; error: string }[] = [];
  let isReadOnly = false;
  const writeToRedis = async () => {
    try {
      return (await redis.set(`${config.redisPrefix}:readiness`, '', 'PX', checkLimit)) === 'OK';
    } catch (error) {
      isReadOnly = isReadOnlyError(error);
      throw error;
    }
  };
  const [mongodbIsUp, redisIsUp, workersAreKnown, backendIsUp] = await Promise.all([
    succeedsWithin(checkLimit, async () => (await mongo.db?.command({ ping: 1 })) !== undefined),
    succeedsWithin(checkLimit, writeToRedis),
    succeedsWithin(checkLimit, async () => {
      workers = await readHeartbeats(redis, config.redisPrefix);
      stalled = await findStalledQueues(workers.filter(isBeating), queues);
      return true;
    }),
    succeedsWithin(checkLimit, async () => !(await notebookBreaker.state()).open),
  ]);
  const state = (isUp: boolean) => (isUp ? 'up' : 'down');
  const checks: Readiness['checks'] = {
    mongodb: state(mongodbIsUp),
    redis: state(redisIsUp),
    // One worker that reaches the database is enough: jobs that fail in another are retried.
    worker: state(workers.filter(isBeating).some(({ mongodb }) => mongodb === 'up')),
    queues: state(workersAreKnown && stalled.length === 0),
    notebook_backend: state(backendIsUp),
  };
  const problems = Object.entries(checks)
    .filter(([, check]) => check === 'down')
    .map(([field]) => ({ field, error: field === 'redis' && isReadOnly ? 'is read-only' : 'is down' }));
  if (problems.length > 0) {
    for (const { id, mongodb, state: workerState } of workers) {
      const problem = problemOf[workerState];
      if (problem !== null) problems.push({ field: `worker.${id}`, error: problem });
      else if (mongodb === 'down') problems.push({ field: `worker.${id}`, error: 'does not reach MongoDB' });
    }
    for (const { name, error } of stalled) problems.push({ field: `queues.${name}`, error });
  }
  return { checks, workers, problems };
}

const isBeating = ({ state }: WorkerReport) => state !== 'silent';

const problemOf: Readonly<Record<WorkerState, string | null>> = {
  up: null,
  stuck: `runs jobs that have made no progress for ${stalledAfter / second} seconds`,
  silent: 'sends no heartbeat: it is frozen, or has ended without a shutdown',
};

/** Queues with jobs on which no worker makes progress. */
async function findStalledQueues(workers: readonly WorkerReport[], queues: Queues) {
  const stalled: { name: string; error: string }[] = [];
  for (const name of Object.keys(allQueues) as QueueName[]) {
    const reports = workers.flatMap((worker) => worker.queues.filter((queue) => queue.name === name));
    if (reports.length === 0) {
      if ((await countDueJobs(queues, name)) > 0) stalled.push({ name, error: 'has jobs, and no worker serves it' });
    } else if (reports.every(({ stalledMs }) => stalledMs >= stalledAfter)) {
      stalled.push({ name, error: `has jobs, and has made no progress for ${stalledAfter / second} seconds` });
    }
  }
  return stalled;
}
