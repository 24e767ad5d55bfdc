/**
 * Finds the entries in the bytes of a JSON or NDJSON body as they arrive, without parsing them, and
 * counts what makes parsing and validation expensive: entries, fields and levels. It recognises
 * strings, brackets, commas and line ends; whether an entry is valid JSON is left to `JSON.parse`.
 */

/**
 * `json`: one value, or a list whose items are the entries. `lines`: an entry per line (NDJSON).
 * `values`: values one after the other, with or without a separator; the items of a list on the top
 * level are entries.
 */
export type JsonForm = 'json' | 'lines' | 'values';

export interface JsonLimits {
  readonly entries: number;
  /** Levels of objects and lists in an entry, including the entry itself. */
  readonly levels: number;
  /** Fields of an entry, fields and items within one of its fields, and half of both together. */
  readonly fields: number;
  /** Fields and items of all entries, at every level, without what exceeds a limit of its entry. */
  readonly values: number;
}

/** A range of bytes of the body. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ScannedEntry extends ByteRange {
  /** An escape such as `\u0000` can stand for any character. */
  readonly hasUnicodeEscape: boolean;
  /** The first limit that the entry exceeds. It must not be parsed then. */
  readonly excess: EntryExcess | null;
}

export interface EntryExcess {
  readonly limit: 'levels' | 'fields';
  /** The JSON string that names the entry's field at fault; null if it is the entry itself. */
  readonly name: ByteRange | null;
}

export interface ScannedBody {
  /** Whether the body is one value, not a list. */
  readonly single: boolean;
  /** Whether the last list is closed. Only a body of the form `values` is returned without. */
  readonly closed: boolean;
  /** Includes lines that are blank by Unicode and not by ASCII. */
  readonly entries: readonly ScannedEntry[];
}

/** Why the whole body is refused. `malformed`: it cannot be JSON. */
export type BodyFault = 'malformed' | 'entries' | 'values';

const [other, space, lineEnd, quote, opening, closing, comma] = [0, 1, 2, 3, 4, 5, 6];
const kinds = new Uint8Array(256).fill(other);
for (const [kind, characters] of [
  [space, ' \t\r'],
  [lineEnd, '\n'],
  [quote, '"'],
  [opening, '[{'],
  [closing, ']}'],
  [comma, ','],
] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;
}
const codeOf = (character: string) => character.charCodeAt(0);
const [quotationMark, backslash, newline, letterU] = [codeOf('"'), codeOf('\\'), codeOf('\n'), codeOf('u')];
const [listStart, listEnd] = [codeOf('['), codeOf(']')];
const [verticalTab, formFeed] = [codeOf('\v'), codeOf('\f')];
const byteOrderMark = [0xef, 0xbb, 0xbf];

export class JsonScanner {
  readonly #form: JsonForm;
  readonly #limits: JsonLimits;
  readonly #entries: ScannedEntry[] = [];
  #phase: 'start' | 'single' | 'list' | 'lines' | 'values' | 'end' = 'start';
  #hasList = false;
  #entriesBeforeList = 0;
  #fault: BodyFault | null = null;
  /** Bytes of the body before the present piece. */
  #offset: number;
  /** Length of the byte order mark, which is not part of the text. */
  #markLength = 0;
  #inString = false;
  #afterBackslash = false;
  /** Values of the whole body. */
  #values = 0;

  // The present entry.
  #start = 0;
  #hasContent = false;
  #hasUnicodeEscape = false;
  #excess: EntryExcess | null = null;
  #level = 0;
  #commas = 0;
  #valuesInEntry = 0;
  #valuesInField = 0;
  /**
   * The last string on the level of the entry's fields; -1 if there was none since the last comma.
   */
  #nameStart = -1;
  #nameEnd = -1;

  /** @param start position of the first byte that is scanned. */
  constructor(form: JsonForm, limits: JsonLimits, start = 0) {
    this.#form = form;
    this.#limits = limits;
    this.#offset = start;
    this.#start = start;
  }

