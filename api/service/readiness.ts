import { allQueues, type QueueName } from '../../shared/all-queues.ts';
import { isReadOnlyError } from '../../shared/connections/redis.ts';
import { taggedPrefix } from '../../shared/connections/redis-client.ts';
import { second } from '../../shared/durations.ts';
import { readHeartbeats, stalledAfter, type WorkerReport, type WorkerState } from '../../shared/process/heartbeat.ts';
import { StartError } from '../../shared/process/start-error.ts';
import { succeedsWithin } from '../../shared/process/succeeds-within.ts';
import { countDueJobs } from '../../shared/queues/count-jobs.ts';
import type { RouteDeps } from '../app-deps.ts';

const checkLimit = 2 * second;

type CheckName = 'mongodb' | 'indexes' | 'redis' | 'worker' | 'queues' | 'notebook_backend' | 'report_store';

/** `?for=`: what a caller wants to use besides this process. */
export const readinessPurposes = ['ingest', 'notebooks', 'all'] as const;
export type ReadinessPurpose = (typeof readinessPurposes)[number];

/**
 * Without a purpose, only what this process itself serves with decides. A load balancer must not
 * remove every `web` because a worker or a notebook backend is unavailable.
 */
const needs: Readonly<
  Record<ReadinessPurpose | 'serve', { checks: readonly CheckName[]; queues: readonly QueueName[] }>
> = {
  serve: { checks: ['mongodb', 'indexes', 'redis'], queues: [] },
  ingest: { checks: ['mongodb', 'indexes', 'redis', 'worker'], queues: ['ingest-entries', 'roll-up-usage'] },
  notebooks: { checks: ['mongodb', 'indexes', 'redis', 'worker', 'notebook_backend'], queues: ['notebook-calls'] },
  all: {
    checks: ['mongodb', 'indexes', 'redis', 'worker', 'notebook_backend', 'report_store'],
    queues: Object.keys(allQueues) as QueueName[],
  },
};

interface Readiness {
  checks: Record<CheckName, 'up' | 'down'>;
  workers: WorkerReport[];
  /** The parts that are down and that the purpose needs, by name; empty if it is ready for it. */
  problems: Problem[];
}

interface Problem {
  field: string;
  error: string;
}

type Deps = Pick<
  RouteDeps,
  'mongo' | 'redis' | 'config' | 'queues' | 'notebookBreaker' | 'findMissingIndexes' | 'files' | 'overflow'
>;

