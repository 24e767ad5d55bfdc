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
  createdAt: Date;
  updatedAt: Date;
}

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
  // Serves the search for files that no report names.
  [{ fileId: 1 }, { sparse: true }],
]);
