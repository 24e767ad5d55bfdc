import { errorFields, type Log } from './log.ts';

type Step = { name: string; run: () => Promise<unknown> };

/**
 * Everything that was opened is closed in one order: the steps run one after the other, as they were listed. SIGTERM
 * and SIGINT start it; when it takes longer than `graceMs` the process ends with 1.
 */
export function shutdownOnSignal(steps: readonly Step[], options: { graceMs: number; log: Log }): void {
  const { graceMs, log } = options;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    // The margin lets a step that ends its own wait at the grace period still be followed by the next ones.
    const deadline = setTimeout(() => {
      log.error('could not stop in time', { grace_ms: graceMs });
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
