import { formatBytes } from '../../shared/amounts.ts';
import { cutLines, type LineBatch, type LineStart } from '../../shared/ingest/text-lines/cut-lines.ts';
import { isContinuation, LineTimes } from '../../shared/ingest/text-lines/line-times.ts';
import { openTimeZone, utc } from '../../shared/ingest/text-lines/time-zone.ts';
import type { IngestSummary } from '../client/responses.ts';
import { entrySentence } from '../format/page-words.ts';
import { type FileForm, formOf, readPieces, wholeFile } from './file-form.ts';
import { sendBatch } from './send-batch.ts';

/**
 * Bytes of a request: small enough for a progress that moves, large enough to cost few requests.
 */
const batchBytes = 1024 * 1024;
/** Errors that are shown. */
const maxErrors = 20;

export interface UploadProgress {
  /** Bytes of the file that were sent and taken. */
  readonly sentBytes: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly skipped: number;
  /** Entries with a time of their own; null if the file is not text. */
  readonly timed: number | null;
  readonly errors: readonly string[];
  readonly isWaiting: boolean;
}

export interface Upload {
  readonly name: string;
  readonly totalBytes: number;
  /** Sends what was not sent yet. After an error, another call continues with the same request. */
  run(signal: AbortSignal, report: (progress: UploadProgress) => void): Promise<void>;
}

/** How lines of text are read; other files tell it themselves. */
export interface TextOptions {
  /** Whether the lines of a stack trace are one entry. */
  readonly joinsTraces: boolean;
  /** The zone of times that name none, by its name in the IANA database. */
  readonly zone: string;
}

/**
 * Sends a log file to a running scenario, request by request. Each request has an Idempotency-Key,
 * so that one whose response was lost is not counted twice.
 * @throws Error for a file that cannot be cut into requests.
 */
export async function openUpload(file: File, scenarioId: string, { joinsTraces, zone }: TextOptions): Promise<Upload> {
  const form = await formOf(file);
  const isText = form.type === 'text/plain';
  const query = isText ? { zone, ...(joinsTraces ? { join: 'trace' } : {}) } : {};
  const request = { path: `/ingest/${scenarioId}`, query, type: form.type };
  const next = openBatches(file, form, zone);
  let pending: PendingBatch | null = null;
  let progress: UploadProgress = { ...noProgress, timed: isText ? 0 : null };

  async function run(signal: AbortSignal, report: (progress: UploadProgress) => void): Promise<void> {
    const update = (changes: Partial<UploadProgress>) => {
      progress = { ...progress, ...changes };
      report(progress);
    };
    for (;;) {
      pending ??= await next();
      if (!pending) break;
      const summary = await sendBatch({ ...request, ...pending }, signal, (isWaiting) => update({ isWaiting }));
      update(afterBatch(progress, pending, summary));
      pending = null;
    }
    update({ sentBytes: file.size });
  }

  return { name: file.name, totalBytes: file.size, run };
}

const noProgress: UploadProgress = {
  sentBytes: 0,
  accepted: 0,
  rejected: 0,
  skipped: 0,
  timed: null,
  errors: [],
  isWaiting: false,
};

interface PendingBatch extends LineBatch {
  readonly key: string;
  /** Bytes of the file that were read up to its end. */
  readonly readBytes: number;
}

/** Returns the next batch of a file at each call, and null after the last one. */
function openBatches(file: File, form: FileForm, zone: string): () => Promise<PendingBatch | null> {
  let readBytes = form.isWhole ? file.size : 0;
  const batches = form.isWhole
    ? wholeFile(file, form)
    : cutLines(
        readPieces(file, form, (bytes) => (readBytes = bytes)),
        batchBytes,
        form.type === 'text/plain' ? startOfLines(zone) : undefined,
      );
  let readError: Error | null = null;
  return async () => {
    // A generator that has failed would say that it is done.
    if (readError) throw readError;
    const { value, done } = await batches.next().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      readError = new Error(`${file.name} cannot be read to its end. ${reason}`, { cause: error });
      throw readError;
    });
    return done ? null : { ...value, key: crypto.randomUUID(), readBytes };
  };
}

/** The progress after the response to a batch. */
function afterBatch(
  progress: UploadProgress,
  { readBytes, tooLong }: PendingBatch,
  { accepted, rejected, skipped, timed, errors }: IngestSummary,
): UploadProgress {
  const before = progress.accepted + progress.rejected + progress.skipped;
  return {
    sentBytes: readBytes,
    accepted: progress.accepted + accepted,
    rejected: progress.rejected + rejected + tooLong,
    skipped: progress.skipped + skipped,
    timed: progress.timed === null ? null : progress.timed + timed,
    errors: [
      ...progress.errors,
      ...errors.map(({ index, field, error }) => entrySentence(before + index + 1, field, error)),
      ...(tooLong > 0 ? [`Lines of more than ${formatBytes(batchBytes)}: ${tooLong}`] : []),
    ].slice(0, maxErrors),
    isWaiting: false,
  };
}

/** The service reads times and joins lines within a request, so that one begins with an entry. */
function startOfLines(zone: string): (head: string) => LineStart {
  const times = new LineTimes(openTimeZone(zone) ?? utc, Date.now());
  return (head) => {
    if (head.trim() === '' || isContinuation(head)) return 'continuation';
    return times.read(head) === undefined ? 'entry' : 'time';
  };
}
