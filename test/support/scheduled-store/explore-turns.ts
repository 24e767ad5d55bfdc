import { setImmediate as turn } from 'node:timers/promises';
import { minute } from '../../../shared/durations.ts';
import { isLongForm } from '../long-form.ts';
import type { ScheduledStore } from './scheduled-store.ts';
import { faults } from './scheduled-store.ts';

type Named = 'one' | 'two';

/** Something that happens while two processes are in the middle of their work. */
export interface Event<Real> {
  name: string;
  /** Whether it makes a difference now. Default: always. */
  applies?: (real: Real) => boolean;
  happen: (real: Real) => void | Promise<void>;
  /** Who goes on first. Default: the second one. */
  next?: Named;
}

export interface Turns<Real> {
  /** A system of its own for each run. What it starts runs to its end before the others. */
  create: (scheduler: TurnScheduler) => Real;
  /** Each starts one process, of the name `one` or `two`. */
  one: (real: Real) => void;
  two: (real: Real) => void;
  /** Starts a process that runs to its end when the event has happened. */
  meanwhile?: (real: Real) => void;
  events?: readonly Event<Real>[];
  /**
   * Whether the short form takes every third pair of steps, because all of them take long. Each
   * process still stops after each of its steps.
   */
  isSampled?: boolean;
  /** Checks the end. It may start other processes. */
  check?: (real: Real) => void | Promise<void>;
}

/** For `it`: beside many other tests, a run of some milliseconds can take long. */
export const exploreTimeout = 10 * minute;

/** Failovers that undo what no majority has. */
export function failovers<Real extends { store: ScheduledStore }>(): Event<Real>[] {
  return (['one', 'two'] as const).map((next) => ({
    name: 'fail over',
    applies: ({ store }) => store.hasUncommitted,
    happen: ({ store }) => store.failOver(0),
    next,
  }));
}

/**
 * Runs two processes in every order that has few turns: the first one takes some steps, then the
 * second one, then an event happens or nothing, then each of them takes the rest.
 */
export async function exploreTurns<Real extends { store: ScheduledStore }>(turns: Turns<Real>): Promise<void> {
  /** Whether a process has more steps than it has taken before the other one. */
  const hasMore = { one: true, two: true };
  for (let first = 0; hasMore.one; first += 1) {
    hasMore.two = true;
    for (let second = 0; hasMore.two; second += 1) {
      if (turns.isSampled && !isLongForm && (first + second) % 3 !== 0) continue;
      let events: readonly Event<Real>[] = [];
      const nothing: Event<Real> = {
        name: 'nothing',
        happen: (real) => {
          events = (turns.events ?? failovers<Real>()).filter(({ applies }) => applies?.(real) ?? true);
        },
        next: 'one',
      };
      const run = async (event: Event<Real>) => {
        const order = event.next === 'one' ? (['one', 'two'] as const) : (['two', 'one'] as const);
        const plan = `one ${first} steps, two ${second} steps, ${event.name}, then ${order.join(' and ')}`;
        const scheduler = new TurnScheduler();
        await explain(plan, scheduler, async () => {
          const real = turns.create(scheduler);
          await real.store.end();
          turns.one(real);
          hasMore.one = await scheduler.run('one', first);
          turns.two(real);
          hasMore.two = await scheduler.run('two', second);
          await event.happen(real);
          turns.meanwhile?.(real);
          for (const name of ['meanwhile', ...order]) await scheduler.run(name);
          await finish(real, turns.check);
        });
      };
      await run(nothing);
      for (const event of events) await run(event);
    }
  }
}

/** Runs one process with each fault at each of its operations. */
export async function exploreFaults<Real extends { store: ScheduledStore }>(
  turns: Pick<Turns<Real>, 'create' | 'one' | 'check'>,
): Promise<void> {
  for (const fault of faults) {
    const state = { hasOccurred: true };
    for (let skipped = 0; state.hasOccurred; skipped += 1) {
      const scheduler = new TurnScheduler();
      await explain(`${fault} after ${skipped} operations`, scheduler, async () => {
        const real = turns.create(scheduler);
        await real.store.end();
        real.store.arm({ fault, skipped });
        turns.one(real);
        await scheduler.waitAll();
        state.hasOccurred = !real.store.isArmed;
        await finish(real, turns.check);
      });
    }
  }
}

async function finish<Real extends { store: ScheduledStore }>(real: Real, check: Turns<Real>['check']): Promise<void> {
  await real.store.end();
  await check?.(real);
  await real.store.end();
  real.store.throwFailure();
}

/** Adds the plan and the steps to an error. */
async function explain(plan: string, { trace }: TurnScheduler, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${message}\n\n${plan}\n${trace.join('\n')}`, { cause });
  }
}

/** Work between two steps can take some turns of the event loop. */
const turnsToNextStep = 5;

interface WaitingStep {
  process: string;
  label: string;
  take: () => void;
}

/** A scheduler whose caller says which process takes the next steps. */
export class TurnScheduler {
  /** The steps that were taken. */
  readonly trace: string[] = [];
  readonly #waiting: WaitingStep[] = [];

  /** @param label the name of the process, a colon, and the step. */
  schedule<T>(work: Promise<T>, label = ''): Promise<T> {
    const process = label.slice(0, label.indexOf(':'));
    return new Promise<void>((take) => this.#waiting.push({ process, label, take })).then(() => work);
  }

  /** Has a process take so many steps. @returns false if it has ended with fewer. */
  async run(process: string, steps = Infinity): Promise<boolean> {
    for (let taken = 0; taken < steps; taken += 1) {
      if (!(await this.#takeFirst((step) => step.process === process))) return false;
    }
    return true;
  }

  /** Takes all steps, in the order in which they began to wait. */
  async waitAll(): Promise<void> {
    while (await this.#takeFirst(() => true));
  }

  /** Takes all steps until the work has ended. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const state = { hasEnded: false };
    const ending = work.finally(() => {
      state.hasEnded = true;
    });
    while (!state.hasEnded) await this.waitAll();
    return ending;
  }

  async #takeFirst(isNext: (step: WaitingStep) => boolean): Promise<boolean> {
    for (let turns = 0; turns < turnsToNextStep; turns += 1) {
      const at = this.#waiting.findIndex(isNext);
      const [step] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (step) {
        this.trace.push(step.label);
        step.take();
        await turn();
        return true;
      }
      await turn();
    }
    return false;
  }
}
