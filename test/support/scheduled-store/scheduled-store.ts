import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scheduler } from 'fast-check';
import { mongo } from 'mongoose';
import { isMongoUnavailable } from '../../../shared/connections/mongo.ts';
import { AppError } from '../../../shared/errors.ts';

/** The documents of each collection as BSON, by their ids. A state is never changed. */
export type State = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

/** One atomic change. */
export type Step = (state: State) => State;

/**
 * The fault of the next operation. `command lost`: the database does not receive it. `reply lost`:
 * it is carried out, and its process receives an error. `late`: its process receives an error, and
 * it is carried out later. `ended before` and `ended after`: its process ends. `slow majority`: it
 * is carried out, and a majority gets it late.
 */
export const faults = ['command lost', 'reply lost', 'late', 'ended before', 'ended after', 'slow majority'] as const;
type Fault = (typeof faults)[number];

/** A fault of the next operation for which it is possible, after so many others. */
export interface ArmedFault {
  readonly fault: Fault;
  readonly skipped: number;
}

/** One process of the service. */
interface StoreProcess {
  readonly name: string;
  readonly store: ScheduledStore;
  readonly options: ProcessOptions;
  operations: number;
  hasEnded: boolean;
}

export interface ProcessOptions {
  readonly stale?: StaleReads | undefined;
  /** The operation before which it pauses, while others proceed. */
  readonly pausedAt?: number | undefined;
}

/** Others make about as many steps during a pause. */
const pauseSteps = 15;

/**
 * Reads of a collection are of an older state, by so many changes of the database: from a primary
 * that does not know yet that there is another one.
 */
export interface StaleReads {
  readonly collection: string;
  readonly changes: number;
}

/** Orders the steps of processes. */
export type StepScheduler = Pick<Scheduler, 'schedule' | 'waitAll'> & {
  waitFor: <T>(work: Promise<T>) => Promise<T>;
};

const processes = new AsyncLocalStorage<StoreProcess>();

/** The process that calls, if one does. */
export const findProcess = (): StoreProcess | undefined => processes.getStore();

/** The process that calls. */
export function currentProcess(): StoreProcess {
  const process = findProcess();
  if (!process) throw new Error('The scheduled store is used within `ScheduledStore.run` only.');
  return process;
}

const isOfWrite: ReadonlySet<Fault> = new Set(['reply lost', 'late', 'ended after', 'slow majority']);

/**
 * A database with one primary, whose steps a scheduler of fast-check orders. Each operation is at
 * least one step, and each write has one more, in which a majority gets it. A failover undoes
 * writes that no majority has. Operations of a process that has ended fail and change nothing.
 */
export class ScheduledStore {
  /** Every state since the last failover that undid some, the newest last. */
  #history: State[] = [new Map()];
  /** Position in the history of what a majority has. */
  #committed = 0;
  #term = 0;
  #armed: ArmedFault[] = [];
  readonly #scheduler: StepScheduler;
  readonly #judge: (state: State) => void;
  readonly #running: Promise<unknown>[] = [];
  #failure: unknown;

  /** @param judge is called with every state of the primary, and throws at a wrong one. */
  constructor(scheduler: StepScheduler, judge: (state: State) => void) {
    this.#scheduler = scheduler;
    this.#judge = judge;
  }

  get primary(): State {
    return this.#history.at(-1) ?? new Map();
  }

  /** Whether a failover would undo a write. */
  get hasUncommitted(): boolean {
    return this.#committed < this.#history.length - 1;
  }

  get isArmed(): boolean {
    return this.#armed.length > 0;
  }

  /** Runs work as a process of its own. */
  run<T>(name: string, work: () => Promise<T>, options: ProcessOptions = {}): Promise<T> {
    return processes.run({ name, store: this, options, operations: 0, hasEnded: false }, work);
  }

  /**
   * Starts a process, without waiting for it. It may fail because the database does, or because it
   * has ended; any other error is a failure of the schedule.
   */
  start(name: string, work: () => Promise<unknown>, options: ProcessOptions = {}): void {
    const contained = () =>
      work().catch((error: unknown) => {
        const isExpected = isMongoUnavailable(error) || (error instanceof AppError && error.status >= 500);
        if (!isExpected && !currentProcess().hasEnded) this.#failure ??= error;
      });
    this.#running.push(this.run(name, contained, options));
  }

  /** Waits for all processes. Faults that have not occurred are disarmed. */
  async end(): Promise<void> {
    this.#armed = [];
    await this.#scheduler.waitFor(Promise.all(this.#running));
    await this.#scheduler.waitAll();
  }

