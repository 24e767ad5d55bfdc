import { unavailable } from '../../shared/errors.ts';

/** Memory that one request has reserved for its body. */
export interface BodyReservation {
  /** @throws AppError SERVICE_UNAVAILABLE if the bodies in progress would use more than `maxBytes`. */
  grow(bytes: number): void;
  release(): void;
}

export interface BodyMemory {
  open(): BodyReservation;
}

/** Bounds the memory that the bodies of all requests in progress use together, in bytes. */
export function createBodyMemory(maxBytes: number): BodyMemory {
  let used = 0;
  return {
    open: () => {
      let own = 0;
      return {
        grow: (bytes) => {
          if (used + bytes > maxBytes) throw unavailable('Too many request bodies are in progress.', 1);
          used += bytes;
          own += bytes;
        },
        release: () => {
          used -= own;
          own = 0;
        },
      };
    },
  };
}
