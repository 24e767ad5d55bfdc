interface Appointment {
  at: number;
  order: number;
  run: () => void;
}

/** Future events by time, in a binary heap. Of two at one time, the one added first runs first. */
export class Agenda {
  now = 0;
  #added = 0;
  readonly #heap: Appointment[] = [];

  /** @param at milliseconds, not before `now`. */
  add(at: number, run: () => void): void {
    const heap = this.#heap;
    const added = { at, order: this.#added, run };
    this.#added += 1;
    let index = heap.push(added) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isEarlier(heap[parent]!, added)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = added;
  }

  /** Runs all events, also those that events add. */
  run(): void {
    for (let next = this.#takeFirst(); next !== undefined; next = this.#takeFirst()) {
      this.now = next.at;
      next.run();
    }
  }

  #takeFirst(): Appointment | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && isEarlier(heap[child + 1]!, heap[child]!)) child += 1;
      if (isEarlier(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

const isEarlier = (one: Appointment, other: Appointment) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
