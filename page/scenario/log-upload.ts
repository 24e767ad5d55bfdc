import { isContinuation } from '../../shared/ingest/text-lines/continued-lines.ts';
import { LineTimes } from '../../shared/ingest/text-lines/line-times.ts';
import { utc } from '../../shared/ingest/text-lines/time-zone.ts';
import { utf16Of } from '../../shared/ingest/text-lines/utf-16.ts';
import { ApiError, isTemporary } from '../client/api-error.ts';
import type { IngestSummary } from '../client/responses.ts';
import { authorized } from '../client/session.ts';
import { formatBytes } from '../format/amounts.ts';
import { cutLines, type LineBatch, type LineStart } from './cut-lines.ts';

/**
 * Bytes of a request: small enough for a progress that moves, large enough to cost few requests.
 */
const batchBytes = 1024 * 1024;
/** JSON that is not one object a line is sent whole. The service takes a little more than this. */
const wholeBytes = 4 * 1024 * 1024;
/** Errors that are shown. */
const maxErrors = 20;

export interface UploadProgress {
  /** Bytes of the file that were sent and taken. */
  readonly sentBytes: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly skipped: number;
  /** Entries that told their time; null if the file is not text. */
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

/**
 * Sends a log file to a running scenario, request by request. Each request has an Idempotency-Key,
 * so that one whose answer was lost is not counted twice.
 * @param joinsTraces whether the lines of a stack trace are one entry; only for lines of text.
 * @throws Error for a file that cannot be cut into requests.
 */
export async function openUpload(file: File, scenarioId: string, joinsTraces: boolean): Promise<Upload> {
  const form = await formOf(file);
  const isText = form.type === 'text/plain';
  const path = `/ingest/${scenarioId}${isText && joinsTraces ? '?join=trace' : ''}`;
  let readBytes = 0;
  const batches = form.isWhole
    ? wholeFile(file, form)
    : cutLines(
        readPieces(file, form, (bytes) => (readBytes = bytes)),
        batchBytes,
        isText ? startOfLines() : undefined,
      );
  let readError: Error | null = null;
  let pending: { batch: LineBatch; key: string; readBytes: number } | null = null;
  let progress: UploadProgress = {
    sentBytes: 0,
    accepted: 0,
    rejected: 0,
    skipped: 0,
    timed: isText ? 0 : null,
    errors: [],
    isWaiting: false,
  };

  async function next() {
    // A generator that has failed would say that it is done.
    if (readError) throw readError;
    const { value, done } = await batches.next().catch((error: unknown) => {
      readError = new Error(
        `${file.name} cannot be read to its end. ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
      throw readError;
    });
    if (done) return null;
    return { batch: value, key: crypto.randomUUID(), readBytes: form.isWhole ? file.size : readBytes };
  }

  async function run(signal: AbortSignal, report: (progress: UploadProgress) => void): Promise<void> {
    const update = (changes: Partial<UploadProgress>) => {
      progress = { ...progress, ...changes };
      report(progress);
    };
    for (;;) {
      pending ??= await next();
      if (!pending) break;
      const { batch, key } = pending;
      const {
        accepted,
        rejected,
        skipped,
        timed = 0,
        errors,
      } = await sendBatch(batch, key, signal, (isWaiting) => update({ isWaiting }));
      update({
        sentBytes: pending.readBytes,
        accepted: progress.accepted + accepted,
        rejected: progress.rejected + rejected + batch.tooLong,
        skipped: progress.skipped + skipped,
        timed: progress.timed === null ? null : progress.timed + timed,
        errors: [
          ...progress.errors,
          ...errors.map(({ field, error }) => `${field} ${error}`),
          ...(batch.tooLong > 0 ? [`Lines of more than ${formatBytes(batchBytes)}: ${batch.tooLong}`] : []),
        ].slice(0, maxErrors),
        isWaiting: false,
      });
      pending = null;
    }
    update({ sentBytes: file.size });
  }

  async function sendBatch(
    { bytes }: LineBatch,
    key: string,
    signal: AbortSignal,
    wait: (isWaiting: boolean) => void,
  ): Promise<IngestSummary> {
    if (bytes.length === 0) return { accepted: 0, rejected: 0, skipped: 0, errors: [] };
    const headers = { 'Content-Type': form.type, 'Idempotency-Key': key };
    for (;;) {
      try {
        const body = new Blob([bytes]);
        const response = await authorized(path, { method: 'POST', body, headers, signal });
        return (await response.json()) as IngestSummary;
      } catch (error) {
        // The first attempt of a repeated request can still be in progress.
        const isInProgress = error instanceof ApiError && error.code === 'CONFLICT';
        if (!isTemporary(error) && !isInProgress) throw error;
        wait(true);
        await pause((error instanceof ApiError && error.retryAfter ? error.retryAfter : 2) * 1_000, signal);
      }
    }
  }

  return { name: file.name, totalBytes: file.size, run };
}

interface FileForm {
  readonly isGzip: boolean;
  /** Whether the file is one JSON value, which cannot be cut at its line ends. */
  readonly isWhole: boolean;
  readonly type: string;
  /** The encoding of a file that is converted; otherwise null. */
  readonly utf16: ReturnType<typeof utf16Of>;
}

async function formOf(file: File): Promise<FileForm> {
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b;
  const bytes = await readStart(file, isGzip);
  const utf16 = utf16Of(bytes);
  const start = new TextDecoder(utf16 ?? 'utf-8').decode(bytes);
  if (start.trim() === '') throw new Error(`${file.name} has no lines.`);
  const [firstLine = ''] = start.trimStart().split('\n', 1);
  const isObject = firstLine.startsWith('{');
  if (!isObject && !/^\s*\[\s*(?:[{\]]|"(?:[^"\\]|\\.)*"\s*[,\]])/.test(start)) {
    return { isGzip, utf16, isWhole: false, type: 'text/plain' };
  }
  // The start of a long file can end within its first line.
  if (isObject && (isJson(firstLine) || !start.trimStart().includes('\n'))) {
    return { isGzip, utf16, isWhole: false, type: 'application/x-ndjson' };
  }
  if (isGzip || file.size > wholeBytes) {
    throw new Error(
      `${file.name} is one large JSON value, which cannot be sent in parts. Convert it to one object a line (jq -c '.[]').`,
    );
  }
  return { isGzip, utf16, isWhole: true, type: 'application/json' };
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

async function readStart(file: File, isGzip: boolean): Promise<Uint8Array> {
  const reader = streamOf(file.slice(0, 256 * 1024), isGzip).getReader();
  try {
    const { value } = await reader.read();
    return value ?? new Uint8Array();
  } finally {
    // A slice of a compressed file ends too early, which is no fault of the file.
    await reader.cancel().catch(() => {});
  }
}

async function* readPieces(
  file: File,
  { isGzip, utf16 }: FileForm,
  report: (readBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let readBytes = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (piece, controller) => {
        readBytes += piece.length;
        report(readBytes);
        controller.enqueue(piece);
      },
    }),
  );
  const decoder = utf16 && new TextDecoder(utf16);
  const reader = (isGzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield decoder ? encoder.encode(decoder.decode(value, { stream: true })) : value;
  }
}

const encoder = new TextEncoder();

const streamOf = (blob: Blob, isGzip: boolean): ReadableStream<Uint8Array<ArrayBuffer>> =>
  isGzip ? blob.stream().pipeThrough(new DecompressionStream('gzip')) : blob.stream();

async function* wholeFile(file: File, { utf16 }: FileForm): AsyncGenerator<LineBatch, void, undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  yield { bytes: utf16 ? encoder.encode(new TextDecoder(utf16).decode(bytes)) : bytes, tooLong: 0 };
}

/** The service reads times and joins lines within a request, so that one begins with an entry. */
function startOfLines(): (head: string) => LineStart {
  const times = new LineTimes(utc, Date.now());
  return (head) => {
    if (head.trim() === '' || isContinuation(head)) return 'continuation';
    return times.read(head) === undefined ? 'entry' : 'time';
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
