import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

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

/** Ends the process `$1` within three seconds, then the processes that it has started. */
const endProcess = `
  kill -s TERM "$1"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do kill -s 0 "$1" || break; sleep 0.2; done
  kill -s KILL -- "-$1"`;

/**
 * Starts a process as the leader of a new process group. Ctrl-C then reaches this process only,
 * which stops its children in order. If this process is killed, the child ends too.
 */
export function spawnChild(program: Program): ChildProcess {
  const input = program.hasInput ? 'pipe' : 'ignore';
  const child = spawn(program.command, program.args, {
    env: program.environment,
    cwd: program.directory,
    detached: true,
    stdio: program.channel ? [input, 'pipe', 'pipe', 'ipc'] : [input, 'pipe', 'pipe'],
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

/** Removes a folder when this process has ended. */
export function removeAtEnd(folder: string): void {
  runAtEnd('rm -rf "$1"', folder);
}

/**
 * Runs shell commands when this process has ended, even by SIGKILL: a shell waits for the end of a
 * pipe that only this process has. It has a session of its own, so it outlives a closed terminal.
 * @param argument `$1` of the commands.
 */
function runAtEnd(commands: string, argument: string): ChildProcess {
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
