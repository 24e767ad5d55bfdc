import { type Static, Type } from 'typebox';
import { allQueues, type QueueName, type Queues } from '../../shared/all-queues.ts';
import { isReadOnlyError } from '../../shared/connections/redis.ts';
import { second } from '../../shared/durations.ts';
import { AppError, type FieldError } from '../../shared/errors.ts';
import { type Backlog, leastBatchBytes } from '../../shared/ingest/backlog.ts';
import { readHeartbeats, stalledAfter, type WorkerReport, type WorkerState } from '../../shared/process/heartbeat.ts';
import { succeedsWithin } from '../../shared/process/semaphore.ts';
import { countJobs } from '../../shared/queues/count-jobs.ts';
import type { RouteDeps } from '../app-deps.ts';
import { publicAccess } from '../http/access/access-rules.ts';
import { envelopeFields, presentError } from '../http/error-envelope.ts';
import { Joi } from '../http/input.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteTag } from '../http/route.ts';

export const serviceTag: RouteTag = { name: 'service', description: 'The state and the description of the service.' };

const health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' });
const upOrDown = () => oneOf(['up', 'down']);
const checks = Type.Object({
  mongodb: upOrDown(),
  indexes: upOrDown(),
  backlog: upOrDown(),
  redis: upOrDown(),
  worker: upOrDown(),
  queues: upOrDown(),
  notebook_backend: upOrDown(),
});
const worker = Type.Object(
  {
    id: uuid(),
    state: oneOf(['up', 'stuck', 'silent']),
    mongodb: upOrDown(),
    queues: Type.Array(
      Type.Object({
        name: Type.String(),
        last_progress: nullable(timestamp(), {
          description: 'When the worker last completed a job of the queue; null if it has not yet.',
        }),
        stalled_ms: count({ description: 'How long the queue has had jobs without progress of this worker.' }),
        stuck_ms: count({ description: 'How long the jobs that the worker runs have made no progress.' }),
      }),
    ),
  },
  { $id: 'Worker' },
);
const states = { checks, workers: Type.Array(worker) };
const readyResponse = Type.Object({ status: Type.Literal('ready'), ...states }, { $id: 'Readiness' });
const notReady = Type.Object({ ...envelopeFields, status: Type.Literal('not_ready'), ...states }, { $id: 'NotReady' });

/** `?for=`: what a caller wants to use besides this process. */
const readinessPurposes = ['ingest', 'notebooks', 'all'] as const;
type ReadinessPurpose = (typeof readinessPurposes)[number];

const readinessQuery = Joi.object<{ for?: ReadinessPurpose }>({
  for: Joi.string()
    .valid(...readinessPurposes)
    .description(
      '`ingest`: also room in the backlog of log entries. `notebooks`: also Redis, a worker, progress of the calls, and the notebook backend. `all`: all parts. Without it: MongoDB.',
    ),
});

export function healthRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      tag: serviceTag,
      summary: 'Report whether the process is up',
      access: publicAccess,
      limit: null,
      responses: { 200: json(health) },
      handle: async () => reply(200, { status: 'ok' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      operationId: 'getReadiness',
      tag: serviceTag,
      summary: 'Report whether the process can serve, and the state of all parts',
      description:
        'MongoDB decides. The other parts are listed with their state, and decide only if `for` names what needs them, so that an unavailable part takes nothing else down.',
      access: publicAccess,
      limit: null,
      query: readinessQuery,
      responses: {
        200: json(readyResponse, { description: 'Everything that `for` needs is up.' }),
        503: json(notReady, { description: 'A part is down; `details` names it.', headers: ['Retry-After'] }),
      },
      handle: async ({ requestId, query }, deps) => {
        const { checks, workers: heartbeats, problems } = await checkReadiness(deps, query.for ?? 'serve');
        const workers = heartbeats.map(presentWorker);
        if (problems.length === 0) return reply(200, { status: 'ready', checks, workers });
        const names = problems.map(({ field }) => field).join(', ');
        const error = new AppError('SERVICE_UNAVAILABLE', `Not ready: ${names}.`, { details: problems });
        const body = { ...presentError(error, requestId), status: 'not_ready' as const, checks, workers };
        return reply(503, body, { 'Retry-After': '1' });
      },
    }),
  ];
}

function presentWorker({ id, state, mongodb, queues }: WorkerReport) {
  return {
    id,
    state,
    mongodb,
    queues: queues.map(({ name, lastProgress, stalledMs, stuckMs }) => ({
      name,
      last_progress: lastProgress,
      stalled_ms: stalledMs,
      stuck_ms: stuckMs,
    })),
  };
}

const checkLimit = 2 * second;

type CheckName = keyof typeof checks.properties;

/**
 * Without a purpose, only what this process itself serves with decides. A load balancer must not
 * remove every `web` because a worker or a notebook backend is unavailable.
 */
const needs: Readonly<
  Record<ReadinessPurpose | 'serve', { checks: readonly CheckName[]; queues: readonly QueueName[] }>
