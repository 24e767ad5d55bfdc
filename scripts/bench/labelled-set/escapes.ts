// The escapes with which systems write a text into a line. The marks of personal data stay as they
// are.
import { escapeAround } from './marks.ts';

export const json = (text: string): string => JSON.stringify(text).slice(1, -1);

export const url = (text: string): string => escapeAround(text, encodeURIComponent);

export const html = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string);

/** `encoding/json` of Go escapes the signs of HTML. */
export const goJson = (text: string): string =>
  json(text).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

/** PHP's `json_encode` escapes slashes and everything that is not ASCII. */
export const phpJson = (text: string): string => asciiJson(text).replaceAll('/', '\\/');

export const asciiJson = (text: string): string =>
  escapeAround(json(text), (part) =>
    part.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

/** RFC 2045, without soft line breaks. */
export const quotedPrintable = (text: string): string =>
  escapeAround(text, (part) =>
    [...Buffer.from(part, 'utf8')]
      .map((byte) => {
        const isLiteral = byte >= 32 && byte < 127 && byte !== 61;
        return isLiteral ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      })
      .join(''),
  );

export const sql = (text: string): string => text.replaceAll("'", "''");

export const ansi = (colour: number, text: string): string => `\u001b[${colour}m${text}\u001b[0m`;
