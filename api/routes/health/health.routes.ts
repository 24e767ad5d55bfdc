import Router from '@koa/router';
import { second } from '../../../shared/durations.ts';
import { AppError } from '../../../shared/errors.ts';
import { workerIsAlive } from '../../../shared/heartbeat.ts';
import type { AppDeps } from '../../app-deps.ts';
import { errorBody } from '../../middleware/error-envelope.ts';
import type { AppState } from '../../request/context.ts';

const checkLimit = 2 * second;

/** `/health`: the process is up. `/health/ready`: so is everything that it needs, each named. */
export function healthRoutes({ mongo, redis, config, notebookBreaker }: AppDeps): Router<AppState> {
  const router = new Router<AppState>();

  router.get('/health', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  const checks: Readonly<Record<string, () => Promise<unknown>>> = {
    mongodb: async () => mongo.db?.command({ ping: 1 }),
    redis: async () => redis.ping(),
    worker: async () => {
      if (!(await workerIsAlive(redis, config.redisPrefix))) throw new Error('no worker has given a sign of life');
    },
    notebook_backend: async () => {
      if ((await notebookBreaker.state()).open) throw new Error('calls to the notebook backend fail');
    },
  };

  router.get('/health/ready', async (ctx) => {
    const names = Object.keys(checks);
    const results = await Promise.allSettled(Object.values(checks).map((check) => withinLimit(check())));
    const states = Object.fromEntries(
      names.map((name, index) => [name, results[index]?.status === 'fulfilled' ? 'up' : 'down']),
    );
    const down = names.filter((name) => states[name] === 'down');
    if (down.length === 0) {
      ctx.body = { status: 'ready', checks: states };
      return;
    }
    const error = new AppError('SERVICE_UNAVAILABLE', `Not ready: ${down.join(', ')} down.`, {
      details: down.map((field) => ({ field, error: 'is down' })),
    });
    ctx.status = error.status;
    ctx.set('Retry-After', '1');
    ctx.body = { ...errorBody(error, ctx.state.requestId), status: 'not_ready', checks: states };
  });

  return router;
}

async function withinLimit(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), checkLimit);
  });
  try {
    await Promise.race([check, limit]);
  } finally {
    clearTimeout(timer);
  }
}
