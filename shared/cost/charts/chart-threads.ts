import { extname } from 'node:path';
import { createThreadPool } from '../../process/thread-pool.ts';
import type { ChartData, ChartKind, ChartTheme } from './chart-data.ts';

export interface Chart {
  readonly kind: ChartKind;
  readonly theme: ChartTheme;
  readonly data: ChartData;
  /** In CSS pixels; absent for the default. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Draws charts in a thread of its own, one after the other. A drawing fails with a ThreadFailure if
 * the thread ends, for example at its time limit.
 */
export interface ChartThreads {
  drawSvg(chart: Chart): Promise<string>;
  /** Unfinished drawings fail. */
  close(): Promise<void>;
}

/** The library needs about 40 MiB of it, a chart with 2,000 rows less than that. */
const maxHeapMb = 256;

/** A drawing takes up to 100 ms, the start of a thread seconds on a busy machine. */
const maxTaskMs = 30_000;

/** No thread is started before the first chart: the library takes a second to load. */
export function createChartThreads(): ChartThreads {
  // The compiled service has JavaScript files.
  const file = new URL(`./chart-thread${extname(import.meta.url)}`, import.meta.url);
  const pool = createThreadPool<Chart, string>({ file, data: null, size: 1, maxHeapMb, maxTaskMs });
  return {
    drawSvg: (chart) => pool.run(taskOf(chart)),
    close: () => pool.close(),
  };
}

/**
 * Tasks are copied to the thread, so this one has only what is drawn, even if `data` is the data of
 * a report.
 */
function taskOf({ data, ...style }: Chart): Chart {
  const { scenario, period, totals, breakdown, interval, rows, rowsTruncated } = data;
  const drawn = { scenario: { name: scenario.name }, period, totals, breakdown, interval, rows, rowsTruncated };
  return { ...style, data: drawn };
}
