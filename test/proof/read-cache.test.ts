import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc, { type Scheduler } from 'fast-check';
import type { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import { createReadCache, type ReadCache } from '../../shared/connections/read-cache.ts';
import { openRedis } from '../../shared/connections/redis.ts';
import { sha256 } from '../../shared/crypto/sha256.ts';
import { second } from '../../shared/durations.ts';
import { captureLog } from '../support/capture-log.ts';
import { deleteKeys } from '../support/redis-keys.ts';
import {
  checkSchedules,
  createCommand,
  type ScheduleCommand,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import { ScheduledRedis } from '../support/scheduled-store/scheduled-redis.ts';
import { getTestServers } from '../support/test-servers.ts';

const processes = [0, 1] as const;
type Process = (typeof processes)[number];

/** The database has one number, which every write increments. */
interface Real {
  readonly redis: ScheduledRedis;
  readonly caches: readonly ReadCache[];
  readonly step: (label: string) => Promise<void>;
  readonly running: Promise<unknown>[];
  value: number;
  /** The greatest value that a write had made when it returned. */
  acknowledged: number;
  /** The greatest value that a read has returned. */
  returned: number;
  isRegistrationLost: boolean;
  failure: unknown;
  /** From then on, a command can take so long that Redis counts as unreachable. */
  readonly slowAt: number;
}

/** @param pause how many steps the reader waits between its read of the database and its store. */
const read = (process: Process, pause: number): ScheduleCommand<Real> =>
  createCommand(`read in ${process}, with a pause of ${pause}`, (real) => {
    const reading = async () => {
      await real.step(`${process}: begin to read`);
      const { acknowledged, returned, isRegistrationLost } = real;
      const load = async () => {
        await real.step(`${process}: read the database`);
        const { value: number } = real;
        for (let steps = pause; steps > 0; steps -= 1) await real.step(`${process}: pauses`);
        return { number };
      };
      const { value, outcome } = await real.caches[process]!.read('key', load);
      if (performance.now() > real.slowAt) return;
      expect(value.number, `what was written before (${outcome})`).to.be.at.least(acknowledged);
      const least = isRegistrationLost || real.isRegistrationLost ? 0 : returned;
      expect(value.number, `what was read before (${outcome})`).to.be.at.least(least);
      real.returned = Math.max(real.returned, value.number);
    };
    const contained = reading().catch((error: unknown) => {
      real.failure ??= error;
    });
    real.running.push(contained);
  });

/** How a write ends: after its change, or with an unknown outcome and the change later. */
type Ending = 'changed' | 'unknown' | 'ended';

const write = (process: Process, ending: Ending): ScheduleCommand<Real> =>
  createCommand(`write in ${process}, ${ending}`, (real) => {
    const change = async () => {
      await real.step(`${process}: change`);
      if (ending === 'unknown') {
        real.running.push(real.step(`${process}: late change`).then(() => (real.value += 1)));
        throw new mongo.MongoNetworkError('The reply is lost.');
      }
      real.value += 1;
      const { value } = real;
      // A process that has ended goes on no further.
      if (ending === 'ended') await new Promise(() => {});
      await real.step(`${process}: reply of the database`);
      return value;
    };
    const writing = async () => {
      const value = await real.caches[process]!.invalidate(change).catch(() => 0);
      real.acknowledged = Math.max(real.acknowledged, value);
    };
    const written = writing();
    if (ending !== 'ended') real.running.push(written);
  });

const failOver = (undone: number) =>
  createCommand<Real>(`fail over, ${undone} commands undone`, async (real) => {
    real.isRegistrationLost = true;
    await real.redis.failOver(undone);
  });

describe('cached reads in random schedules', () => {
  const prefix = `${getTestServers().prefix}_${randomUUID()}`;
  const { log } = captureLog();
  let redis: Redis;

  before(async () => {
    redis = await openRedis(getTestServers().redisUrl, 'request', log);
  });
  after(async () => {
    redis.disconnect();
    await deleteKeys(getTestServers().redisUrl, prefix);
  });

  function create(scheduler: Scheduler): Real {
    const name = randomUUID();
    const keyOf = (part: string) => `${prefix}:${name}:${part}`;
    const strings = [keyOf('generation'), keyOf(`entry:${sha256('key', 'base64url')}`)];
    const scheduled = new ScheduledRedis(redis, scheduler, { strings, sortedSet: keyOf('writes') });
    const step = async (label: string) => scheduler.schedule(Promise.resolve(), label);
    const caches = processes.map((process) =>
      createReadCache({ redis: scheduled.connect(`${process}`) as unknown as Redis, prefix, name, log }),
    );
    return {
      redis: scheduled,
      caches,
      step,
      running: [],
      value: 0,
      acknowledged: 0,
      returned: 0,
      isRegistrationLost: false,
      failure: undefined,
      slowAt: performance.now() + 1 * second,
    };
  }

  it('a cached read shows no state before a write that has returned, and none before that of an earlier read', async () => {
    const process = fc.constantFrom(...processes);
    const commands = [
      ...[0, 0, 15].map((pause) => process.map((one) => read(one, pause))),
      process.map((one) => write(one, 'changed')),
      process.map((one) => write(one, 'changed')),
      fc.tuple(process, fc.constantFrom<Ending>('unknown', 'ended')).map(([one, ending]) => write(one, ending)),
      fc.nat({ max: 8 }).map(failOver),
    ];
    let real: Real | undefined;
    await checkSchedules<Real>(
      commands,
      async (scheduler, execute) => {
        const current = create(scheduler);
        real = current;
        await execute(current);
        await scheduler.waitFor(Promise.all(current.running));
        await scheduler.waitAll();
        if (current.failure !== undefined) throw current.failure;
      },
      async () => real?.redis.settle(),
    );
  }).timeout(scheduleTimeout);
});
