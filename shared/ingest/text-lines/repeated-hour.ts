import { minute } from '../../durations.ts';

/** A step back by more begins the second pass of an hour that clocks show twice. */
const maxDisorder = 30 * minute;
/** A line of the first pass can be written so much after the second one has begun. */
const maxDelay = 2 * minute;

/**
 * Tells the two passes of an hour that clocks show twice apart, by the order of the lines. An hour
 * of which only one pass is read is the first one.
 */
export class RepeatedHour {
  /** The latest instant, unless a line steps back by more than lines are out of order. */
  #last: number | undefined;
  #isSecondPass = false;

  /**
   * @param first the instant of a line if it is of the first pass, in milliseconds.
   * @param second the same for the second pass.
   */
  choose(first: number, second: number): number {
    const stepBack = (this.#last ?? first) - first;
    // Clocks of Lord Howe Island go back by 30 minutes.
    const isWithinPass = stepBack <= Math.min(maxDisorder, (second - first) / 2);
    if (this.#isSecondPass) return stepBack > 0 && stepBack <= maxDelay ? first : second;
    // Long after the hour, lines in it are those of another file.
    const isAfterHour = (this.#last ?? first) - second > maxDisorder;
    return isWithinPass || isAfterHour ? first : second;
  }

  /** @param second the instant that a line in the hour would have in the second pass. */
  add(instant: number, second: number | undefined): void {
    const isDelayed = this.#isSecondPass && second !== undefined && instant !== second;
    if (!isDelayed) this.#isSecondPass = instant === second;
    if (this.#last === undefined || instant > this.#last || instant < this.#last - maxDisorder) this.#last = instant;
  }
}
