import { sendLoad } from './load.ts';
import { type CpuTimes, measureCpu } from './process-cpu.ts';
import { median } from './statistics.ts';

export interface IngestRound {
  linesPerSecond: number;
  /** Per 1,000 lines. */
  cpuMs: CpuTimes;
}

/** Sends a load of `lines` and measures the CPU time of these processes. */
export async function measureRound(
  pids: Record<string, number>,
  lines: number,
  load: Parameters<typeof sendLoad>[0],
): Promise<IngestRound> {
  const { result, cpuMs } = await measureCpu(pids, () => sendLoad(load));
  const perThousand = Object.entries(cpuMs).map(([name, value]) => [name, (value * 1000) / lines]);
  return { linesPerSecond: lines / result.seconds, cpuMs: Object.fromEntries(perThousand) as CpuTimes };
}

export function mediansOf(measured: readonly IngestRound[]): IngestRound {
  const names = Object.keys(measured[0]?.cpuMs ?? {});
  const medianOf = (name: string) => median(measured.map(({ cpuMs }) => cpuMs[name] ?? Number.NaN));
  return {
    linesPerSecond: median(measured.map(({ linesPerSecond }) => linesPerSecond)),
    cpuMs: Object.fromEntries(names.map((name) => [name, medianOf(name)])),
  };
}

/** Bodies of `size` lines each. */
export function bodiesOf(lines: readonly string[], size: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let start = 0; start + size <= lines.length; start += size) {
    bodies.push(Buffer.from(JSON.stringify(lines.slice(start, start + size).map((message) => ({ message })))));
  }
  return bodies;
}
