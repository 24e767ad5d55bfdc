/**
 * The tokens of a JSON text that divide it, as it arrives: brackets, commas, strings, and the bytes
 * between them. Whether the text is valid JSON is left to `JSON.parse`.
 *
 * `string`: a whole string. `brokenString`: a string up to a line feed, which no string of JSON
 * contains; the line feed is the next token. `other`: bytes of anything else, such as colons,
 * numbers and words.
 */
export type JsonToken = 'open' | 'close' | 'comma' | 'string' | 'brokenString' | 'space' | 'lineEnd' | 'other';

const tokenOf = Array.from({ length: 256 }, (): JsonToken | 'quote' => 'other');
for (const [characters, token] of [
  ['{[', 'open'],
  ['}]', 'close'],
  [',', 'comma'],
  ['"', 'quote'],
  [' \t\r', 'space'],
  ['\n', 'lineEnd'],
] as const) {
  for (const character of characters) tokenOf[character.charCodeAt(0)] = token;
}
const [quote, backslash, lineFeed] = [0x22, 0x5c, 0x0a];

export class JsonTokens {
  #piece: Uint8Array = new Uint8Array();
  /** Position of the present piece in the text. */
  #offset: number;
  /** The next byte of the piece. */
  #index = 0;
  #isInString = false;
  #isAfterBackslash = false;
  #start = 0;
  #byte = 0;

  /** @param start position of the first byte that is pushed. */
  constructor(start = 0) {
    this.#offset = start;
  }

  /** Position of the first byte of the last token. */
  get start(): number {
    return this.#start;
  }

  /** The first byte of the last token. */
  get byte(): number {
    return this.#byte;
  }

  /** Position after the last token, or after the pushed bytes if there is none. */
  get end(): number {
    return this.#offset + this.#index;
  }

  /** Whether the pushed bytes end in a string. */
  get isInString(): boolean {
    return this.#isInString;
  }

  /** The next piece of the text. All tokens of the one before must have been read. */
  push(piece: Uint8Array): void {
    this.#offset += this.#piece.length;
    this.#piece = piece;
    this.#index = 0;
  }

  /** The next token; null if none ends in the pushed bytes. */
  next(): JsonToken | null {
    if (this.#isInString) return this.#endString();
    const piece = this.#piece;
    if (this.#index >= piece.length) return null;
    this.#start = this.#offset + this.#index;
    this.#byte = piece[this.#index] as number;
    this.#index += 1;
    const token = tokenOf[this.#byte] as JsonToken | 'quote';
    if (token === 'quote') {
      this.#isInString = true;
      return this.#endString();
    }
    if (token === 'other') this.#index = endOfOther(piece, this.#index);
    return token;
  }

  #endString(): JsonToken | null {
    const piece = this.#piece;
    let index = this.#index;
    if (this.#isAfterBackslash && index < piece.length) {
      this.#isAfterBackslash = false;
      if (piece[index] !== lineFeed) index += 1;
    }
    for (; index < piece.length; index += 1) {
      const byte = piece[index];
      if (byte === quote) return this.#ended('string', index + 1);
      if (byte === lineFeed) return this.#ended('brokenString', index);
      if (byte !== backslash) continue;
      if (index + 1 === piece.length) this.#isAfterBackslash = true;
      else if (piece[index + 1] !== lineFeed) index += 1;
    }
    this.#index = index;
    return null;
  }

  #ended(token: JsonToken, index: number): JsonToken {
    this.#index = index;
    this.#isInString = false;
    return token;
  }
}

function endOfOther(piece: Uint8Array, from: number): number {
  let index = from;
  while (index < piece.length && tokenOf[piece[index] as number] === 'other') index += 1;
  return index;
}
