import type { DerivedHour } from './derive-hour.ts';
import { type InvocationLimit, invocationLimits } from './function.ts';

export const pipelinePartNames = [
  'sends',
  'receives',
  'retried_receives',
  'deletes',
  'empty_receives',
  'invocations',
  'retried_invocations',
  'cold_starts',
  'entry_compute',
  'retried_compute',
  'overhead_compute',
  'init_compute',
  'calls',
  'retried_calls',
  'entry_tokens',
  'retried_tokens',
  'prompt_tokens',
  'cache_write_tokens',
  'cache_read_tokens',
  'output_tokens',
  'retried_output_tokens',
] as const;
export type PipelinePartName = (typeof pipelinePartNames)[number];

/** The sums of what a pipeline does in several hours, of which its usage consists. */
export class PipelineParts {
  readonly #sums = new Map<PipelinePartName, bigint>();
  readonly #invocations = new Map<InvocationLimit, bigint>();

  /** @param hours how many times the hour counts. */
  add({ queue, function: runs, inference }: DerivedHour, hours = 1): void {
    const times = BigInt(hours);
    const add = (name: PipelinePartName, value: bigint) =>
      this.#sums.set(name, (this.#sums.get(name) ?? 0n) + times * value);
    add('sends', queue.sends);
    add('receives', queue.receives);
    add('retried_receives', queue.retriedReceives);
    add('deletes', queue.deletes);
    add('empty_receives', queue.emptyReceives);
    add('invocations', runs.invocations);
    add('retried_invocations', runs.retries);
    add('cold_starts', runs.coldStarts);
    for (const { mbMs } of runs.entryMbMs) add('entry_compute', mbMs);
    for (const { mbMs } of runs.retriedMbMs) add('retried_compute', mbMs);
    add('overhead_compute', runs.overheadMbMs);
    add('init_compute', runs.initMbMs);
    this.#invocations.set(runs.limit, this.invocationsBy(runs.limit) + times * runs.invocations);
    for (const row of inference) {
      add('calls', row.calls);
      add('retried_calls', row.retries);
      add('entry_tokens', row.entryTokens);
      add('retried_tokens', row.retriedTokens);
      add('prompt_tokens', row.promptTokens);
      add('cache_write_tokens', row.cacheWriteTokens);
      add('cache_read_tokens', row.cacheReadTokens);
      add('output_tokens', row.outputTokens);
      add('retried_output_tokens', row.retriedOutputTokens);
    }
  }

  /** MB·ms for compute. */
  sumOf(name: PipelinePartName): bigint {
    return this.#sums.get(name) ?? 0n;
  }

  /** The invocations of the hours in which this decided on their number. */
  invocationsBy(limit: InvocationLimit): bigint {
    return this.#invocations.get(limit) ?? 0n;
  }

  /** The limit that decided on the number of most invocations. */
  get mainLimit(): InvocationLimit {
    return invocationLimits.reduce((most, limit) =>
      this.invocationsBy(limit) > this.invocationsBy(most) ? limit : most,
    );
  }
}
