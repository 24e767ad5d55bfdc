import {
  defineQueue,
  type JobPayload,
  maxPriority,
  type OpenQueue,
  requiredUuid,
  retriedIndefinitely,
} from '../queues/define-queue.ts';
import { type Report, type ReportModel, unfinishedStatuses } from './report.model.ts';

export interface RenderReportPayload extends JobPayload {
  reportId: string;
}

export interface RenderReportResult {
  /** `gone`: the report was deleted, or another attempt renders it or has ended it. */
  outcome: 'ready' | 'gone';
}

const settings = {
  payload: { reportId: requiredUuid },
  jobName: () => 'render report',
  // A page of the browser takes about 100 MiB. More workers print more documents.
  concurrency: 2,
  // The report counts its attempts, also those of workers that die, which BullMQ does not count,
  // and none that ends before it has reached the database. The job fails when the report does.
  ...retriedIndefinitely,
} as const;

/** Reports in PDF. */
export const renderReportQueue = defineQueue<RenderReportPayload, RenderReportResult>()({
  ...settings,
  name: 'render-report',
});

/** Reports in CSV, which take a fraction of the time of a PDF and do not wait for any. */
export const renderCsvQueue = defineQueue<RenderReportPayload, RenderReportResult>()({
  ...settings,
  name: 'render-csv',
});

/** The id is the same for every job of a report, so that repeated adding makes one job. */
export const renderingJobId = (reportId: string) => `report-${reportId}`;

type Rendered = Pick<Report, '_id' | 'format' | 'createdBy' | 'createdAt'>;
type RenderingQueues = Readonly<Record<'render-csv' | 'render-report', OpenQueue<RenderReportPayload>>>;

/**
 * Adds the job of an unfinished report, unless it has one. Owners take turns: the priority of a job
 * is its round. Rounds count from that of the next waiting job, and the report at position `n` among
 * those of its owner is `n` rounds later, so that no owner has several reports in a round. A later
 * report of another owner does not precede a round, so every round is reached.
 */
export async function addRenderingJob(
  { models, queues }: { models: { report: ReportModel }; queues: RenderingQueues },
  { _id: reportId, format, createdBy = null, createdAt }: Rendered,
  requestId: string,
): Promise<void> {
  const queue = queues[format === 'csv' ? 'render-csv' : 'render-report'];
  const earlier = { createdBy, status: { $in: unfinishedStatuses }, createdAt: { $lt: createdAt } };
  const position = (await models.report.countDocuments(earlier)) + 1;
  const [next] = await queue.queue.getPrioritized(0, 0);
  // A queue starts again at 1 once it is empty.
  const round = Math.min((next?.priority ?? 1) - 1 + position, maxPriority);
  await queue.add({ reportId, requestId }, { jobId: renderingJobId(reportId), priority: round });
}
