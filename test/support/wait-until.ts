import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

const pollEvery = 20;

/**
 * Waits until `condition` gives something other than false or undefined, and gives that back. Past the limit it throws,
 * naming `what` was waited for.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 30_000,
): Promise<Exclude<T, false | undefined>> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (Date.now() > giveUpAt) throw new Error(`Waited ${limitMs} ms for ${what}.`);
    await delay(pollEvery);
  }
}

/** What is made after it has a later time than what was made before, however fast the machine is. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await turn();
}

/** Does `work` until it has taken less than a second, for what is counted by the second; gives its last result. */
export async function withinASecond<T>(work: (round: number) => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    const started = performance.now();
    const result = await work(round);
    if (performance.now() - started < 1000) return result;
  }
}
