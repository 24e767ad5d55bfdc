import { minute } from '../../shared/durations.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { allProcessors } from '../all-processors.ts';
import type { SweepDeps } from './define-processor.ts';

const interval = minute;

/**
 * Runs the sweeps of all processors at once, and then every minute. @returns a function that ends
 * them.
 */
export function startSweep({ log, ...deps }: SweepDeps & { log: Log }): () => void {
  const run = () => {
    for (const { sweep } of Object.values<{ sweep?: (deps: SweepDeps) => Promise<void> }>(allProcessors)) {
      sweep?.(deps).catch((error: unknown) => log.warn('sweep failed', errorFields(error)));
    }
  };
  run();
  const timer = setInterval(run, interval);
  return () => clearInterval(timer);
}
