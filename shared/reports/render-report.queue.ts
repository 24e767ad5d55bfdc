import Joi from 'joi';
import { day } from '../durations.ts';
import { defineQueue, type JobPayload, retriedIndefinitely } from '../queues/define-queue.ts';

export interface RenderReportPayload extends JobPayload {
  reportId: string;
}

export interface RenderReportResult {
  /** `gone`: the report was deleted, or another attempt renders it or has ended it. */
  outcome: 'ready' | 'gone';
}

/** Settings of the queues of both formats. */
export const renderingSettings = {
  payload: Joi.object<RenderReportPayload>({
    reportId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  jobName: () => 'render report',
  // The report counts its attempts, also those of workers that die, which BullMQ does not count,
  // and none that ends before it has reached the database. The job fails when the report does.
  ...retriedIndefinitely,
  keepCompleted: { count: 100 },
  keepFailed: { age: 7 * day },
} as const;

/** Reports in PDF. */
export const renderReportQueue = defineQueue<RenderReportPayload, RenderReportResult>()({
  ...renderingSettings,
  name: 'render-report',
  // A page of the browser takes about 100 MiB. More workers print more documents.
  concurrency: 2,
});