  arm(fault: ArmedFault): void {
    this.#armed.push(fault);
  }

  /** Loses writes that no majority has, except the first `kept` of them. */
  failOver(kept: number): void {
    this.#history.length = Math.min(this.#history.length, this.#committed + 1 + kept);
    this.#committed = this.#history.length - 1;
    this.#term += 1;
    this.#check();
  }

  /** Replaces the state at once, as an acknowledged write. */
  replace(state: State): void {
    this.#history.push(state);
    this.#committed = this.#history.length - 1;
    this.#check();
  }

  /** @throws the first wrong state. */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** @param isMajority whether the read is of a state that a majority has. */
  async read<T>(
    { collection, label = `find ${collection}` }: { collection: string; label?: string },
    isMajority: boolean,
    execute: (state: State, isStale: boolean) => T,
  ): Promise<T> {
    await this.#begin(label, false);
    const { stale } = currentProcess().options;
    const newest = isMajority ? this.#committed : this.#history.length - 1;
    const isStale = stale?.collection === collection;
    const position = isStale ? Math.max(0, newest - stale.changes) : newest;
    return execute(this.#history[position] ?? this.primary, isStale);
  }

  /**
   * @param plan determines the atomic steps of the write when it begins. A step returns the new
   * state, or the given one if it changes nothing.
   * @param refusal ends the write after a step, and is thrown.
   */
  async write(label: string, plan: (state: State) => readonly Step[], refusal: () => Error | undefined) {
    const fault = await this.#begin(label, true);
    const process = currentProcess();
    const term = this.#term;
    const carryOut = async () => {
      for (const [index, step] of plan(this.primary).entries()) {
        if (index > 0) await this.#schedule(`${label}, step ${index + 1}`);
        if (term !== this.#term) throw lost('A failover has interrupted the write.');
        this.#apply(step);
        if (refusal()) return;
      }
    };
    if (fault === 'late') {
      void this.#schedule(`late ${label}`)
        .then(carryOut)
        .then(() => this.#replicate(label))
        .catch(() => {});
      throw lost('The reply is late.');
    }
    await carryOut();
    // A lost reply says nothing of the majority, so that its process can go on before it.
    const replicated = this.#replicate(label, fault === 'slow majority' || fault === 'reply lost');
    if (fault === 'ended after') process.hasEnded = true;
    if (fault === 'reply lost' || fault === 'ended after') throw lost('The reply is lost.');
    await replicated;
    if (term !== this.#term || process.hasEnded) throw lost('A failover has interrupted the write.');
    const error = refusal();
    if (error) throw error;
  }

  /** Has a majority get the current state later, also if the process that made it has ended. */
  async #replicate(label: string, isSlow = false): Promise<void> {
    const [term, position] = [this.#term, this.#history.length - 1];
    if (isSlow) await this.#pause();
    await this.#schedule(`acknowledge ${label}`);
    if (term === this.#term) this.#committed = Math.max(this.#committed, position);
  }

  #apply(step: Step): void {
    const next = step(this.primary);
    if (next === this.primary) return;
    this.#history.push(next);
    this.#check();
  }

  async #begin(label: string, writes: boolean): Promise<Fault | undefined> {
    const process = currentProcess();
    const isPaused = process.operations === process.options.pausedAt;
    process.operations += 1;
    if (isPaused) await this.#pause();
    if (!process.hasEnded) await this.#schedule(label);
    if (process.hasEnded) throw lost('The process has ended.');
    const fault = this.#takeFault(writes);
    if (fault === 'ended before') process.hasEnded = true;
    if (fault === 'ended before' || fault === 'command lost') throw lost('The command is lost.');
    return fault;
  }

  #takeFault(writes: boolean): Fault | undefined {
    const at = this.#armed.findIndex(({ fault }) => writes || !isOfWrite.has(fault));
    const armed = this.#armed[at];
    if (!armed) return undefined;
    if (armed.skipped > 0) this.#armed[at] = { ...armed, skipped: armed.skipped - 1 };
    else this.#armed.splice(at, 1);
    return armed.skipped > 0 ? undefined : armed.fault;
  }

  async #pause(): Promise<void> {
    for (let steps = pauseSteps; steps > 0; steps -= 1) await this.#schedule('pauses');
  }

  #schedule(label: string): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve(), `${currentProcess().name}: ${label}`);
  }

  #check(): void {
    try {
      this.#judge(this.primary);
    } catch (error) {
      this.#failure ??= error;
    }
  }
}

const lost = (reason: string) => new mongo.MongoNetworkError(reason);
