import { readFile } from 'node:fs/promises';

/** The most memory that a process has held so far, in MiB; null where the system does not keep count (not Linux). */
export async function peakMemoryMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}
