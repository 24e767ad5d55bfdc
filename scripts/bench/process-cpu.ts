import { readFile } from 'node:fs/promises';

/** The kernel counts in hundredths of a second, whatever its own clock is. */
const tickMs = 10;

/** CPU milliseconds of processes by name. */
export type CpuTimes = Record<string, number>;

/**
 * CPU time of processes and all of their threads since their start; NaN on systems other than
 * Linux.
 */
async function readCpuTimes(pids: Readonly<Record<string, number>>): Promise<CpuTimes> {
  const read = async ([name, pid]: [string, number]) => [name, await readCpuMs(pid)] as const;
  return Object.fromEntries(await Promise.all(Object.entries(pids).map(read)));
}

/** `work` in CPU milliseconds by process, with this one under the name `client`. */
export async function measureCpu<T>(
  pids: Readonly<Record<string, number>>,
  work: () => Promise<T>,
): Promise<{ result: T; cpuMs: CpuTimes }> {
  const before = await readCpuTimes(pids);
  const own = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(own);
  const after = await readCpuTimes(pids);
  const used = Object.keys(before).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return { result, cpuMs: { ...Object.fromEntries(used), client: (user + system) / 1000 } };
}

async function readCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, can contain spaces. User and system time are fields 14
  // and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
