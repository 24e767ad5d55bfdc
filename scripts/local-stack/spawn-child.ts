import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Watchdog } from './watchdog.ts';

/** The command line and the environment of a process. */
export interface Program {
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** The working directory. Default: that of this process. */
  directory?: string;
  /** Whether to open an IPC channel. */
  channel?: boolean;
  /** Whether its standard input can be written to. */
  hasInput?: boolean;
}

/**
 * Starts a process as the leader of a new process group. Ctrl-C then reaches this process only,
 * which stops its children in order. If this process is killed, the watchdog stops the child.
 */
export function spawnChild(program: Program, watchdog: Watchdog): ChildProcess {
  const input = program.hasInput ? 'pipe' : 'ignore';
  const child = spawn(program.command, program.args, {
    env: program.environment,
    cwd: program.directory,
    detached: true,
    stdio: program.channel ? [input, 'pipe', 'pipe', 'ipc'] : [input, 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) return child;
  watchdog.watch(pid);
  child.once('exit', () => {
    // The processes that the child started are killed, because they could keep its pipes open.
    signalGroup(pid, 'SIGKILL');
    watchdog.unwatch(pid);
  });
  return child;
}

/** Sends a signal to a process group, if it still exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Allows this process to end before the child. */
export function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
}

/** Waits until the process has ended and its output has been read. */
export async function waitForClose(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  await new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('close', () => resolve());
  });
}
