// A queue and the mapping that feeds a function from it, event by event. It shares neither code nor
// formulas with the derivation, which it judges.
import { Agenda } from './agenda.ts';

/** An entry that arrives in the queue as one message. */
export interface Arrival {
  /** Milliseconds since the start of an hour. */
  at: number;
  sizeBytes: number;
  level: 'info' | 'error';
}

export interface SimulatedMapping {
  batchSize: number;
  windowSeconds: number;
  entriesPerCall: number;
  /** Whether each poller gathers batches of its own. Otherwise all pollers feed one batch. */
  gathersByPoller?: boolean;
  /** Whether a window lasts its time although a batch is full. Otherwise the batch ends it. */
  hasFixedWindows?: boolean;
  /** Whether a window begins when the one before ends. Otherwise its first message begins it. */
  hasAdjacentWindows?: boolean;
}

export interface SimulatedUsage {
  /** Requests of receives with messages: one for each started 64 KiB. */
  receives: number;
  emptyReceives: number;
  invocations: number;
  deletes: number;
  calls: number;
  /** Calls, if only errors reach the model. */
  errorCalls: number;
}

const pollers = 5;
const longPollMs = 20_000;
/** From the selection of messages until the mapping has them. */
const receiveMs = 10;
const maxActionMessages = 10;
const requestBytes = 65_536;
const payloadBytes = 6 * 1_024 * 1_024;
const recordBytes = 1_024;

/**
 * @param arrivals ascending by time.
 * @param until when the pollers stop, in milliseconds; batches that are open then still run.
 */
export function simulatePipeline(
  arrivals: readonly Arrival[],
  until: number,
  mapping: SimulatedMapping,
): SimulatedUsage {
  const agenda = new Agenda();
  const usage = { receives: 0, emptyReceives: 0, invocations: 0, deletes: 0, calls: 0, errorCalls: 0 };
  const queue = new Queue(agenda);
  const invoke = (batch: readonly Arrival[]) => {
    const errors = batch.filter(({ level }) => level === 'error').length;
    usage.invocations += 1;
    usage.deletes += Math.ceil(batch.length / maxActionMessages);
    usage.calls += Math.ceil(batch.length / mapping.entriesPerCall);
    usage.errorCalls += Math.ceil(errors / mapping.entriesPerCall);
  };
  const common = new Gatherer(agenda, mapping, invoke);
  for (let poller = 0; poller < pollers; poller += 1) {
    const gatherer = mapping.gathersByPoller ? new Gatherer(agenda, mapping, invoke) : common;
    const poll = () => {
      if (agenda.now < until || !queue.isEmpty) queue.receive(take, expire);
    };
    const take = (messages: readonly Arrival[]) => {
      usage.receives += Math.ceil(messages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / requestBytes);
      agenda.add(agenda.now + receiveMs, () => {
        gatherer.add(messages);
        poll();
      });
    };
    const expire = () => {
      if (agenda.now <= until) usage.emptyReceives += 1;
      poll();
    };
    // Long polls of several pollers do not end at one time.
    agenda.add((poller * longPollMs) / pollers, poll);
  }
  queue.fill(arrivals);
  agenda.run();
  return usage;
}

interface LongPoll {
  take: (messages: readonly Arrival[]) => void;
}

class Queue {
  readonly #agenda: Agenda;
  #visible: Arrival[] = [];
  /** Polls without messages, the oldest first. */
  readonly #polls = new Set<LongPoll>();

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  get isEmpty(): boolean {
    return this.#visible.length === 0;
  }

  /** Adds messages as they arrive; those of one millisecond are visible together. */
  fill(arrivals: readonly Arrival[], from = 0): void {
    const at = arrivals[from]?.at;
    if (at === undefined) return;
    this.#agenda.add(at, () => {
      let next = from;
      for (; arrivals[next]?.at === at; next += 1) this.#visible.push(arrivals[next]!);
      for (const poll of this.#polls) {
        if (this.isEmpty) break;
        this.#polls.delete(poll);
        poll.take(this.#takeMessages());
      }
      this.fill(arrivals, next);
    });
  }

  /** A long poll: takes the messages that are there, or waits for the next ones. */
  receive(take: LongPoll['take'], expire: () => void): void {
    if (!this.isEmpty) {
      take(this.#takeMessages());
      return;
    }
    const poll = { take };
    this.#polls.add(poll);
    this.#agenda.add(this.#agenda.now + longPollMs, () => {
      if (this.#polls.delete(poll)) expire();
    });
  }

  #takeMessages(): Arrival[] {
    return this.#visible.splice(0, maxActionMessages);
  }
}

/** Gathers messages until the batch is full, its payload is, or the window ends. */
class Gatherer {
  readonly #agenda: Agenda;
  readonly #mapping: SimulatedMapping;
  readonly #invoke: (batch: readonly Arrival[]) => void;
  #batch: Arrival[] = [];
  #payload = 0;
  /** The open window. */
  #window: object | undefined;
  #windowsEnded = 0;

  constructor(agenda: Agenda, mapping: SimulatedMapping, invoke: (batch: readonly Arrival[]) => void) {
    this.#agenda = agenda;
    this.#mapping = mapping;
    this.#invoke = invoke;
  }

  add(messages: readonly Arrival[]): void {
    for (const message of messages) {
      const size = message.sizeBytes + recordBytes;
      if (this.#payload + size > payloadBytes) this.#runFull();
      if (this.#window === undefined) this.#startWindow();
      this.#batch.push(message);
      this.#payload += size;
      if (this.#batch.length === this.#mapping.batchSize) this.#runFull();
    }
    if (this.#mapping.windowSeconds === 0) this.#endWindow();
  }

  #startWindow(): void {
    const window = {};
    this.#window = window;
    const width = this.#mapping.windowSeconds * 1_000;
    if (width === 0) return;
    const { now } = this.#agenda;
    // Windows without messages run nothing, so only their ends matter.
    const passed = this.#mapping.hasAdjacentWindows ? (now - this.#windowsEnded) % width : 0;
    this.#agenda.add(now + width - passed, () => {
      if (this.#window === window) this.#endWindow();
    });
  }

  #runFull(): void {
    this.#run();
    if (!this.#mapping.hasFixedWindows) this.#closeWindow();
  }

  #endWindow(): void {
    if (this.#batch.length > 0) this.#run();
    this.#closeWindow();
  }

  #closeWindow(): void {
    this.#window = undefined;
    this.#windowsEnded = this.#agenda.now;
  }

  #run(): void {
    this.#invoke(this.#batch);
    this.#batch = [];
    this.#payload = 0;
  }
}
