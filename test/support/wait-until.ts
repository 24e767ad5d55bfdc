import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

/** A pause before the second poll, and the longest one. Each pause is half as long again. */
const pausesMs = [10, 100] as const;

/**
 * Longer than any wait on a busy machine, and shorter than a test may take, so that the error says
 * what it waited for.
 */
const defaultLimitMs = 120_000;

/**
 * Polls `condition` until it returns a value other than false or undefined, and returns that value.
 * The pauses grow, because polls take processor time from the work that is waited for.
 * @param what names the condition in the error.
 * @throws Error after `limitMs`.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = defaultLimitMs,
): Promise<Exclude<T, false | undefined>> {
  const deadline = Date.now() + limitMs;
  for (let pause: number = pausesMs[0]; ; pause = Math.min(pause * 1.5, pausesMs[1])) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms for ${what}.`);
    await delay(pause);
  }
}

/**
 * For tests of an order by time: documents that are created before and after the wait have
 * different timestamps.
 */
export async function waitForNextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await turn();
}

/**
 * Repeats `work` until a run takes less than a second, for limits per second. @returns the result
 * of that run.
 */
export async function repeatUntilWithinOneSecond<T>(work: (round: number) => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    const started = performance.now();
    const result = await work(round);
    if (performance.now() - started < 1000) return result;
  }
}
