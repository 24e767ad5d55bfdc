/** The share of a request in a group. */
interface Sized {
  readonly count: number;
  readonly bytes: number;
}

interface Waiting<Part, Accepted> {
  readonly part: Part;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (error: unknown) => void;
}

/** The most of a group: a row has at most so many entries. */
interface GroupLimits extends Sized {
  readonly requests: number;
}

/**
 * Joins requests that arrive while others of the same key are being accepted: they are accepted
 * together, once that has ended. None waits for a timer, and a lone request waits for nothing.
 * @param accept accepts a group. @returns what each of its requests gets, in their order. An error
 * is that of all of them.
 */
export function createJoiner<Part extends Sized, Accepted>(
  accept: (group: readonly [Part, ...Part[]]) => Promise<readonly Accepted[]>,
  limits: GroupLimits,
): (key: string, part: Part) => Promise<Accepted> {
  const queues = new Map<string, Waiting<Part, Accepted>[]>();

  const acceptAll = async (key: string, waiting: Waiting<Part, Accepted>[]) => {
    for (let [first] = waiting; first; [first] = waiting) {
      const group = waiting.splice(0, groupSize(waiting, limits));
      try {
        const accepted = await accept([first.part, ...group.slice(1).map(({ part }) => part)]);
        for (const [at, { resolve }] of group.entries()) resolve(accepted[at] as Accepted);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    queues.delete(key);
  };

  return (key, part) =>
    new Promise((resolve, reject) => {
      const request = { part, resolve, reject };
      const waiting = queues.get(key);
      if (waiting) {
        waiting.push(request);
        return;
      }
      const queue = [request];
      queues.set(key, queue);
      void acceptAll(key, queue);
    });
}

/** @returns the number of requests that fit into one group, at least one. */
function groupSize(waiting: readonly { part: Sized }[], limits: GroupLimits): number {
  let size = 0;
  let [count, bytes] = [0, 0];
  for (const { part } of waiting) {
    count += part.count;
    bytes += part.bytes;
    const isOver = size === limits.requests || count > limits.count || bytes > limits.bytes;
    if (isOver && size > 0) break;
    size += 1;
  }
  return size;
}
