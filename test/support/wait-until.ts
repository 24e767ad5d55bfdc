import { setTimeout as delay } from 'node:timers/promises';

const pollEvery = 20;

/**
 * Waits until `condition` gives something other than false or undefined, and gives that back. Past the limit it throws,
 * naming `what` was waited for.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 10_000,
): Promise<Exclude<T, false | undefined>> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (Date.now() > giveUpAt) throw new Error(`Waited ${limitMs} ms for ${what}.`);
    await delay(pollEvery);
  }
}
