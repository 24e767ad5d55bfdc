import { utf16Of } from '../../shared/ingest/reading/body-form.ts';
import type { LineBatch } from '../../shared/ingest/text-lines/cut-lines.ts';

/** JSON that is not one object a line is sent whole. The service takes a little more than this. */
const wholeBytes = 4 * 1024 * 1024;

export interface FileForm {
  readonly isGzip: boolean;
  /** Whether the file is one JSON value, which cannot be cut at its line ends. */
  readonly isWhole: boolean;
  readonly type: string;
  /** The encoding of a file that is converted; otherwise null. */
  readonly utf16: ReturnType<typeof utf16Of>;
}

/** @throws Error for a file that cannot be cut into requests. */
export async function formOf(file: File): Promise<FileForm> {
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

/** The bytes of the file in UTF-8, piece by piece. */
export async function* readPieces(
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

export async function* wholeFile(file: File, { utf16 }: FileForm): AsyncGenerator<LineBatch, void, undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  yield { bytes: utf16 ? encoder.encode(new TextDecoder(utf16).decode(bytes)) : bytes, tooLong: 0 };
}
