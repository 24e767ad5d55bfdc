// Long work in slices: who looks through a whole collection does not keep everybody else waiting.
import { setImmediate } from 'node:timers/promises';

/** Work with a result that may be interrupted at every `yield`; what it knows of documents may have changed afterwards. */
export type Work<T> = Generator<undefined, T>;

/** Does work to its end, slices of `sliceMs` inside `perform`, and lets others have their turn in between. */
export async function inSlices<T>(
  work: Work<T>,
  sliceMs: number,
  perform: <R>(slice: () => R) => R | Promise<R>,
): Promise<T> {
  for (;;) {
    const step = await perform(() => {
      const end = performance.now() + sliceMs;
      for (;;) {
        const next = work.next();
        if (next.done || performance.now() > end) return next;
      }
    });
    if (step.done) return step.value;
    await setImmediate();
  }
}
