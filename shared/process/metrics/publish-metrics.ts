import { monitorEventLoopDelay } from 'node:perf_hooks';
import { second } from '../../durations.ts';
import { errorFields, type Log } from '../log.ts';
import type { Metrics } from './metrics.ts';
import type { MetricsTotals } from './metrics-totals.ts';

const publishInterval = 5 * second;
const lagInterval = 1 * second;
/** Interval of the timer that observes the event loop, in milliseconds. */
const resolution = 10;

/**
 * Observes the event loop of this process, and publishes its counters every five seconds. A process
 * that is killed loses the counts since then.
 * @returns a function that ends both and publishes the rest.
 */
export function startPublishing(options: {
  metrics: Metrics;
  totals: MetricsTotals;
  process: 'web' | 'worker';
  log: Log;
}): () => Promise<void> {
  const { metrics, totals, process, log } = options;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  const lagTimer = setInterval(() => {
    // A delay is measured from one run of the timer to the next, so it includes the interval.
    metrics.eventLoopLag.observe({ process }, Math.max(0, delays.max / 1e9 - resolution / second));
    delays.reset();
  }, lagInterval);
  const publishTimer = setInterval(() => {
    totals.publish().catch((error: unknown) => log.warn('metrics not published', errorFields(error)));
  }, publishInterval);
  return async () => {
    clearInterval(lagTimer);
    clearInterval(publishTimer);
    delays.disable();
    await totals.publish();
  };
}
