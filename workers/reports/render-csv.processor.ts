import { renderCsvQueue } from '../../shared/reports/render-csv.queue.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import { attemptReport } from './render-report.processor.ts';

/**
 * Processes the queue of CSV reports. `renderReportProcessor` makes attempts in the same way, and
 * its sweep adds the missing jobs of both queues.
 */
export const renderCsvProcessor = defineProcessor(renderCsvQueue, attemptReport);
