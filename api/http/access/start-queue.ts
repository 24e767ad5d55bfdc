/**
 * Starts one request per turn of the event loop, from each network in turn. A turn then lasts about
 * as long as one request takes, whatever their number: libuv accepts one connection per turn, so
 * long turns would hold up those of all others.
 * @returns a function that waits for the turn of a request.
 */
export function createStartQueue(): (network: string) => Promise<void> {
  /** The next network first. */
  const waiting = new Map<string, (() => void)[]>();
  let hasStarted = false;

  function startNext(): void {
    const [next] = waiting;
    hasStarted = next !== undefined;
    if (!next) return;
    const [network, starts] = next;
    const start = starts.shift();
    waiting.delete(network);
    if (starts.length > 0) waiting.set(network, starts);
    setImmediate(startNext);
    start?.();
  }

  return (network) => {
    if (!hasStarted) {
      hasStarted = true;
      setImmediate(startNext);
      return Promise.resolve();
    }
    return new Promise((start) => {
      const starts = waiting.get(network);
      if (starts) starts.push(start);
      else waiting.set(network, [start]);
    });
  };
}
