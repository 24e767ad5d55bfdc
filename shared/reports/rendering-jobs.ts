import type { Queues } from '../all-queues.ts';
import type { Models } from '../models.ts';
import { maxPriority } from '../queues/define-queue.ts';
import { type Report, slotNumber, unfinishedStatuses } from './report.model.ts';

type Rendered = Pick<Report, '_id' | 'format' | 'createdBy' | 'slot'>;

interface Deps {
  models: Pick<Models, 'report'>;
  queues: Pick<Queues, 'render-csv' | 'render-report'>;
}

const renderingQueueOf = ({ format }: Rendered) => (format === 'csv' ? 'render-csv' : 'render-report');

/** The id is the same for every job of a report, so that repeated adding makes one job. */
export const renderingJobId = (reportId: string) => `report-${reportId}`;

/**
 * Adds the job of an unfinished report, unless it has one. Owners take turns: the priority of a job
 * is its round. Rounds count from that of the next waiting job, and the report in an owner's slot
 * `n` is `n` rounds later, so that no owner has several reports in a round. A later report of
 * another owner does not precede a round, so every round is reached.
 */
export async function addRenderingJob({ models, queues }: Deps, report: Rendered, requestId: string): Promise<void> {
  const queue = queues[renderingQueueOf(report)];
  const position = await positionOf(models, report);
  const [next] = await queue.queue.getPrioritized(0, 0);
  // A queue starts again at 1 once it is empty.
  const round = Math.min((next?.priority ?? 1) - 1 + position, maxPriority);
  await queue.add({ reportId: report._id, requestId }, { jobId: renderingJobId(report._id), priority: round });
}

/**
 * Counted from 1. The reports of schedules have no slot; they count themselves and all others of
 * their owner.
 */
async function positionOf({ report: model }: Deps['models'], { createdBy = null, slot }: Rendered): Promise<number> {
  if (slot !== undefined) return slotNumber(slot) + 1;
  return Math.max(1, await model.countDocuments({ createdBy, status: { $in: unfinishedStatuses } }));
}
