import { defineModel } from '../connections/mongo.ts';
import { type ReportDetail, type ReportDialect, type ReportFormat } from './report.model.ts';

/** Reports of a scenario that are requested regularly. */
export interface ReportSchedule {
  _id: string;
  scenarioId: string;
  format: ReportFormat;
  /** Set for CSV reports; absent for PDFs. */
  detail?: ReportDetail;
  /** Set for CSV reports that are not in `rfc4180`. */
  dialect?: ReportDialect;
  /** Five fields, or six with seconds. */
  cron: string;
  /** IANA name. */
  timezone: string;
  enabled: boolean;
  /**
   * The time of the next run; null while disabled. A run is claimed by replacing it, so each is run
   * once, however many jobs are added for it, and one that is in the past is due.
   */
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  lastReportId: string | null;
  /** The account that owns it and its reports. */
  createdBy?: string | null;
  /** Incremented by every change, except by runs. The ETag contains the revision. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

export const createReportScheduleModel = defineModel<ReportSchedule>('report_schedules', [
  // Serves the list of all schedules. The id makes the order total.
  [{ createdAt: 1, _id: 1 }],
  // Serves the list of an owner's schedules, and the search for what a deleted account owned.
  [{ createdBy: 1, createdAt: 1, _id: 1 }],
  // Serves the list of a scenario's schedules, and their removal with the scenario.
  [{ scenarioId: 1, createdAt: 1, _id: 1 }],
  // Serves the sweep for runs that are due.
  [{ nextRunAt: 1 }],
]);
