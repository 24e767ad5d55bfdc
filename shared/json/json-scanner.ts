import { type JsonToken, JsonTokens } from './json-tokens.ts';

/**
 * Finds the entries in the bytes of a JSON or NDJSON body as they arrive, without parsing them, and
 * counts what makes parsing and validation expensive: entries, fields and levels. Whether an entry
 * is valid JSON is left to `JSON.parse`.
 */

/**
 * `lines`: an entry per line (NDJSON). `values`: values one after the other, with or without a
 * separator; the items of a list on the top level are entries.
 */
export type JsonForm = 'lines' | 'values';

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
  /** Whether the last list is closed. */
  readonly closed: boolean;
  /** Includes lines of characters that are blank, and not white space of JSON. */
  readonly entries: readonly ScannedEntry[];
}

/** The limit of the whole body that it exceeds. */
export type BodyFault = 'entries' | 'values';

const [listStart, listEnd] = [0x5b, 0x5d];

export class JsonScanner {
  readonly #form: JsonForm;
  readonly #limits: JsonLimits;
  readonly #tokens: JsonTokens;
  readonly #entries: ScannedEntry[] = [];
  #isInList = false;
  #hasList = false;
  #entriesBeforeList = 0;
  #fault: BodyFault | null = null;
  /** Values of the whole body. */
  #values = 0;

  // The present entry.
  #start: number;
  #hasContent = false;
  #excess: EntryExcess | null = null;
  #level = 0;
  #commas = 0;
  #valuesInEntry = 0;
  #valuesInField = 0;
  /** The last string on the level of the entry's fields, if there was one since the last comma. */
  #name: ByteRange | null = null;

  /** @param start position of the first byte that is scanned. */
  constructor(form: JsonForm, limits: JsonLimits, start = 0) {
    this.#form = form;
    this.#limits = limits;
    this.#tokens = new JsonTokens(start);
    this.#start = start;
  }

  /**
   * Scans the next piece of the body. @returns the fault that refuses the whole body, however it
   * continues.
   */
  push(piece: Uint8Array): BodyFault | null {
    const tokens = this.#tokens;
    tokens.push(piece);
    for (let token = tokens.next(); token !== null && this.#fault === null; token = tokens.next()) this.#read(token);
    return this.#fault;
  }

  /** The entries of the complete body. */
  finish(): ScannedBody | BodyFault {
    if (this.#hasContent || this.#tokens.isInString) this.#endEntry(this.#tokens.end);
    const single = this.#form === 'values' && !this.#hasList && this.#entries.length <= 1;
    return this.#fault ?? { single, closed: !this.#isInList, entries: this.#entries };
  }

  #read(token: JsonToken): void {
    const tokens = this.#tokens;
    if (token === 'other') this.#hasContent = true;
    else if (token === 'string') {
      this.#hasContent = true;
      if (this.#level === 1) this.#name = { start: tokens.start, end: tokens.end };
    } else if (token === 'comma') this.#readComma(tokens.start);
    else if (token === 'open') this.#open(tokens.byte, tokens.start);
    else if (token === 'close') this.#close(tokens.byte, tokens.start);
    else if (token === 'brokenString') {
      this.#hasContent = true;
      if (this.#form === 'values') this.#endEntry(tokens.end);
    } else if (this.#isBetweenValues() || (this.#form === 'lines' && token === 'lineEnd')) this.#endValue(tokens.start);
  }

  /** Whether white space and brackets end a value. */
  #isBetweenValues(): boolean {
    return this.#form === 'values' && !this.#isInList && this.#level === 0;
  }

  #open(byte: number, position: number): void {
    if (this.#isBetweenValues()) {
      this.#endValue(position);
      if (byte === listStart) {
        this.#isInList = true;
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
      if (this.#isBetweenValues()) this.#endEntry(position + 1);
    } else if (!this.#isInList || byte !== listEnd) this.#hasContent = true;
    else {
      if (this.#hasContent || this.#entries.length > this.#entriesBeforeList) this.#endEntry(position);
      this.#isInList = false;
    }
  }

  #readComma(position: number): void {
    if (this.#level === 0) {
      if (this.#isInList) this.#endEntry(position);
      else if (this.#form === 'values') this.#endValue(position);
      else this.#hasContent = true;
      return;
    }
    if (this.#level === 1) {
      this.#commas += 1;
      this.#valuesInField = 0;
      this.#name = null;
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
    this.#excess ??= { limit, name: inField ? this.#name : null };
  }

  /** Ends a value on the top level that no bracket ends, or a line. */
  #endValue(position: number): void {
    if (this.#hasContent) this.#endEntry(position);
    else this.#start = position + 1;
  }

  #endEntry(position: number): void {
    this.#entries.push({ start: this.#start, end: position, excess: this.#excess });
    if (this.#entries.length > this.#limits.entries) this.#fault = 'entries';
    this.#start = position + 1;
    this.#hasContent = false;
    this.#excess = null;
    this.#level = 0;
    this.#commas = 0;
    this.#valuesInEntry = 0;
    this.#valuesInField = 0;
    this.#name = null;
  }
}
