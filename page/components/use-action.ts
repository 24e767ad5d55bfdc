import { useState } from 'preact/hooks';

interface Action<Args extends readonly unknown[]> {
  /** Begins the work, unless it is in progress. */
  readonly start: (...args: Args) => void;
  readonly isBusy: boolean;
  /** The error of the last attempt; null after a successful one. */
  readonly error: unknown;
}

/** Work that a button or a form begins: one attempt at a time, and the error of the last one. */
export function useAction<Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>): Action<Args> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function run(args: Args): Promise<void> {
    setBusy(true);
    try {
      await work(...args);
      setError(null);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  }
  return {
    start: (...args) => {
      if (!isBusy) void run(args);
    },
    isBusy,
    error,
  };
}
