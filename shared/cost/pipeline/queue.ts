// The billable actions of the queue in one hour.
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { ceilDiv, type Exact, max, min, percentOf, plus, type Ratio, times, toExact } from './exact.ts';
import type { SentEntries } from './sent-entries.ts';

export interface QueueActions {
  /** Requests of send actions, which carry the messages. */
  sends: Exact;
  /** Requests of receive actions, which carry the messages. */
  receives: Exact;
  /** Requests of receive actions of messages whose invocation is retried. */
  retriedReceives: Exact;
  deletes: Exact;
  /** Long polls that return no message. */
  emptyReceives: Exact;
}

const chunkBytes = 65_536;
/** Messages of one receive or delete action. */
const maxActionMessages = 10;
const pollSeconds = 20n;

/** @param seconds of the hour, up to 3,600. */
export function queueActions(sent: SentEntries, pipeline: CompletePipeline, seconds: Ratio): QueueActions {
  const receives = receiveRequests(sent, pipeline);
  return {
    sends: sendRequests(sent, pipeline.queue.send_batch),
    receives,
    retriedReceives: percentOf(pipeline.retry_percent, receives),
    deletes: deleteRequests(sent, pipeline),
    emptyReceives: emptyReceives(sent, pipeline.queue.pollers, seconds),
  };
}

export function requestsOf({ sends, receives, retriedReceives, deletes, emptyReceives }: QueueActions): Exact {
  return [receives, retriedReceives, deletes, emptyReceives].reduce(plus, sends);
}

/** Batches fill over the hour. */
function sendRequests({ entries, sizeBytes, chunks }: SentEntries, batch: number): Exact {
  return batch === 1 ? chunks : min(chunks, requestsOfActions(ceilDiv(entries, batch), sizeBytes));
}

/** A receive returns the messages that are there, so it gathers those of one second. */
function receiveRequests(
  { entries, sizeBytes, chunks, activeSeconds }: SentEntries,
  pipeline: CompletePipeline,
): Exact {
  const batch = actionBatch(pipeline);
  if (batch === 1) return chunks;
  const actions = activeSeconds === 0 ? 0 : min(entries, times(activeSeconds, ceilDiv(entries, activeSeconds * batch)));
  return min(chunks, requestsOfActions(actions, sizeBytes));
}

/** Messages of an invocation are deleted together. */
function deleteRequests({ entries, windows }: SentEntries, pipeline: CompletePipeline): Exact {
  const batch = actionBatch(pipeline);
  return batch === 1 ? entries : min(entries, windows.spread(entries, batch));
}

/** Polls wait in the seconds without messages. */
function emptyReceives(
  { entries, activeSeconds }: SentEntries,
  pollers: number,
  { times: seconds, over }: Ratio,
): Exact {
  const busy = BigInt(min(entries, activeSeconds)) * over;
  return seconds <= busy ? 0 : toExact((BigInt(pollers) * (seconds - busy)) / (pollSeconds * over));
}

const actionBatch = ({ function: fn }: CompletePipeline) => Math.min(fn.batch_size, maxActionMessages);

/** An action is one request per started 64 KiB of its payload, at least one. */
function requestsOfActions(actions: Exact, sizeBytes: Exact): Exact {
  return actions === 0 ? 0 : times(actions, max(1, ceilDiv(sizeBytes, times(actions, chunkBytes))));
}
