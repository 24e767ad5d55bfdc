// The thread that draws charts.
import { serveTasks } from '../../process/thread-pool.ts';
import type { Chart } from './chart-threads.ts';
import { renderChart } from './render-chart.ts';

serveTasks(({ kind, data, ...style }: Chart): Promise<string> => renderChart(kind, data, style));
