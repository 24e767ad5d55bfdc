import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findChildProcesses } from '../../support/process-table.ts';
import { withDatabase } from '../../support/test-database.ts';
import { getTestServers } from '../../support/test-servers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const startProgram = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/** The program of `npm start` as a child process. */
export interface RunningStack {
  url: string;
  process: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** The exit code, once the process has ended. */
  ended: Promise<number | null>;
  /** The ids of the processes that it has started. */
  children(): Promise<number[]>;
}

const { MONGODB_URL, REDIS_URL } = process.env;

/** The services that a stack starts: without a database or Redis if the environment names one. */
export const stackServices = [
  'notebooks',
  ...(REDIS_URL ? [] : ['redis']),
  ...(MONGODB_URL ? [] : ['store']),
  'web',
  'worker',
];

/** Starts a local stack without waiting for it. On given servers it uses names of this process. */
export function startStack(environment: { PORT: string; DATA_DIR: string } & Record<string, string>): RunningStack {
  const name = `${getTestServers().prefix}_stack`;
  const servers = {
    MONGODB_URL: MONGODB_URL ? withDatabase(MONGODB_URL, name) : '',
    ...(REDIS_URL ? { REDIS_PREFIX: name } : { REDIS_URL: '' }),
  };
  const child = spawn(process.execPath, [startProgram], {
    env: { ...process.env, ...servers, NOTEBOOK_BACKEND_URL: '', HOST: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return {
    url: `http://127.0.0.1:${environment.PORT}`,
    process: child,
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
    children: () => findChildProcesses(child.pid ?? 0),
  };
}

/**
 * Waits until the stack has printed its banner. @throws Error with its output if it ends before.
 */
export async function waitUntilUp(stack: RunningStack): Promise<void> {
  await waitUntil('the stack to start', () => {
    if (stack.process.exitCode !== null) throw new Error(`The stack ended: ${stack.output()}`);
    // The last line of the banner.
    return stack.output().includes('npm run demo');
  });
}
