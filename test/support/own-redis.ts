import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { dataDirectory } from '../../scripts/ensure-installed.mjs';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { startRedis } from '../../scripts/local-stack/redis-server.ts';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';

/** A redis-server that becomes a replica, or full, without harm to other tests. */
export interface OwnRedis {
  readonly url: string;
  readonly admin: Redis;
  makeReplica(): Promise<unknown>;
  makeMaster(): Promise<unknown>;
  close(): Promise<void>;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const watchdog = new Watchdog();
  const directory = await mkdtemp(join(tmpdir(), 'meterbook-test-redis-'));
  watchdog.removeAtEnd(directory);
  const server = await startRedis(directory, dataDirectory(), watchdog);
  const admin = new Redis(server.url);
  return {
    url: server.url,
    admin,
    // No server listens there. The replica keeps its data.
    makeReplica: async () => admin.replicaof('127.0.0.1', await findFreePort()),
    makeMaster: () => admin.replicaof('NO', 'ONE'),
    close: async () => {
      admin.disconnect();
      await server.close();
      await watchdog.close();
    },
  };
}
