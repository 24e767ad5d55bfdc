import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 10;
const limitMs = 30_000;

/** Polls until `condition` holds. Throws after 30 s, naming `what` was awaited. */
export async function waitUntil(what: string, condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`Waited ${limitMs} ms for ${what}.`);
    await delay(pollMs);
  }
}