/** Checks all parts of the service within two seconds. Redis must accept a write. */
export async function checkReadiness(
  { mongo, redis, config, queues, notebookBreaker, findMissingIndexes, files, overflow }: Deps,
  purpose: ReadinessPurpose | 'serve',
): Promise<Readiness> {
  let workers: WorkerReport[] = [];
  let stalled: StalledQueue[] = [];
  let missingIndexes: readonly string[] = [];
  let backendProblem = '';
  let isReadOnly = false;
  let isForeignStore = false;
  const writeToRedis = async () => {
    try {
      // Each queue can be on another master of a Cluster.
      const stripes = (Object.keys(allQueues) as QueueName[]).flatMap((name) => queues[name].stripes);
      const keys = stripes.map(({ name }) => `${taggedPrefix(config.redisPrefix, name)}:readiness`);
      await Promise.all(keys.map((key) => redis.set(key, '', 'PX', checkLimit)));
      return true;
    } catch (error) {
      isReadOnly = isReadOnlyError(error);
      throw error;
    }
  };
  const [mongodbIsUp, indexesExist, redisIsUp, workersAreKnown, backendIsUp, storeIsUp] = await Promise.all([
    succeedsWithin(checkLimit, async () => (await mongo.db?.command({ ping: 1 })) !== undefined),
    succeedsWithin(checkLimit, async () => {
      missingIndexes = await findMissingIndexes();
      return missingIndexes.length === 0;
    }),
    succeedsWithin(checkLimit, writeToRedis),
    succeedsWithin(checkLimit, async () => {
      workers = await readHeartbeats(redis, config.redisPrefix);
      stalled = await findStalledQueues(workers.filter(isBeating), { queues, overflow });
      return true;
    }),
    succeedsWithin(checkLimit, async () => {
      backendProblem = await notebookBreaker.problem();
      return backendProblem === '';
    }),
    succeedsWithin(checkLimit, async () => {
      await files.check().catch((error: unknown) => {
        isForeignStore = error instanceof StartError;
        throw error;
      });
      return true;
    }),
  ]);
  const state = (isUp: boolean) => (isUp ? 'up' : 'down');
  const checks: Readiness['checks'] = {
    mongodb: state(mongodbIsUp),
    indexes: state(indexesExist),
    redis: state(redisIsUp),
    // One worker that reaches the database is enough: jobs that fail in another are retried.
    worker: state(workers.filter(isBeating).some(({ mongodb }) => mongodb === 'up')),
    queues: state(workersAreKnown && stalled.length === 0),
    notebook_backend: state(backendIsUp),
    report_store: state(storeIsUp),
  };
  const needed = needs[purpose];
  const reasons: Partial<Record<CheckName, string>> = {
    ...(isReadOnly ? { redis: 'is read-only' } : {}),
    ...(backendProblem === '' ? {} : { notebook_backend: `is down: ${backendProblem}` }),
    ...(isForeignStore ? { report_store: 'belongs to another installation' } : {}),
    ...(missingIndexes.length > 0
      ? { indexes: `are missing: ${missingIndexes.join(', ')}; run \`npm run migrate\`` }
      : {}),
  };
  const stalledHere = stalled.filter(({ name }) => needed.queues.includes(name));
  const isDown = (name: CheckName) => checks[name] === 'down';
  const problems = needed.checks
    .filter(isDown)
    .map((field): Problem => ({ field, error: reasons[field] ?? 'is down' }));
  if (needed.queues.length > 0 && (stalledHere.length > 0 || !workersAreKnown)) {
    problems.push({ field: 'queues', error: 'is down' });
  }
  if (problems.length > 0 && needed.checks.includes('worker')) {
    for (const { id, mongodb, state: workerState } of workers) {
      const problem = problemOf[workerState];
      if (problem !== null) problems.push({ field: `worker.${id}`, error: problem });
      else if (mongodb === 'down') problems.push({ field: `worker.${id}`, error: 'does not reach MongoDB' });
    }
    for (const { name, error } of stalledHere) problems.push({ field: `queues.${name}`, error });
  }
  return { checks, workers, problems };
}

const isBeating = ({ state }: WorkerReport) => state !== 'silent';

const problemOf: Readonly<Record<WorkerState, string | null>> = {
  up: null,
  stuck: `runs jobs that have made no progress for ${stalledAfter / second} seconds`,
  silent: 'sends no heartbeat: it is frozen, or has ended without a shutdown',
};

interface StalledQueue {
  name: QueueName;
  error: string;
}

/** Queues with jobs on which no worker makes progress. */
async function findStalledQueues(
  workers: readonly WorkerReport[],
  { queues, overflow }: Pick<Deps, 'queues' | 'overflow'>,
): Promise<StalledQueue[]> {
  const stalled: StalledQueue[] = [];
  for (const name of Object.keys(allQueues) as QueueName[]) {
    const reports = workers.flatMap((worker) => worker.queues.filter((queue) => queue.name === name));
    if (reports.length === 0) {
      const overflowed = name === 'ingest-entries' ? overflow.usage.known().batches : 0;
      if (overflowed + (await countDueJobs(queues, name)) > 0)
        stalled.push({ name, error: 'has jobs, and no worker serves it' });
    } else if (reports.every(({ stalledMs }) => stalledMs >= stalledAfter)) {
      stalled.push({ name, error: `has jobs, and has made no progress for ${stalledAfter / second} seconds` });
    }
  }
  return stalled;
}
