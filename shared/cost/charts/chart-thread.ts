// The thread that draws charts.
import { serveTasks } from '../../process/serve-tasks.ts';
import type { ChartTask } from './chart-threads.ts';
import { renderChart } from './render-chart.ts';
import { renderPng } from './render-png.ts';

serveTasks(async ({ kind, data, format, ...style }: ChartTask): Promise<string | Uint8Array> => {
  const svg = await renderChart(kind, data, style);
  return format === 'svg' ? svg : renderPng(svg);
});
