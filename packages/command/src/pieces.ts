// Cuts a log into bodies as a sender would: a small log is one body, a larger one several of whole
// entries, so that memory does not depend on the size of the log.
import { type BodyForm, formOfBytes } from '../../../shared/ingest/reading/body-form.ts';
import { JsonTokens } from '../../../shared/json/json-tokens.ts';
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
const lineFeed = 0x0a;
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
  const tokens = new JsonTokens();
  let rest: Buffer = Buffer.alloc(0);
  /** The position of `rest` in the text, and where its last whole value ends in it. */
  let offset = 0;
  let [end, level] = [0, 0];
  let isList = false;
  let isSkipping = false;
  for await (const chunk of chunks) {
    rest = isSkipping ? chunk : Buffer.concat([rest, chunk]);
    if (isSkipping) end = 0;
    tokens.push(chunk);
    for (let token = tokens.next(); token !== null; token = tokens.next()) {
      if (token === 'open') {
        if (level === 0 && tokens.byte === 0x5b && tokens.start < 16) {
          isList = true;
          rest = rest.subarray(tokens.end - offset);
          offset = tokens.end;
        } else level += 1;
      } else if (token === 'close') level = Math.max(0, level - 1);
      if (level > 0 || (isList ? token !== 'comma' : token !== 'close')) continue;
      end = (isList ? tokens.start : tokens.end) - offset;
      if (isSkipping || end >= pieceBytes) {
        if (!isSkipping) yield isList ? inList(rest.subarray(0, end)) : rest.subarray(0, end);
        isSkipping = false;
        rest = rest.subarray(tokens.end - offset);
        offset = tokens.end;
        end = 0;
      }
    }
    if (rest.length - end > 4 * wholeBytes) {
      if (end > 0) yield isList ? inList(rest.subarray(0, end)) : rest.subarray(0, end);
      yield rest.subarray(end, end + wholeBytes);
      isSkipping = true;
    }
    if (isSkipping) offset = tokens.end;
  }
  // The last piece has the end of the list.
  if (rest.length > 0 && !isSkipping) yield isList ? Buffer.concat([Buffer.from('['), rest]) : rest;
}

const inList = (items: Buffer) => Buffer.concat([Buffer.from('['), items, Buffer.from(']')]);
