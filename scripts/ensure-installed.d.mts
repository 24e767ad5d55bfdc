// Types of ensure-installed.mjs, which is JavaScript because it runs before TypeScript is
// installed.
export function nodeVersionError(version: string): string | undefined;
export function matchesLock(lock: string, installed: string): boolean;

export interface Machine {
  platform: string;
  isRoot: boolean;
  has: (command: string) => boolean;
}
export type RedisInstallPlan =
  | { kind: 'apt-get'; prefix: string[] }
  | { kind: 'unpack' }
  | { kind: 'brew' }
  | { kind: 'impossible'; sentence: string };
export function redisInstallPlan(machine: Machine): RedisInstallPlan;

export function redisInstallCommand(plan: RedisInstallPlan, target: string): string;

export interface RedisBinary {
  command: string;
  environment: Record<string, string>;
}
export function findRedisServer(dataDirectory: string, searchPath?: string): RedisBinary | undefined;
export function dataDirectory(environment?: Record<string, string | undefined>): string;
export function prepare(needs: { needsRedis: boolean | 'always'; readsEnvironmentFile?: boolean }): void;
