// Decodes escapes, replaces Unicode variants by ASCII and removes invisible characters. Maps the
// result back to the original offsets.
import { characters, execAt, normalizeCodeUnit, testAt } from './characters.ts';

const { CLASSES, ENCODED } = characters;

/**
 * The normalized text. For each of its code units, `starts` and `ends` are the offsets in the
 * original text.
 */
interface NormalizedText {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** An escape: the character that it represents (`undefined` for none), and its length. */
interface Escape {
  readonly code: number | undefined;
  readonly length: number;
}

/** ASCII characters that are printable or separate words, in two hexadecimal digits. */
const HEX = '(?:[2-7][\\da-f]|0[9ad])';
const CONTROL = '\\[[\\d;:?]{0,24}[a-z]';
/**
 * Escapes by their first character: of URLs (`%40`, `%2540`, `%C3%A9`), of JSON, also within JSON
 * (`\u0040`, `\\u0040`), of HTML (`&#64;`, `&#x40;`, `&nbsp;`), and the control sequences of
 * terminals, whose first character is written as itself or escaped (`\x1b[31m`, `#033[31m`,
 * `^[[31m`).
 */
const ESCAPES: Readonly<Record<string, RegExp>> = {
  '%': new RegExp(
    `%(?:25)?(${HEX})|%(c[2-9a-f]%[89ab][\\da-f]|d[\\da-f]%[89ab][\\da-f]|e[\\da-f](?:%[89ab][\\da-f]){2})`,
    'iy',
  ),
  '\\': new RegExp(
    `\\\\(?:(?:u001b|x1b|033|e)${CONTROL}|\\\\u(00[2-7][\\da-f])|u(00${HEX}|0[1-9a-f][\\da-f]{2}|00[89a-f][\\da-f]|[1-9a-f][\\da-f]{3})|x(${HEX})|(/))`,
    'iy',
  ),
  '&': /&(?:#(\d{2,5})|#x([\da-f]{2,4})|([a-z]{2,8}));/iy,
  '#': new RegExp(`#033${CONTROL}`, 'iy'),
  '^': new RegExp(`\\^\\[${CONTROL}`, 'iy'),
  '\u001b': new RegExp(`\u001b${CONTROL}`, 'iy'),
};
const EQUALS = 61;
/** 1 for the characters of ASCII at which an escape can begin. */
const CAN_CHANGE = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('%\\&#^\u001b='.includes(String.fromCharCode(code))),
);

/** References of HTML that are written next to personal data or within its labels. */
const HTML_NAMES = new Map(
  (
    'amp& lt< gt> quot" apos\' commat@ period. colon: equals= sol/ hyphen- dash- ndash- mdash- minus- ' +
    'nbsp\u00a0 ensp\u00a0 emsp\u00a0 thinsp\u00a0 shy\u00ad zwnj\u200c zwj\u200d ordmº ordfª oslashø aeligæ szligß'
  )
    .split(' ')
    .map((reference) => [reference.slice(0, -1), reference.slice(-1)]),
);
/** Only quoted-printable has an escaped equals sign, or a character beyond ASCII. */
const ESCAPED_SIGN = /=(?:3D|(?:C[2-9A-F]|D[\dA-F]|E[\dA-F]=[89AB][\dA-F])=[89AB][\dA-F])/iu;
/** A line of nearly 76 characters that the next line continues. */
const CONTINUED_LINE = /(?:^|\n)[^\n]{60,75}=\r?\n/u;
const TRANSFER_ENCODING = /transfer-encoding["'\\]{0,4}:[\s"'\\]{0,8}quoted-printable/iu;
/** Letters and digits are not escaped, so `=44` is not an escape: `card=4411…`. */
const QUOTED_PRINTABLE_ESCAPE =
  /=(?:(?<soft>\r?\n|(?:\\r)?\\n)|(?<utf8>(?:[CD][\dA-F]|E[\dA-F]=[89AB][\dA-F])=[89AB][\dA-F])|(?<sign>3D|(?:2[\dA-F]|3[A-F]|40|5[B-F]|60|7[B-E])(?!\d{5})))/y;

/** Reads the escape at `at`. */
function readEscape(text: string, at: number): Escape | undefined {
  const first = text.charAt(at);
  const pattern = ESCAPES[first];
  const found = pattern === undefined ? null : execAt(pattern, text, at);
  if (found === null) return undefined;
  const [{ length }, one, two, three, slash] = found;
  const hexadecimal = (digits: string): Escape => ({ code: Number.parseInt(digits, 16), length });
  if (first === '%')
    return one === undefined ? { code: decodeUtf8(['', ...(two ?? '').split('%')]), length } : hexadecimal(one);
  if (first === '&') return readReference(length, one, two, three);
  if (slash !== undefined) return { code: 47, length };
  const digits = one ?? two ?? three;
  return digits === undefined ? { code: undefined, length } : hexadecimal(digits);
}

/** Reads a reference of HTML: a number in decimal or hexadecimal digits, or a name. */
function readReference(length: number, decimal?: string, hexadecimal?: string, name?: string): Escape | undefined {
  if (hexadecimal !== undefined) return { code: Number.parseInt(hexadecimal, 16), length };
  const code = Number(decimal);
  if (decimal !== undefined) return code < 32 || code > 65535 ? undefined : { code, length };
  if (name === undefined) return undefined;
  const character = HTML_NAMES.get(name.toLowerCase());
  return character === undefined ? undefined : { code: character.charCodeAt(0), length };
}

/** The character of two or three bytes in hexadecimal digits, of which the first is empty. */
function decodeUtf8(bytes: readonly string[]): number {
  return Buffer.from(bytes.join(''), 'hex').toString('utf8').charCodeAt(0);
}

/** Reads any escape of a text in quoted-printable: also soft line breaks, and signs. */
function readQuotedPrintable(text: string, at: number): Escape | undefined {
  const found = execAt(QUOTED_PRINTABLE_ESCAPE, text, at);
  if (found === null) return undefined;
  const { utf8, sign } = found.groups as Partial<Record<string, string>>;
  const length = found[0].length;
  if (sign !== undefined) return { code: Number.parseInt(sign, 16), length };
  return { code: utf8 === undefined ? undefined : decodeUtf8(utf8.split('=')), length };
}

/**
 * Whether the text changes at `at`, where it has the class `ENCODED`, when it is normalized. A line
 * feed can be a soft break of quoted-printable.
 */
export function isEncodedAt(text: string, at: number): boolean {
  const character = text.charAt(at);
  if (character === '&' || character === '\u001b') return readEscape(text, at) !== undefined;
  if (character === '\n' || character === '\r') return text.charAt(at - 1) === '=';
  return character !== '\0';
}

/** A byte of a character beyond ASCII, of which the first byte is before it. */
const CONTINUATION = /%[89ab][\da-f]/iy;

/** Whether the text shows that it is in quoted-printable. */
export function isQuotedPrintable(text: string): boolean {
  return ESCAPED_SIGN.test(text) || (text.includes('\n') && CONTINUED_LINE.test(text)) || TRANSFER_ENCODING.test(text);
}

/** Whether an escape of quoted-printable can begin at `at`: `age=44` is none. */
export function canBeQuotedPrintable(text: string, at: number): boolean {
  return testAt(QUOTED_PRINTABLE_ESCAPE, text, at);
}

/** Whether an escape begins at `at`, or the rest of an escaped character. */
export function isEscapeAt(text: string, at: number): boolean {
  return readEscape(text, at) !== undefined || testAt(CONTINUATION, text, at);
}

/** Normalizes the whole text in one pass. */
export function normalizeText(original: string): NormalizedText {
  const codes = new Uint16Array(original.length);
  const starts = new Uint32Array(original.length);
  const ends = new Uint32Array(original.length);
  const hasQuotedPrintable = isQuotedPrintable(original);
  let length = 0;
  for (let at = 0, next = 0; at < original.length; at = next) {
    let code: number | undefined = original.charCodeAt(at);
    const canBeEscape = code < 128 && CAN_CHANGE[code] === 1 && (code !== EQUALS || hasQuotedPrintable);
    const escape = !canBeEscape
      ? undefined
      : code === EQUALS
        ? readQuotedPrintable(original, at)
        : readEscape(original, at);
    next = at + (escape?.length ?? 1);
    if (escape !== undefined) code = escape.code;
    if (code !== undefined && code >= 128 && ((CLASSES[code] as number) & ENCODED) !== 0) {
      const ascii = normalizeCodeUnit(code);
      code = ascii < 0 ? undefined : ascii;
    }
    if (code === undefined) continue;
    codes[length] = code;
    starts[length] = at;
    ends[length++] = next;
  }
  return { text: Buffer.from(codes.buffer, 0, length * 2).toString('utf16le'), starts, ends };
}
