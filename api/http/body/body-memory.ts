import { unavailable } from '../../../shared/errors.ts';

/** Memory that one request has reserved for its body. */
export type BodyReservation = ReturnType<ReturnType<typeof createBodyMemory>['open']>;

/**
 * A share of the memory is reserved for networks that use at most `smallBytes`: for logins and
 * short log entries.
 */
const reservedShare = 0.25;
const smallBytes = 64 * 1024;

/** The memory of a piece beside its bytes. A chunked body can have pieces of one byte. */
const pieceBytes = 256;

/**
 * Bounds the memory that the bodies of all requests in progress use together, in bytes. A
 * network can use as much of the part that is not reserved as it leaves free. So the first one
 * gets at most half of it, and each further one finds some.
 */
export function createBodyMemory(maxBytes: number) {
  const sharedBytes = maxBytes * (1 - reservedShare);
  let used = 0;
  const usedByNetwork = new Map<string, number>();
  return {
    open: (network: string) => {
      let own = 0;
      const usedByOwn = () => usedByNetwork.get(network) ?? 0;
      return {
        /**
         * Reserves memory for a piece of a body.
         * @throws AppError SERVICE_UNAVAILABLE if the bodies in progress, or those of the network,
         * would use too much memory.
         */
        grow: (bytes: number) => {
          const growth = bytes + pieceBytes;
          const withGrowth = usedByOwn() + growth;
          const isAllowed =
            withGrowth <= smallBytes ? used + growth <= maxBytes : withGrowth <= sharedBytes - (used + growth);
          if (!isAllowed) throw unavailable('Too many request bodies are in progress.', 1);
          used += growth;
          own += growth;
          usedByNetwork.set(network, withGrowth);
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
