import { validationError } from '../../errors.ts';
import { bodyError, requireUtf8 } from '../../json/field-errors.ts';
import { jsonFault, notJson } from '../../json/json-fault.ts';
import { type ByteRange, type JsonForm, type ScannedEntry, scanJson } from '../../json/json-scanner.ts';
import { isObject, objectOf, parseJson } from '../../json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { maxJsonValues } from '../otlp/json-records.ts';
import { addLogRecords } from '../otlp/read-log-records.ts';
import { type BodyForm, formOfBytes, insideLogs, isPlainText, startOf } from './body-form.ts';
import { containerRecordOf, JoinedRecords, type ParsedEntry, type ParsedRecord } from './container-logs.ts';
import { type EntryLimits, EntryList, type EntryRules } from './entry-list.ts';
import { BulkCheck, bulkError, envelopeOf } from './envelopes.ts';
import { readText, type TextOptions } from './read-text.ts';

/** An entry of more bytes has a slice of its own: to decode and parse 5 MiB takes 30 ms. */
const sliceBytes = 256 * 1024;

const textInstead = 'is text, not JSON: send it with Content-Type: text/plain, a line for each log entry';

/**
 * Reads the entries of a body, and checks each. Entries are parsed one by one, in slices. They are
 * cut from the body as bytes, because a message's hash covers its exact bytes.
 * @param bytes of UTF-8, unpacked.
 * @param typeForm the form that the media type names; null if the bytes decide.
 * @param options how lines of text are read.
 * @throws AppError when the body as a whole is not valid.
 */
export async function readEntries(
  bytes: Buffer,
  typeForm: BodyForm | null,
  rules: EntryRules,
  options: TextOptions,
  maxBytes: number,
): Promise<EntryList> {
  const form = typeForm ?? formOfBytes(bytes);
  if (form === 'text') return readText(bytes, rules, options);
  if (isPlainText(bytes)) throw bodyError(textInstead);
  if (!rules.isLenient) requireUtf8(bytes);
  return new JsonBody(bytes, form, rules, { now: options.receivedAt, maxBytes }).read();
}

/**
 * Entries that are scanned again. A second scan takes longer than the first; it is for a body that
 * is one line, or whose last value is cut off.
 */
const maxRescans = 100;

class JsonBody {
  readonly #bytes: Buffer;
  readonly #form: JsonForm;
  readonly #rules: EntryRules;
  readonly #terms: { now: number; maxBytes: number };
  readonly #list: EntryList;
  readonly #bulk = new BulkCheck();
  readonly #joined = new JoinedRecords(() => this.#readEndedStreams());
  #rescans = 0;
  #hasRecords = false;
  #notJson = 0;
  #envelopes = 0;

  constructor(bytes: Buffer, form: JsonForm, rules: EntryRules, terms: { now: number; maxBytes: number }) {
    this.#bytes = bytes;
    this.#form = form;
    this.#rules = rules;
    this.#terms = terms;
    this.#list = new EntryList(rules);
  }

