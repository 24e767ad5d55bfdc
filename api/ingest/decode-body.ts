import { TextDecoder } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import { utf16Of } from '../../shared/ingest/text-lines/utf-16.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { quoted } from '../../shared/quoted.ts';
import { isUtf8Charset, readBody } from '../http/body/request-body.ts';
import type { AppContext } from '../http/context.ts';

/** Bytes that are decoded without reading the clock. */
const pieceBytes = 64 * 1024;

/**
 * Reads the body of a request, unpacked, and converts it to UTF-8 if it is UTF-16 or has the
 * charset that its type names.
 * @param maxBytes of the body, as it is sent, unpacked and converted.
 * @throws AppError as `readBody` does; UNSUPPORTED_MEDIA_TYPE if the charset is unknown.
 */
export async function readDecodedBody(
  ctx: AppContext,
  maxBytes: number,
  onPiece: (piece: Buffer) => void,
): Promise<Buffer> {
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
