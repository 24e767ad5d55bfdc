import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Whether the process runs. A zombie does not run. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === pid);
}

/** The ids of the running children of `parent`. */
export async function findChildProcesses(parent: number): Promise<number[]> {
  return (await listProcesses()).filter((row) => row.parent === parent).map((row) => row.pid);
}

async function listProcesses(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await execute('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? [];
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}
