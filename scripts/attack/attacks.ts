import type { Attack, AttackSizes } from './attack.ts';
import { ingestShapes } from './ingest-shapes.ts';
import { jsonShapes } from './json-shapes.ts';
import { metricsShapes } from './metrics-shapes.ts';
import { otlpShapes } from './otlp-shapes.ts';
import { streamShapes } from './stream-shapes.ts';
import { messageShapes } from './worker-shapes.ts';

/** Every attack; a group of them is a line. */
export const attacks = (sizes: AttackSizes = { days: 13_000, hours: 5_000, lines: 80_000 }): Attack[] => [
  ...ingestShapes(),
  ...streamShapes(sizes.lines),
  ...jsonShapes(),
  ...messageShapes(),
  ...metricsShapes(sizes),
  ...otlpShapes(sizes.lines),
];
