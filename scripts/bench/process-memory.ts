import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The peak memory of a process in MiB; null on systems other than Linux. */
export const peakMemoryMb = (pid: number) => readMemoryMb(pid, /^VmHWM:\s+(\d+) kB$/m);

/** The present memory of a process in MiB; null on systems other than Linux. */
export const residentMemoryMb = (pid: number) => readMemoryMb(pid, /^VmRSS:\s+(\d+) kB$/m);

async function readMemoryMb(pid: number, line: RegExp): Promise<number | null> {
  const kilobytes = line.exec(await readProcess(pid, 'status'))?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}

const sampleEveryMs = 250;

/**
 * Runs `work`, and samples the memory of all descendants of a process. Memory that they share
 * counts once.
 * @returns the result, and the peak in MiB; null on systems other than Linux.
 */
export async function withDescendantMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peakMb: number | null }> {
  const over = new AbortController();
  const sampling = (async () => {
    let peak = 0;
    while (!over.signal.aborted) {
      const sizes = await Promise.all((await findDescendants(pid)).map(proportionalKilobytes));
      peak = Math.max(
        peak,
        sizes.reduce((sum, size) => sum + size, 0),
      );
      await delay(sampleEveryMs);
    }
    return peak === 0 ? null : Math.round(peak / 1024);
  })();
  try {
    const result = await work();
    over.abort();
    return { result, peakMb: await sampling };
  } finally {
    over.abort();
  }
}

async function findDescendants(ancestor: number): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const parent = /^PPid:\s+(\d+)$/m.exec(await readProcess(pid, 'status'))?.[1];
        return [pid, Number(parent ?? 0)] as const;
      }),
    ),
  );
  const isDescendant = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent !== 0 && (parent === ancestor || isDescendant(parent));
  };
  return pids.filter(isDescendant);
}

async function proportionalKilobytes(pid: number): Promise<number> {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(await readProcess(pid, 'smaps_rollup'))?.[1] ?? 0);
}

/** A file of a process; empty if there is none. */
const readProcess = (pid: number, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
