import { renderCsvQueue } from '../../shared/reports/render-csv.queue.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import { attemptReport } from './render-report.processor.ts';

/** Makes one attempt at rendering a report in CSV. */
export const renderCsvProcessor = defineProcessor(renderCsvQueue, attemptReport);