> = {
  serve: { checks: ['mongodb', 'indexes'], queues: [] },
  ingest: { checks: ['mongodb', 'indexes', 'backlog'], queues: [] },
  notebooks: { checks: ['mongodb', 'indexes', 'redis', 'worker', 'notebook_backend'], queues: ['notebook-calls'] },
  all: {
    checks: ['mongodb', 'indexes', 'backlog', 'redis', 'worker', 'notebook_backend'],
    queues: Object.keys(allQueues) as QueueName[],
  },
};

const down = 'is down';

/** @returns what a check returns: null, or the end of a sentence; `down` if it fails or is late. */
async function problemWithin(check: () => Promise<string | null>): Promise<string | null> {
  let problem: string | null = down;
  await succeedsWithin(checkLimit, async () => {
    problem = await check();
    return true;
  });
  return problem;
}

/**
 * Checks all parts of the service within two seconds. Redis must accept a write.
 * @returns the state of all parts, and the problems of those that the purpose needs.
 */
async function checkReadiness(
  { mongo, redis, config, queues, notebookBreaker, findMissingIndexes, backlog }: RouteDeps,
  purpose: ReadinessPurpose | 'serve',
) {
  let workers: WorkerReport[] = [];
  let stalled: StalledQueue[] = [];
  const [mongodb, indexes, redisProblem, workersUnknown, backend] = await Promise.all([
    problemWithin(async () => ((await mongo.db?.command({ ping: 1 })) ? null : down)),
    problemWithin(async () => {
      const missing = await findMissingIndexes();
      return missing.length === 0 ? null : `are missing: ${missing.join(', ')}; run \`npm run migrate\``;
    }),
    problemWithin(async () => {
      try {
        await redis.set(`${config.redisPrefix}:readiness`, '', 'PX', checkLimit);
        return null;
      } catch (error) {
        return isReadOnlyError(error) ? 'is read-only' : down;
      }
    }),
    problemWithin(async () => {
      workers = await readHeartbeats(redis, config.redisPrefix);
      stalled = await findStalledQueues(workers.filter(isBeating), { queues, backlog });
      return null;
    }),
    problemWithin(async () => {
      const problem = await notebookBreaker.problem();
      return problem === '' ? null : `is down: ${problem}`;
    }),
  ]);
  // A sum of a deep backlog can take longer than the limit of a check.
  const backlogHasRoom = backlog.known().bytes + leastBatchBytes <= config.ingest.maxBacklogBytes;
  const full = mongodb === null ? 'is full: workers do not process entries as fast as they arrive' : down;
  // One worker that reaches the database is enough: jobs that fail in another are retried.
  const hasWorker = workers.filter(isBeating).some((each) => each.mongodb === 'up');
  const problemsByName: Record<CheckName, string | null> = {
    mongodb,
    indexes,
    backlog: backlogHasRoom ? null : full,
    redis: redisProblem,
    worker: hasWorker ? null : down,
    queues: workersUnknown ?? (stalled.length === 0 ? null : down),
    notebook_backend: backend,
  };
  const needed = needs[purpose];
  const problems: FieldError[] = needed.checks.flatMap((field) => {
    const error = problemsByName[field];
    return error === null ? [] : [{ field, error }];
  });
  const stalledHere = stalled.filter(({ name }) => needed.queues.includes(name));
  if (needed.queues.length > 0 && (stalledHere.length > 0 || workersUnknown !== null)) {
    problems.push({ field: 'queues', error: down });
  }
  if (problems.length > 0 && needed.checks.includes('worker')) {
    for (const { id, mongodb: reached, state } of workers) {
      const error = problemOf[state] ?? (reached === 'down' ? 'does not reach MongoDB' : null);
      if (error !== null) problems.push({ field: `worker.${id}`, error });
    }
    for (const { name, error } of stalledHere) problems.push({ field: `queues.${name}`, error });
  }
  const states = Object.entries(problemsByName).map(([name, problem]) => [name, problem === null ? 'up' : 'down']);
  return { checks: Object.fromEntries(states) as Static<typeof checks>, workers, problems };
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
  { queues, backlog }: { queues: Queues; backlog: Backlog },
): Promise<StalledQueue[]> {
  const stalled: StalledQueue[] = [];
  for (const name of Object.keys(allQueues) as QueueName[]) {
    const reports = workers.flatMap((worker) => worker.queues.filter((queue) => queue.name === name));
    if (reports.length === 0) {
      const queued = name === 'ingest-entries' ? (await backlog.read()).batches : 0;
      if (queued + (await countJobs(queues, name)) > 0)
        stalled.push({ name, error: 'has jobs, and no worker serves it' });
    } else if (reports.every(({ stalledMs }) => stalledMs >= stalledAfter)) {
      stalled.push({ name, error: `has jobs, and has made no progress for ${stalledAfter / second} seconds` });
    }
  }
  return stalled;
}
