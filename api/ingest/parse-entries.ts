import { TextDecoder } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import { type BodyForm, utf16Of } from '../../shared/ingest/reading/body-form.ts';
import type { EntryList, EntryRules } from '../../shared/ingest/reading/entry-list.ts';
import { readEntries } from '../../shared/ingest/reading/read-entries.ts';
import type { TextOptions } from '../../shared/ingest/reading/read-text.ts';
import { bodyError } from '../../shared/json/field-errors.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { quoted } from '../../shared/quoted.ts';
import { isUtf8Charset, readBody, unsupportedType } from '../http/body/request-body.ts';
import { type AppContext } from '../http/context.ts';
import type { ReadCounter } from './ingest-budget.ts';

const json = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const jsonLines = /^(?:application|text)\/(?:x-)?(?:ndjson|ldjson|jsonl|jsonlines|json-lines)$/;
const protobuf = /^application\/(?:x-|vnd\.google\.)?protobuf$/;
/** The types that clients send by default, whatever the body is. */
const saysNothing = new Set(['', 'application/octet-stream', 'application/x-www-form-urlencoded']);

/** The types that an error names. Other names of JSON and NDJSON are accepted too. */
const documentedTypes = ['application/json', 'application/x-ndjson', 'text/plain'] as const;

/**
 * The form of a body by its media type; null if the type says nothing about it.
 * @throws AppError VALIDATION_ERROR without a body, UNSUPPORTED_MEDIA_TYPE for any other type.
 */
export function formOfType(ctx: AppContext): BodyForm | null {
  if (ctx.is() === null || ctx.request.length === 0) throw bodyError('is required');
  const type = ctx.request.type.toLowerCase();
  if (json.test(type)) return 'values';
  if (jsonLines.test(type)) return 'lines';
  if (type === 'text/plain') return 'text';
  if (saysNothing.has(type)) return null;
  const instead = insteadOf(type, ctx.path);
  throw instead ? new AppError('UNSUPPORTED_MEDIA_TYPE', instead) : unsupportedType(ctx, documentedTypes);
}

/** Says what to send instead of a body of this type; undefined if only the type is wrong. */
function insteadOf(type: string, path: string): string | undefined {
  if (type === 'multipart/form-data') {
    return 'Log entries must be the body itself, not a file in a form: with curl, --data-binary @FILE instead of -F.';
  }
  if (protobuf.test(type)) {
    const address = /^\/ingest\/?$/i.test(path) ? '/v1/logs' : `${path.replace(/\/$/, '')}/v1/logs`;
    return `Protobuf must be an OTLP export of logs, sent to ${address}.`;
  }
  return undefined;
}

/** Reads the entries of a body, plain or compressed. @throws as `readBody` and `readEntries` do. */
export async function parseEntries(
  ctx: AppContext,
  typeForm: BodyForm | null,
  rules: EntryRules,
  text: TextOptions,
  maxBytes: number,
  counter: ReadCounter,
): Promise<EntryList> {
  const onPiece = ({ length }: Buffer) => counter.add(length, 0);
  const mayBeText = typeForm === null || typeForm === 'text';
  const bytes = mayBeText
    ? await readDecodedBody(ctx, maxBytes, onPiece)
    : await readBody(ctx, maxBytes, { onPiece, isUtf8Required: false });
  const entries = await readEntries(bytes, typeForm, rules, text, maxBytes);
  counter.add(0, entries.count);
  return entries;
}

/** Bytes that are decoded without reading the clock. */
const pieceBytes = 64 * 1024;

/**
 * Reads the body of a request, unpacked, and converts it to UTF-8 if it is UTF-16 or has the
 * charset that its type names.
 * @param maxBytes of the body, as it is sent, unpacked and converted.
 * @throws AppError as `readBody` does; UNSUPPORTED_MEDIA_TYPE if the charset is unknown.
 */
async function readDecodedBody(ctx: AppContext, maxBytes: number, onPiece: (piece: Buffer) => void): Promise<Buffer> {
  const decoder = decoderOf(ctx.request.charset);
  const bytes = await readBody(ctx, maxBytes, { onPiece, isUtf8Required: false, isAnyCharsetAccepted: true });
  const utf16 = utf16Of(bytes);
  const chosen = utf16 ? new TextDecoder(utf16) : decoder;
  return chosen ? convert(ctx, bytes, chosen, maxBytes) : bytes;
}

/** @returns null for UTF-8. */
function decoderOf(charset: string): TextDecoder | null {
  if (isUtf8Charset(charset)) return null;
  try {
    return new TextDecoder(charset);
  } catch {
    const message = `The charset ${quoted(charset)} is unknown: send UTF-8, or a charset of the Encoding Standard such as utf-16le or windows-1252.`;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

async function convert(ctx: AppContext, bytes: Buffer, decoder: TextDecoder, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (isSliceOver()) await nextSlice();
    const stream = start + pieceBytes < bytes.length;
    const text = decoder.decode(bytes.subarray(start, start + pieceBytes), { stream });
    const piece = Buffer.from(decoder.encoding === 'windows-1252' ? withoutControls(text) : text);
    size += piece.length;
    if (size > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes in UTF-8.`);
    ctx.state.bodyMemory.grow(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The characters of windows-1252 from 0x80 to 0x9f. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node.js up to version 22 decodes windows-1252 as ISO 8859-1, which has controls there. */
const withoutControls = (text: string) =>
  text.replace(/[\u0080-\u009f]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80));
