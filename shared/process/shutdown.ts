import { errorFields, type Log } from './log.ts';

export interface ShutdownStep {
  name: string;
  run: () => Promise<unknown>;
}

/**
 * Runs the steps one after the other on SIGTERM or SIGINT, then exits the process with 0 if all
 * steps succeeded, and with 1 if a step failed or `graceMs` was exceeded.
 */
export function shutdownOnSignal(steps: readonly ShutdownStep[], options: { graceMs: number; log: Log }): void {
  const { graceMs, log } = options;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    // The margin leaves time for further steps after a step that waits for the whole grace period.
    const deadline = setTimeout(() => {
      log.error('shutdown timed out', { grace_ms: graceMs });
      process.exit(1);
    }, graceMs + 1000);
    deadline.unref();
    let clean = true;
    for (const step of steps) {
      try {
        await step.run();
      } catch (error) {
        clean = false;
        log.error(`closing ${step.name} failed`, errorFields(error));
      }
    }
    log.info('stopped');
    process.exit(clean ? 0 : 1);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
