/**
 * Runs long computations in slices, so that other requests and jobs proceed between the slices. All
 * sliced work of a process shares one slice per turn of the event loop, so ten concurrent
 * computations delay other requests no more than one computation does.
 *
 * ```ts
 * for (const item of items) {
 *   if (isSliceOver()) await nextSlice();
 *   work(item);
 * }
 * ```
 */
const sliceMs = 5;

/** Start of the slice of this turn; undefined before the first sliced work of the turn. */
let sliceStart: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Whether the slice of this turn is used up. The caller must then await `nextSlice` before it
 * continues.
 */
export function isSliceOver(): boolean {
  const now = performance.now();
  return now - (sliceStart ?? startSlice(now)) > sliceMs;
}

/**
 * Resolves in a later turn of the event loop. Waiting computations continue one after the other.
 */
export function nextSlice(): Promise<void> {
  if (sliceStart === undefined) startSlice(performance.now());
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

function startSlice(now: number): number {
  sliceStart = now;
  setImmediate(() => void endTurn());
  return now;
}

async function endTurn(): Promise<void> {
  sliceStart = undefined;
  while (waiting.length > 0 && !isSliceOver()) {
    waiting.shift()?.();
    // The computation, and what follows it by promises only, runs before the slice is checked
    // again.
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
  }
}
