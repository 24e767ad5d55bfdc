// Long work in slices, so that a search through a whole collection does not delay other clients.
import { setImmediate } from 'node:timers/promises';
import { CommandError } from './errors.ts';

/**
 * Work with a result. At `pause` it may be interrupted, and documents may have changed afterwards; at `check` only its
 * time is checked.
 */
export type Work<T> = Generator<'pause' | 'check', T>;

/** A time of `performance.now()` in milliseconds; infinite where there is none. */
export type Deadline = number;

export function checkDeadline(deadline: Deadline): void {
  if (performance.now() > deadline) throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
}

/**
 * Does work to its end, slices of `sliceMs` inside `perform`, other work in between. Throws MaxTimeMSExpired after the
 * deadline; what the work has written until then stays.
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
