import { type Model } from 'mongoose';
import { defineModel } from '../connections/mongo.ts';
import type { ErrorCode } from '../errors.ts';
import type { FileId } from '../files/file-store.ts';

export const reportFormats = ['pdf', 'csv'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The rows of a CSV report: usage by hour and service, or every log entry. */
export const reportDetails = ['hours', 'entries'] as const;
export type ReportDetail = (typeof reportDetails)[number];

/** `excel`: with the byte order mark by which Excel knows UTF-8. */
export const reportDialects = ['rfc4180', 'excel'] as const;
export type ReportDialect = (typeof reportDialects)[number];

export const reportStatuses = ['queued', 'rendering', 'ready', 'failed', 'expired'] as const;
export type ReportStatus = (typeof reportStatuses)[number];
export const unfinishedStatuses: readonly ReportStatus[] = ['queued', 'rendering'];

/** How often a report is rendered before it has failed. An attempt of a worker that dies counts. */
export const maxReportAttempts = 5;

export interface Report {
  _id: string;
  scenarioId: string;
  format: ReportFormat;
  /** Set for a CSV report; absent for a PDF. */
  detail?: ReportDetail;
  /** Set for a CSV report that is not in `rfc4180`. */
  dialect?: ReportDialect;
  title: string;
  /** Inclusive; absent for an open start. */
  from?: Date;
  /** Exclusive; absent for an open end. */
  to?: Date;
  status: ReportStatus;
  /** Per cent. */
  progress: number;
  /** Attempts at rendering that were begun. */
  attempts: number;
  /**
   * The id of the file. While the report is rendered, the file that the current attempt writes: it
   * is set before the first byte is written, so a file that no report names is left over.
   */
  fileId?: FileId;
  sizeBytes?: number;
  /** Digest of the file, hexadecimal. */
  sha256?: string;
  /** Why the report has failed. */
  error?: { code: ErrorCode; message: string };
  /** The schedule that requested it, if any. */
  scheduleId?: string;
  /** The account that owns it. */
  createdBy?: string | null;
  /**
   * Its place among the unfinished reports that its owner requested; absent once it is ready or
   * failed.
   */
  slot?: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Number of a slot, which is `<owner>/<number>`. */
export const slotNumber = (slot: string): number => Number(slot.slice(slot.lastIndexOf('/') + 1));

export type ReportModel = Model<Report>;

export const createReportModel = defineModel<Report>('reports', [
  // Serves the list of all reports, and the removal of old records. The id makes the order total.
  [{ createdAt: 1, _id: 1 }],
  // Serves the list of an owner's reports, and the search for what a deleted account owned.
  [{ createdBy: 1, createdAt: 1, _id: 1 }],
  // Serves the list of a scenario's reports, and their removal with the scenario.
  [{ scenarioId: 1, createdAt: 1, _id: 1 }],
  // Serves the search for reports without a job, for expired ones, and the count of an owner's
  // unfinished ones.
  [{ status: 1, createdAt: 1 }],
  // Limits the unfinished reports of an owner, also under concurrent requests.
  [{ slot: 1 }, { unique: true, partialFilterExpression: { slot: { $type: 'string' } } }],
  // Serves the search for files that no report names.
  [{ fileId: 1 }, { sparse: true }],
]);

/**
 * Begins an attempt at rendering, which writes the file `fileId`. An attempt in progress, such as
 * that of a worker that was taken for dead, ends: it no longer owns the report.
 * @returns the report before the update, with the file that an earlier attempt may have left; null
 * if it is not to be rendered.
 */
export async function beginAttempt(model: ReportModel, id: string, fileId: FileId): Promise<Report | null> {
  return model
    .findOneAndUpdate(
      { _id: id, status: { $in: unfinishedStatuses } },
      { $set: { status: 'rendering', progress: 0, fileId, updatedAt: new Date() }, $inc: { attempts: 1 } },
      { returnDocument: 'before' },
    )
    .lean<Report>();
}

/** Queues a failed report again, with all of its attempts. */
export async function requeueReport(model: ReportModel, id: string): Promise<void> {
  await model.updateOne(
    { _id: id, status: 'failed' },
    { $set: { status: 'queued', progress: 0, attempts: 0, updatedAt: new Date() }, $unset: { error: 1 } },
  );
}

/**
 * Changes a report on behalf of the attempt that writes `fileId`.
 * @returns false if the attempt no longer owns the report: it was deleted, or another attempt has
 * begun.
 */
export async function updateAttempt(
  model: ReportModel,
  { _id: id, fileId }: { _id: string; fileId: FileId },
  change: Partial<Pick<Report, 'progress' | 'sizeBytes' | 'sha256' | 'error'>> & { status?: 'ready' | 'failed' },
): Promise<boolean> {
  const { matchedCount } = await model.updateOne(
    { _id: id, status: 'rendering', fileId },
    { $set: { ...change, updatedAt: new Date() }, ...(change.status && { $unset: { slot: 1 } }) },
  );
  return matchedCount === 1;
}

/** Counts one attempt less, for one that ended through no fault of the report. */
export async function refundAttempt(
  model: ReportModel,
  { _id: id, fileId }: { _id: string; fileId: FileId },
): Promise<void> {
  await model.updateOne({ _id: id, status: 'rendering', fileId }, { $inc: { attempts: -1 } });
}
