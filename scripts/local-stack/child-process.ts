import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** The command line and the environment of a process. */
export interface Program {
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** The working directory. Default: that of this process. */
  directory?: string;
  /** Default: without input, and with pipes for both outputs. */
  stdio?: StdioOptions;
}

/** Ends the process `$1`, and after three seconds all that is left of its group. */
const endProcess = 'kill -s TERM "$1"; sleep 3; kill -s KILL -- "-$1"';

/**
 * Starts a process as the leader of a new process group. Ctrl-C then reaches this process only,
 * which stops its children in order. If this process is killed, the child ends too.
 */
export function spawnChild(program: Program): ChildProcess {
  const child = spawn(program.command, program.args, {
    env: program.environment,
    cwd: program.directory,
    detached: true,
    stdio: program.stdio ?? ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) return child;
  const guard = runAtEnd(endProcess, String(pid));
  child.once('exit', () => {
    // The processes that the child started are killed, because they could keep its pipes open.
    signalGroup(pid, 'SIGKILL');
    guard.kill('SIGKILL');
  });
  return child;
}

/**
 * Runs shell commands, with `$1`, when this process has ended, even by SIGKILL: a shell waits for
 * the end of a pipe that only this process has. In a session of its own, it outlives a terminal.
 */
export function runAtEnd(commands: string, argument: string): ChildProcess {
  const shell = spawn('sh', ['-c', `read -r _; ${commands}`, 'sh', argument], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}

/** Sends a signal to a process group, if it still exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
