import { unavailable } from '../../shared/errors.ts';

/** Memory that one request has reserved for its body. */
export interface BodyReservation {
  /** @throws AppError SERVICE_UNAVAILABLE if the bodies in progress, or those of the network, would use too much memory. */
  grow(bytes: number): void;
  release(): void;
}

export interface BodyMemory {
  /** @param network of the caller. */
  open(network: string): BodyReservation;
}

/** A network can use this share, so that one caller cannot prevent the requests of all others. */
const shareOfNetwork = 0.5;

/** Bounds the memory that the bodies of all requests in progress use together, in bytes. */
export function createBodyMemory(maxBytes: number): BodyMemory {
  let used = 0;
  const usedByNetwork = new Map<string, number>();
  return {
    open: (network) => {
      let own = 0;
      const usedByOwn = () => usedByNetwork.get(network) ?? 0;
      return {
        grow: (bytes) => {
          if (used + bytes > maxBytes || usedByOwn() + bytes > maxBytes * shareOfNetwork) {
            throw unavailable('Too many request bodies are in progress.', 1);
          }
          used += bytes;
          own += bytes;
          usedByNetwork.set(network, usedByOwn() + bytes);
        },
        release: () => {
          used -= own;
          const left = usedByOwn() - own;
          if (left > 0) usedByNetwork.set(network, left);
          else usedByNetwork.delete(network);
          own = 0;
        },
      };
    },
  };
}