  /**
   * Scans the next piece of the body. @returns the fault that refuses the whole body, however it
   * continues.
   */
  push(piece: Uint8Array): BodyFault | null {
    let index = 0;
    while (index < piece.length && this.#fault === null) {
      if (this.#phase === 'start') index = this.#scanStart(piece, index);
      else if (this.#inString) index = this.#scanString(piece, index);
      else index = this.#scanStructure(piece, index);
    }
    this.#offset += piece.length;
    return this.#fault;
  }

  /** The entries of the complete body. */
  finish(): ScannedBody | BodyFault {
    const closed = this.#phase !== 'list';
    let single = this.#form === 'json' && (this.#phase === 'start' || this.#phase === 'single');
    if (single) this.#endEntry(this.#offset);
    else if (this.#form === 'lines') this.#endLine(this.#offset);
    else if (this.#form === 'values') {
      if (this.#hasContent) this.#endEntry(this.#offset);
      single = !this.#hasList && this.#entries.length <= 1;
    } else if (!closed) this.#fault = 'malformed';
    return this.#fault ?? { single, closed, entries: this.#entries };
  }

  #scanStart(piece: Uint8Array, from: number): number {
    for (let index = from; index < piece.length; index += 1) {
      const byte = piece[index] as number;
      const position = this.#offset + index;
      if (position === this.#markLength && byte === byteOrderMark[position]) {
        this.#markLength += 1;
        continue;
      }
      if (this.#markLength > 0) this.#start = this.#markLength;
      if (this.#form !== 'json') {
        this.#phase = this.#form;
        return index;
      }
      const kind = kinds[byte];
      if (kind === space || kind === lineEnd) continue;
      if (byte !== listStart) {
        this.#phase = 'single';
        return index;
      }
      this.#phase = 'list';
      this.#start = position + 1;
      return index + 1;
    }
    return piece.length;
  }

  #scanString(piece: Uint8Array, from: number): number {
    let index = from;
    if (this.#afterBackslash) index = this.#scanEscape(piece, index);
    for (; index < piece.length; index += 1) {
      const byte = piece[index];
      if (byte === quotationMark) {
        this.#inString = false;
        if (this.#level === 1) this.#nameEnd = this.#offset + index + 1;
        return index + 1;
      }
      if (byte === backslash) {
        this.#afterBackslash = true;
        return index + 1;
      }
      if (byte === newline) {
        // No string of JSON has one: the line ends, whatever it is worth.
        if (this.#form === 'json') this.#fault = 'malformed';
        if (this.#form === 'values') this.#endEntry(this.#offset + index);
        this.#inString = false;
        return index;
      }
    }
    return index;
  }

  #scanEscape(piece: Uint8Array, index: number): number {
    this.#afterBackslash = false;
    const byte = piece[index];
    if (byte === letterU) this.#hasUnicodeEscape = true;
    return byte === newline ? index : index + 1;
  }

  /** Scans up to the next string. */
  #scanStructure(piece: Uint8Array, from: number): number {
    for (let index = from; index < piece.length; index += 1) {
      const byte = piece[index] as number;
      const kind = kinds[byte];
      if (kind === space || kind === lineEnd) {
        if (this.#phase === 'values' && this.#level === 0) this.#endValue(this.#offset + index);
        else if (this.#phase === 'lines' && kind === lineEnd) this.#endLine(this.#offset + index);
      } else if (this.#phase === 'end') {
        this.#fault = 'malformed';
      } else if (kind === quote) {
        this.#hasContent = true;
        this.#inString = true;
        if (this.#level === 1) this.#nameStart = this.#offset + index;
        return index + 1;
      } else if (kind === opening) {
        this.#open(byte, this.#offset + index);
      } else if (kind === closing) {
        this.#close(byte, this.#offset + index);
      } else if (kind === comma) {
        this.#countComma(this.#offset + index);
      } else if (this.#phase !== 'lines' || (byte !== verticalTab && byte !== formFeed)) {
        this.#hasContent = true;
      }
      if (this.#fault !== null) return piece.length;
    }
    return piece.length;
  }

  #open(byte: number, position: number): void {
    if (this.#phase === 'values' && this.#level === 0) {
      this.#endValue(position);
      if (byte === listStart) {
        this.#phase = 'list';
        this.#hasList = true;
        this.#entriesBeforeList = this.#entries.length;
        this.#start = position + 1;
        return;
      }
      this.#start = position;
    }
    this.#hasContent = true;
    this.#level += 1;
    if (this.#level > this.#limits.levels) this.#exceed('levels', this.#level > 1);
    this.#countValue();
  }

  #close(byte: number, position: number): void {
    if (this.#level > 0) {
      this.#level -= 1;
      if (this.#phase === 'values' && this.#level === 0) this.#endEntry(position + 1);
    } else if (this.#phase !== 'list') this.#hasContent = true;
    else if (byte !== listEnd) {
      if (this.#form === 'json') this.#fault = 'malformed';
      this.#hasContent = true;
    } else {
      if (this.#hasContent || this.#entries.length > this.#entriesBeforeList) this.#endEntry(position);
      this.#phase = this.#form === 'json' ? 'end' : 'values';
    }
  }

  #countComma(position: number): void {
    if (this.#level === 0) {
      if (this.#phase === 'list') this.#endEntry(position);
      else if (this.#phase === 'values') this.#endValue(position);
      else this.#hasContent = true;
      return;
    }
    if (this.#level === 1) {
      this.#commas += 1;
      this.#valuesInField = 0;
      this.#nameStart = -1;
      if (this.#commas >= this.#limits.fields) this.#exceed('fields', false);
    }
    this.#countValue();
  }

  /**
   * Every value but the first of its object or list follows a comma; the first is counted with the
   * bracket.
   */
  #countValue(): void {
    // An entry that exceeds a limit is not parsed, so its rest costs nothing.
    if (this.#excess !== null) return;
    const { fields, values } = this.#limits;
    this.#values += 1;
    if (this.#values > values) this.#fault = 'values';
    this.#valuesInEntry += 1;
    if (this.#level > 1) {
      this.#valuesInField += 1;
      if (this.#valuesInField > fields) this.#exceed('fields', true);
    }
    if (this.#valuesInEntry > 2 * fields) this.#exceed('fields', false);
  }

  #exceed(limit: EntryExcess['limit'], inField: boolean): void {
    const name =
      inField && this.#nameStart >= 0 && this.#nameEnd > this.#nameStart
        ? { start: this.#nameStart, end: this.#nameEnd }
        : null;
    this.#excess ??= { limit, name };
  }

  #endLine(position: number): void {
    if (this.#hasContent) this.#endEntry(position);
    else this.#start = position + 1;
  }

  /** Ends a value on the top level that no bracket ends. */
  #endValue(position: number): void {
    if (this.#hasContent) this.#endEntry(position);
    else this.#start = position + 1;
  }

  #endEntry(position: number): void {
    this.#entries.push({
      start: this.#start,
      end: position,
      hasUnicodeEscape: this.#hasUnicodeEscape,
      excess: this.#excess,
    });
    if (this.#entries.length > this.#limits.entries) this.#fault = 'entries';
    this.#start = position + 1;
    this.#hasContent = false;
    this.#hasUnicodeEscape = false;
    this.#excess = null;
    this.#level = 0;
    this.#commas = 0;
    this.#valuesInEntry = 0;
    this.#valuesInField = 0;
    this.#nameStart = -1;
    this.#nameEnd = -1;
  }
}
