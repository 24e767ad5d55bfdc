// Long work in slices, so that a search through a whole collection does not delay other clients.
import { setImmediate } from 'node:timers/promises';
import { CommandError } from './errors.ts';

/**
 * Work with a result. At `pause`, other work may run and change documents. At `check`, only the
 * deadline is checked.
 */
export type Work<T> = Generator<'pause' | 'check', T>;

/** A time of `performance.now()` in milliseconds; infinite if there is no limit. */
export type Deadline = number;

export function checkDeadline(deadline: Deadline): void {
  if (performance.now() > deadline) throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
}

/**
 * Runs work in slices of `sliceMs`, each inside `perform`; other work can run between two slices.
 * Throws MaxTimeMSExpired after the deadline. Earlier writes of the work remain.
 */
export async function inSlices<T>(
  work: Work<T>,
  sliceMs: number,
  deadline: Deadline,
  perform: <R>(slice: () => R) => R | Promise<R>,
): Promise<T> {
  for (;;) {
    const step = await perform(() => {
      const end = performance.now() + sliceMs;
      for (;;) {
        const next = work.next();
        if (next.done) return next;
        const now = performance.now();
        if (now > deadline || (now > end && next.value === 'pause')) return next;
      }
    });
    if (step.done) return step.value;
    checkDeadline(deadline);
    await setImmediate();
  }
}
