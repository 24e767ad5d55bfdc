import type { Attack } from './attack.ts';
import { ingestShapes } from './ingest-shapes.ts';
import { jsonShapes } from './json-shapes.ts';
import { messageShapes } from './message-shapes.ts';
import { type MetricsSizes, metricsShapes } from './metrics-shapes.ts';
import { otlpShapes } from './otlp-shapes.ts';
import { streamShapes } from './stream-shapes.ts';

/** Every attack; a group of them is a line. */
export const attacks = (sizes: MetricsSizes = { days: 47_000, hours: 5_000 }): Attack[] => [
  ...ingestShapes(),
  ...streamShapes(),
  ...jsonShapes(),
  ...messageShapes(),
  ...metricsShapes(sizes),
  ...otlpShapes(),
];
