import { setImmediate as turn } from 'node:timers/promises';

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
