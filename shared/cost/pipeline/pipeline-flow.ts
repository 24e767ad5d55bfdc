import type { DerivedHour } from './derive-hour.ts';

/** The sums of what passes through a pipeline in several hours, apart from its usage. */
export class PipelineFlow {
  /** Entries that are sent to the queue. */
  messages = 0n;
  sends = 0n;
  /** Receives with messages, also those of retries. */
  receives = 0n;
  deletes = 0n;
  /** Entries that reach the model. */
  modelEntries = 0n;

  /** Hours without entries add nothing, so it does not matter how many they are. */
  add({ messages, queue, inference }: DerivedHour): void {
    this.messages += messages;
    this.sends += queue.sends;
    this.receives += queue.receives + queue.retriedReceives;
    this.deletes += queue.deletes;
    for (const { entries } of inference) this.modelEntries += entries;
  }
}
