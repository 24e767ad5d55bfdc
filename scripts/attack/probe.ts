import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The resources that a process has used since the last reading. */
export interface Reading {
  /** The longest time between two turns of the event loop, in milliseconds. */
  longestStallMs: number;
  /**
   * The most CPU time of the main thread between two of its turns, in milliseconds: what remains of
   * a stall on a machine without other work. Null on systems other than Linux.
   */
  longestTurnMs: number | null;
  cpuSeconds: number;
  memoryMb: number;
  peakMemoryMb: number;
}

const mebibyte = 1024 * 1024;
const resolution = 1;
const turnInterval = 2;
const memoryInterval = 20;

/** Responds with a reading of this process to each request, on a port of loopback. */
export function startProbe(port: number): void {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let cpu = process.cpuUsage();
  let peak = 0;
  let threadTime = mainThreadTime();
  let longestTurn = 0;
  setInterval(() => {
    const time = mainThreadTime();
    if (time !== null && threadTime !== null) longestTurn = Math.max(longestTurn, time - threadTime);
    threadTime = time;
  }, turnInterval);
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, memoryInterval);
  createServer((_request, response) => {
    const used = process.cpuUsage(cpu);
    const reading: Reading = {
      longestStallMs: Math.max(0, delay.max / 1e6 - resolution),
      longestTurnMs: threadTime === null ? null : longestTurn,
      cpuSeconds: (used.user + used.system) / 1e6,
      memoryMb: process.memoryUsage.rss() / mebibyte,
      peakMemoryMb: Math.max(peak, process.memoryUsage.rss()) / mebibyte,
    };
    delay.reset();
    longestTurn = 0;
    cpu = process.cpuUsage();
    peak = 0;
    response.end(JSON.stringify(reading));
  }).listen(port, '127.0.0.1');
}

/** CPU time of the main thread in milliseconds, whose id is that of the process. */
function mainThreadTime(): number | null {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return null;
  }
}

export async function readProbe(port: number): Promise<Reading> {
  const response = await fetch(`http://127.0.0.1:${port}`);
  return (await response.json()) as Reading;
}
