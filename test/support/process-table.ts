import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Whether the process runs. A zombie does not run. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === pid);
}

/** The ids of the running processes whose command line contains `text`. */
export async function findProcessesByCommand(text: string): Promise<number[]> {
  return (await listProcesses()).filter((row) => row.command.includes(text)).map((row) => row.pid);
}

/** The ids of the running children of `parent`. */
export async function findChildProcesses(parent: number): Promise<number[]> {
  return (await listProcesses()).filter((row) => row.parent === parent).map((row) => row.pid);
}

interface ProcessRow {
  pid: number;
  parent: number;
  command: string;
}

async function listProcesses(): Promise<ProcessRow[]> {
  const { stdout } = await execute('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
