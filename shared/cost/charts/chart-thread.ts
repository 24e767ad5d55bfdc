// The thread that draws charts.
import { serveTasks } from '../../process/serve-tasks.ts';
import type { Chart } from './chart-threads.ts';
import { renderChart } from './render-chart.ts';

serveTasks(({ kind, data, ...style }: Chart): Promise<string> => renderChart(kind, data, style));
