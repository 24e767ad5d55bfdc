import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Watchdog } from './watchdog.ts';

/** How a process is started. */
export interface Program {
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Opens an IPC channel, for programs that report over it. */
  channel?: boolean;
}

/**
 * Starts a process as the leader of a group of its own, so that a Ctrl-C in the terminal reaches only its parent, which
 * then stops everything in order. The watchdog stops it should the parent be killed.
 */
export function spawnChild(program: Program, watchdog: Watchdog): ChildProcess {
  const child = spawn(program.command, program.args, {
    env: program.environment,
    detached: true,
    stdio: program.channel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) return child;
  watchdog.watch(pid);
  child.once('exit', () => {
    // What it had started itself, and left behind, goes with it and lets go of the pipes.
    signalGroup(pid, 'SIGKILL');
    watchdog.forget(pid);
  });
  return child;
}

/** Sends a signal to a process and everything in its group; nothing happens when they are gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Lets the present process end while the child still runs. */
export function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
}

/** Resolves when the process has ended and its output has been read; at once when it has already. */
export async function untilClosed(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  await new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('close', () => resolve());
  });
}
