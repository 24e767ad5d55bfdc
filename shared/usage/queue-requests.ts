// The requests of a queue. An action is billed as one request per started 64 KiB of its payload, at
// least one request.

const chunkBytes = 65_536;

/** Chunks of 64 KiB of a payload: the requests of one action, at least one. */
export function chunksOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / chunkBytes));
}

/** Requests of a message by its actions. Only the send and the receive have the payload. */
export function queueRequests(bytes: number, requestsPerMessage: number): number {
  const { withPayload, empty } = actionsOf(requestsPerMessage);
  return chunksOf(bytes) * withPayload + empty;
}

/** The chunks of 64 KiB of messages, at least one each, from the requests that they have caused. */
export function chunksOfRequests(requests: bigint, messages: bigint, requestsPerMessage: number): bigint {
  const { withPayload, empty } = actionsOf(requestsPerMessage);
  return (requests - messages * BigInt(empty)) / BigInt(withPayload);
}

/** The actions of a message: those that carry its payload, and those that carry none. */
export function actionsOf(requestsPerMessage: number): { withPayload: number; empty: number } {
  return { withPayload: Math.min(requestsPerMessage, 2), empty: Math.max(requestsPerMessage - 2, 0) };
}
