// Cuts a log into bodies as a sender would: a small log is one body, a larger one several of whole
// entries, so that memory does not depend on the size of the log.
import { type BodyForm, formOfBytes } from '../../../shared/ingest/reading/body-form.ts';
import { scanJson } from '../../../shared/json/json-scanner.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { peek } from './inputs.ts';
import { cutRequests, framingOf } from './otlp-file.ts';

export interface Piece {
  readonly bytes: Buffer;
  /** `protobuf`: a request of OpenTelemetry. */
  readonly form: BodyForm | 'protobuf';
}

/** A log of fewer bytes is one body; a line of more bytes is cut off, and no entry. */
export const wholeBytes = 4 * 1024 * 1024;
const pieceBytes = 512 * 1024;
const [lineFeed, comma] = [0x0a, 0x2c];
const blanks: readonly (number | undefined)[] = [0x09, 0x20];

/** @param chunks of UTF-8, or of requests in protobuf. */
export async function* cutPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  const { start, rest, isComplete } = await peek(chunks, wholeBytes + 1);
  if (start.length === 0) return;
  const framing = framingOf(start);
  if (framing) {
    for await (const bytes of cutRequests(rest, framing)) yield { bytes, form: 'protobuf' };
    return;
  }
  const form = formOfBytes(start);
  if (isComplete && start.length <= wholeBytes) {
    yield { bytes: start, form };
    return;
  }
  const pieces = form === 'values' && !hasValueByLine(start) ? cutValues(rest) : cutLines(rest);
  for await (const bytes of pieces) yield { bytes, form };
}

/** Whether the first line is one JSON value. */
function hasValueByLine(start: Buffer): boolean {
  const end = start.indexOf(lineFeed);
  return end !== -1 && parseJson(start.toString('utf8', 0, end).replace(/^\ufeff/, '')) !== undefined;
}

async function* cutLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isSkipping = false;
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isSkipping) {
      const end = rest.indexOf(lineFeed);
      isSkipping = end === -1;
      rest = rest.subarray(isSkipping ? rest.length : end + 1);
    }
    for (let end = cutAt(rest); end !== -1; end = cutAt(rest)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
    }
    if (rest.length > wholeBytes) {
      yield rest;
      rest = Buffer.alloc(0);
      isSkipping = true;
    }
  }
  if (rest.length > 0) yield rest;
}

/**
 * The end of the next piece; -1 if more bytes decide about it. A line that begins with a blank is
 * not the first of a piece: it continues an entry, and has the time of the line before it.
 */
function cutAt(rest: Buffer): number {
  if (rest.length <= pieceBytes) return -1;
  const isEnd = (at: number) => at + 1 < rest.length && !blanks.includes(rest[at + 1]);
  for (let at = rest.lastIndexOf(lineFeed, pieceBytes); at > 0; at = rest.lastIndexOf(lineFeed, at - 1)) {
    if (isEnd(at)) return at + 1;
  }
  for (let at = rest.indexOf(lineFeed, pieceBytes); at !== -1; at = rest.indexOf(lineFeed, at + 1)) {
    if (isEnd(at)) return at + 1;
  }
  return rest.length > wholeBytes ? rest.lastIndexOf(lineFeed) + 1 || -1 : -1;
}

/** Cuts JSON between the values on its top level, or between the items of its list. */
async function* cutValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of `rest` that are scanned next. */
  let least = pieceBytes;
  let isSkipping = false;
  for await (const chunk of chunks) {
    const end: number = isSkipping ? chunk.indexOf(lineFeed) : 0;
    rest = Buffer.concat([rest, chunk.subarray(end === -1 ? chunk.length : end)]);
    isSkipping = end === -1;
    if (rest.length < least) continue;
    const cut = endOfValues(rest);
    least = cut > 0 ? pieceBytes : 2 * rest.length;
    if (cut > 0) {
      const values = rest.subarray(0, cut);
      const isInList = !isClosed(values);
      yield isInList ? Buffer.concat([values, Buffer.from(']')]) : values;
      const next = rest.subarray(rest[cut] === comma ? cut + 1 : cut);
      rest = isInList ? Buffer.concat([Buffer.from('['), next]) : next;
    } else if (rest.length > 4 * wholeBytes) {
      yield rest.subarray(0, wholeBytes);
      rest = Buffer.alloc(0);
      isSkipping = true;
    }
  }
  if (rest.length > 0) yield rest;
}

/** The end of the last whole value; 0 without a whole value. */
function endOfValues(bytes: Buffer): number {
  let last = 0;
  for (const { end } of scanJson(bytes, 'values')) if (end < bytes.length) last = end;
  return last;
}

function isClosed(bytes: Buffer): boolean {
  const entries = scanJson(bytes, 'values');
  for (;;) {
    const { done, value } = entries.next();
    if (done) return value.isClosed;
  }
}
