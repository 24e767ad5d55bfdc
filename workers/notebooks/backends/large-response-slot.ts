import { UpstreamError } from './upstream-error.ts';

/** Lets one holder at a time keep a large response in memory. */
interface LargeResponseSlot {
  /**
   * Waits until no other holder has the slot. @returns a function that frees it.
   * @throws UpstreamError when the signal aborts before.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createLargeResponseSlot(): LargeResponseSlot {
  let isHeld = false;
  const waiting = new Set<() => void>();
  const release = () => {
    const [next] = waiting;
    if (next) next();
    else isHeld = false;
  };
  return {
    acquire: async (signal) => {
      if (isHeld) {
        await new Promise<void>((resolve, reject) => {
          const end = (settle: () => void) => () => {
            waiting.delete(proceed);
            signal.removeEventListener('abort', abandon);
            settle();
          };
          const proceed = end(resolve);
          const abandon = end(() => reject(slotTaken()));
          waiting.add(proceed);
          if (signal.aborted) abandon();
          else signal.addEventListener('abort', abandon);
        });
      }
      isHeld = true;
      return release;
    },
  };
}

function slotTaken(): UpstreamError {
  return new UpstreamError({ reason: 'other large notebooks are being changed', retryable: true });
}
