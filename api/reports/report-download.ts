import type { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import { AppError } from '../../shared/errors.ts';
import { type ByteRange, FileMissing, type FileStore } from '../../shared/files/file-store.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import { withoutInvisible } from '../../shared/visible-text.ts';

export const mediaTypes = { pdf: 'application/pdf', csv: 'text/csv; charset=utf-8' } as const;

/** A report with a file. */
type StoredReport = Report & Required<Pick<Report, 'fileId' | 'sizeBytes' | 'sha256'>>;

/** @throws AppError GONE for an expired report, INVALID_STATE for one without a file. */
export function requireFile(report: Report): StoredReport {
  const { _id: id, status, error } = report;
  if (status === 'expired') throw fileRemoved(id);
  if (status === 'failed') {
    throw new AppError('INVALID_STATE', `Report ${id} has failed: ${error?.message ?? 'it has no file.'}`);
  }
  if (status !== 'ready')
    throw new AppError('INVALID_STATE', `Report ${id} is ${status}; to download it, it must be ready.`);
  return report as StoredReport;
}

/**
 * Opens the file before the response begins. @throws AppError GONE if the store does not have it;
 * SERVICE_UNAVAILABLE while the store is unreachable.
 */
export async function openFile({ _id, fileId }: StoredReport, range: ByteRange, files: FileStore): Promise<Readable> {
  try {
    return await files.read(fileId, range);
  } catch (error) {
    throw error instanceof FileMissing ? fileRemoved(_id, error) : error;
  }
}

const fileRemoved = (id: string, cause?: unknown) =>
  new AppError('GONE', `The file of report ${id} has been removed; request a new report.`, { cause });

/**
 * Names the file by title and day, without characters that a file system or a shell treats in a
 * special way.
 */
export function dispositionOf({ title, createdAt, format }: Report): string {
  const name = withoutInvisible(title)
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}"'`$%&*/:;<>?\\|~]+/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '');
  const cut = Array.from(name).slice(0, 80).join('').trim();
  const file = `${cut === '' ? 'report' : cut} ${createdAt.toISOString().slice(0, 10)}.${format}`;
  return contentDisposition(file);
}
