import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import type { EntryCounts } from './hour-counts.ts';

const hourSeconds = 3_600;

export interface CacheOptions {
  /**
   * The ordinary lifetime of a cached prompt of a model, in seconds after its last use. Default:
   * five minutes.
   */
  cacheSeconds?: ((model: string) => number | undefined) | undefined;
  /**
   * Set for a month at a rate, which is followed by itself: the last active second of inference
   * before its first hour, in epoch seconds; −Infinity if there is none.
   */
  previous?: number;
}

/**
 * Counts the runs in which a cached prompt stays in use: it is written once in each of them. Hours
 * are added in order of time.
 */
export class CacheRuns {
  readonly #isHour: boolean;
  readonly #cacheSeconds: (model: string) => number | undefined;
  readonly #isMonth: boolean;
  /** The models with calls in earlier hours. */
  readonly #seen = new Set<string>();
  /** In epoch seconds. */
  #previous: number;

  constructor({ cache_ttl: lifetime }: CompletePipeline['inference'], { cacheSeconds, previous }: CacheOptions) {
    this.#isHour = lifetime === '1h';
    this.#cacheSeconds = cacheSeconds ?? (() => undefined);
    this.#isMonth = previous !== undefined;
    this.#previous = previous ?? -Infinity;
  }

  /**
   * Adds the entries of an hour that reach the model.
   * @param start of the hour, in epoch seconds.
   * @returns the runs that begin in the hour, by model. A prompt that lives for an hour stays
   * cached at its end, and one of five minutes is written anew, except in a month at a rate.
   */
  add(counts: EntryCounts, start: number): (model: string) => number {
    const goesOn = this.#isHour || this.#isMonth;
    const previous = goesOn ? this.#previous - start : -Infinity;
    if (counts.activeSeconds > 0) this.#previous = start + counts.lastSecond;
    const isFirst = new Map<string, boolean>();
    for (const { model, entries } of counts.models) {
      if (entries === 0) continue;
      isFirst.set(model, this.#isHour && !this.#isMonth && !this.#seen.has(model));
      this.#seen.add(model);
    }
    return (model) => {
      const lifetime = this.#isHour ? hourSeconds : (this.#cacheSeconds(model) ?? 300);
      const runs = counts.runs(lifetime, previous);
      return isFirst.get(model) ? Math.max(1, runs) : runs;
    };
  }
}
