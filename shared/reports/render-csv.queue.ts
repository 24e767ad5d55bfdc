import { defineQueue } from '../queues/define-queue.ts';
import { type RenderReportPayload, type RenderReportResult, renderingSettings } from './render-report.queue.ts';

/** Reports in CSV, which take a fraction of the time of a PDF and do not wait for any. */
export const renderCsvQueue = defineQueue<RenderReportPayload, RenderReportResult>()({
  ...renderingSettings,
  name: 'render-csv',
  concurrency: 2,
});