  async read(): Promise<EntryList> {
    const entries = this.#scan();
    let next = entries.next();
    for (; !next.done; next = entries.next()) {
      const { start, end } = next.value;
      if (isSliceOver() || end - start > sliceBytes) await nextSlice();
      for (const part of this.#parse(next.value)) {
        const value = this.#rules.isLenient && 'value' in part ? objectOf(part.value) : undefined;
        const record = value && containerRecordOf(value);
        // A promise for each entry would take as long as its checks.
        for (const one of record ? await this.#joined.add(part as ParsedRecord, record) : [part]) {
          if (this.#add(one)) await this.#addRecords(one);
        }
      }
    }
    for (const open of this.#joined.rest()) this.#add(open);
    const { hasList, isClosed } = next.value;
    if (!isClosed && !this.#rules.isLenient) throw bodyError(this.#faultOf({ start: 0, end: this.#bytes.length }));
    this.#list.single = this.#form === 'values' && !hasList && !this.#hasRecords && this.#list.count <= 1;
    return this.#finish();
  }

  #scan() {
    const { length } = this.#bytes;
    const range = this.#form === 'values' ? insideLogs(this.#bytes) : { start: startOf(this.#bytes), end: length };
    return scanJson(this.#bytes, this.#form, range);
  }

  /** Parses an entry, or the parts that it has if it is not one value. */
  #parse(entry: ScannedEntry): ParsedEntry[] {
    const parsed = this.#parseOne(entry);
    if ('value' in parsed) return [parsed];
    const isRescanned = this.#rules.isLenient || this.#form === 'lines';
    if (!parsed.isJson) {
      const isBlank = this.#textOf(entry).trim() === '';
      if (isBlank && isRescanned) return [];
      if (!isRescanned) throw bodyError(parsed.describeError());
    }
    const isOfBrackets = /^\s*[[{]/.test(this.#bytes.toString('latin1', entry.start, entry.start + 64));
    if (!isRescanned || !isOfBrackets || this.#rescans === maxRescans) return [parsed];
    this.#rescans += 1;
    const parts = this.#partsOf(entry);
    return parts.length > 1 ? parts : [parsed];
  }

  /**
   * Scans again an entry that is not one JSON value: a line can hold several values, and a value
   * that never ends can hide the lines after it.
   * @returns an empty list if the entry is not made of others.
   */
  #partsOf(entry: ScannedEntry): ParsedEntry[] {
    const parts: ParsedEntry[] = [];
    for (const part of scanJson(this.#bytes, this.#form === 'lines' ? 'values' : 'lines', entry)) {
      const parsed = this.#parseOne(part);
      // A line that is not JSON has no values. A line of a broken value can be lost.
      if ('isJson' in parsed && !parsed.isJson && this.#form === 'lines') return [];
      parts.push(parsed);
      if (parts.length > this.#rules.limits.entries) break;
    }
    return parts.some((part) => 'value' in part) ? parts : [];
  }

  #parseOne(entry: ScannedEntry): ParsedEntry {
    const { start, end, values } = entry;
    const { limits, isLenient } = this.#rules;
    const excess = excessOf(entry, limits);
    // An envelope of many log entries exceeds the limits of one.
    const isParsed = excess === undefined || (isLenient && values <= maxJsonValues(this.#terms.maxBytes));
    const text = isParsed ? this.#textOf({ start, end }) : '';
    const value = isParsed ? parseJson(text) : undefined;
    if (excess !== undefined && !(isObject(value) && envelopeOf(value))) {
      return { describeError: () => excess, isJson: true, start, end };
    }
    if (value !== undefined) return { value, text, start, end };
    return { describeError: () => this.#faultOf({ start, end }), isJson: false, start, end };
  }

  #textOf({ start, end }: ByteRange): string {
    return this.#bytes.toString('utf8', start, end);
  }

  #faultOf({ start, end }: ByteRange): string {
    const from = startOf(this.#bytes);
    return jsonFault(this.#textOf({ start: Math.max(start, from), end }), this.#textOf({ start: from, end: start }));
  }

  /**
   * Adds an entry, unless it is a request of OpenTelemetry.
   * @returns true if it is one, whose log records are to be added instead.
   */
  #add(parsed: ParsedEntry): boolean {
    this.#bulk.add('value' in parsed ? parsed.value : parsed.isJson ? {} : undefined);
    if ('isJson' in parsed) {
      if (!parsed.isJson) this.#notJson += 1;
      const error = this.#list.isFull && !parsed.isJson ? notJson : parsed.describeError();
      this.#list.add({ errors: [{ field: 'body', error }] });
      return false;
    }
    const result = this.#rules.read(parsed.value, parsed.text, this.#list.isFull);
    if (result === 'blank' || !('envelope' in result)) {
      this.#list.add(result);
      return false;
    }
    if (result.envelope === 'otlp') return true;
    this.#envelopes += 1;
    this.#list.add({ errors: [{ field: 'body', error: result.envelope.error }] });
    return false;
  }

  async #addRecords({ start, end }: ByteRange): Promise<void> {
    this.#hasRecords = true;
    await addLogRecords(this.#list, this.#bytes.subarray(start, end), 'json', this.#terms);
  }

  /** The streams of which a record of Docker has a line end. */
  async #readEndedStreams(): Promise<ReadonlySet<string>> {
    const streams = new Set<string>();
    for (const { start, end } of this.#scan()) {
      if (isSliceOver()) await nextSlice();
      const value = end - start > sliceBytes ? undefined : parseJson(this.#textOf({ start, end }));
      const record = isObject(value) ? containerRecordOf(value) : undefined;
      if (record?.part === 'byLineEnd' && record.text.endsWith('\n')) streams.add(record.stream ?? '');
    }
    return streams;
  }

  /** @throws AppError VALIDATION_ERROR if the body as a whole is not valid. */
  #finish(): EntryList {
    const { single, invalid, blank, count } = this.#list;
    const { isLenient } = this.#rules;
    if (this.#bulk.isBulkRequest) throw bodyError(bulkError);
    // Beside log entries, an envelope is rejected by itself.
    const isOnlyEnvelopes = this.#envelopes > 0 && this.#envelopes === count - blank;
    if (isOnlyEnvelopes) throw validationError(invalid[0]?.errors ?? []);
    if (count === 0 && single) throw bodyError('is required');
    // A shipper cannot correct an empty list.
    if (count === 0 && (!isLenient || this.#form === 'lines')) throw bodyError('must hold at least one log entry');
    if (count > 0 && this.#notJson === count && isLenient) throw validationError(invalid[0]?.errors ?? []);
    return this.#list;
  }
}

/** @returns undefined for an entry within all limits. */
function excessOf({ start, end, levels, values }: ScannedEntry, limits: EntryLimits): string | undefined {
  if (levels > limits.levels) return 'is nested too deeply';
  if (values > limits.fields) return `must have at most ${limits.fields} fields`;
  return end - start > limits.bytes ? `must be at most ${limits.bytes} bytes` : undefined;
}
