// The billable actions of the queue in one hour.
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { ceilDiv, max, min, percentOf } from './exact.ts';
import type { SentEntries } from './sent-entries.ts';

export interface QueueActions {
  /** Requests of send actions, which carry the messages. */
  sends: bigint;
  /** Requests of receive actions, which carry the messages. */
  receives: bigint;
  /** Requests of receive actions of messages whose invocation is retried. */
  retriedReceives: bigint;
  deletes: bigint;
  /** Long polls that return no message. */
  emptyReceives: bigint;
}

const chunkBytes = 65_536n;
/** Messages of one receive or delete action. */
const maxActionMessages = 10;
const pollSeconds = 20n;

/** @param seconds of the hour, up to 3,600. */
export function queueActions(sent: SentEntries, pipeline: CompletePipeline, seconds: number): QueueActions {
  const receives = receiveRequests(sent, pipeline);
  return {
    sends: sendRequests(sent, BigInt(pipeline.queue.send_batch)),
    receives,
    retriedReceives: percentOf(BigInt(pipeline.retry_percent), receives),
    deletes: deleteRequests(sent, pipeline),
    emptyReceives: emptyReceives(sent, BigInt(pipeline.queue.pollers), seconds),
  };
}

export function requestsOf({ sends, receives, retriedReceives, deletes, emptyReceives }: QueueActions): bigint {
  return sends + receives + retriedReceives + deletes + emptyReceives;
}

/** Batches fill over the hour. */
function sendRequests({ entries, sizeBytes, chunks }: SentEntries, batch: bigint): bigint {
  return batch === 1n ? chunks : min(chunks, requestsOfActions(ceilDiv(entries, batch), sizeBytes));
}

/** A receive returns the messages that are there, so it gathers those of one second. */
function receiveRequests(
  { entries, sizeBytes, chunks, activeSeconds }: SentEntries,
  pipeline: CompletePipeline,
): bigint {
  const batch = actionBatch(pipeline);
  if (batch === 1) return chunks;
  const active = BigInt(activeSeconds);
  const actions = active === 0n ? 0n : min(entries, active * ceilDiv(entries, active * BigInt(batch)));
  return min(chunks, requestsOfActions(actions, sizeBytes));
}

/** Messages of an invocation are deleted together. */
function deleteRequests({ entries, spread }: SentEntries, pipeline: CompletePipeline): bigint {
  const batch = actionBatch(pipeline);
  return batch === 1 ? entries : min(entries, spread(entries, batch));
}

/** Polls wait in the seconds without messages. */
function emptyReceives({ entries, activeSeconds }: SentEntries, pollers: bigint, seconds: number): bigint {
  const busy = min(BigInt(activeSeconds), entries);
  return (pollers * (BigInt(seconds) - busy)) / pollSeconds;
}

const actionBatch = ({ function: fn }: CompletePipeline) => Math.min(fn.batch_size, maxActionMessages);

/** An action is one request per started 64 KiB of its payload, at least one. */
function requestsOfActions(actions: bigint, sizeBytes: bigint): bigint {
  return actions === 0n ? 0n : actions * max(1n, ceilDiv(sizeBytes, actions * chunkBytes));
}
