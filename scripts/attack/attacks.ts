import type { Attack } from './attack.ts';
import { ingestShapes } from './ingest-shapes.ts';
import { jsonShapes } from './json-shapes.ts';
import { messageShapes } from './message-shapes.ts';
import { metricsShapes } from './metrics-shapes.ts';
import { streamShapes } from './stream-shapes.ts';

/**
 * Every attack; a group of them is a line.
 * @param options.days the number of days of the largest scenario.
 */
export const attacks = ({ days = 47_000 } = {}): Attack[] => [
  ...ingestShapes(),
  ...streamShapes(),
  ...jsonShapes(),
  ...messageShapes(),
  ...metricsShapes(days),
];
