import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The memory of a process now, and its other figures since the last reading. */
export interface Reading {
  /** The longest delay of the event loop, in milliseconds: how late a timer ran. */
  longestStallMs: number;
  /**
   * The most CPU time of the main thread between two turns of the event loop, in milliseconds.
   * Unlike `longestStallMs`, it does not grow when other programs use the machine. Null on systems
   * other than Linux.
   */
  longestTurnMs: number | null;
  cpuSeconds: number;
  memoryMb: number;
  peakMemoryMb: number;
}

const mebibyte = 1024 * 1024;
const resolutionMs = 1;
const turnIntervalMs = 2;
const memoryIntervalMs = 20;

/** Serves readings of this process at a port of 127.0.0.1. Each request begins a new reading. */
export function startProbe(port: number): void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let cpu = process.cpuUsage();
  let peak = 0;
  let threadTime = mainThreadTime();
  let longestTurn = 0;
  setInterval(() => {
    const time = mainThreadTime();
    if (time !== null && threadTime !== null) longestTurn = Math.max(longestTurn, time - threadTime);
    threadTime = time;
  }, turnIntervalMs);
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, memoryIntervalMs);
  createServer((_request, response) => {
    const used = process.cpuUsage(cpu);
    const reading: Reading = {
      longestStallMs: Math.max(0, delay.max / 1e6 - resolutionMs),
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

/** CPU time of the main thread, in milliseconds. The main thread has the id of the process. */
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
