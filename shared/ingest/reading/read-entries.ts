import { validationError } from '../../errors.ts';
import { bodyError, requireUtf8 } from '../../json/field-errors.ts';
import { jsonFault, notJson as notJsonError } from '../../json/json-fault.ts';
import { type ByteRange, type JsonForm, type ScannedEntry, scanJson } from '../../json/json-scanner.ts';
import { isObject, objectOf, parseJson } from '../../json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { maxJsonValues } from '../otlp/json-records.ts';
import { addLogRecords } from '../otlp/read-log-records.ts';
import { type BodyForm, formOfBytes, insideLogs, isPlainText, startOf } from './body-form.ts';
import { containerRecordOf, createRecordJoiner, type ParsedEntry, type ParsedRecord } from './container-logs.ts';
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
  return readJsonBody(bytes, form, rules, { now: options.receivedAt, maxBytes });
}

async function readJsonBody(
  bytes: Buffer,
  form: JsonForm,
  rules: EntryRules,
  terms: { now: number; maxBytes: number },
): Promise<EntryList> {
  const { isLenient } = rules;
  const list = new EntryList(rules);
  const bulk = new BulkCheck();
  const joiner = createRecordJoiner(() => readEndedStreams(bytes, form));
  const parse = createParser(bytes, form, rules, terms.maxBytes);
  let [notJson, envelopes, hasRecords] = [0, 0, false];

  /** Adds the errors of a value, or an entry. @returns whether it has log records to be added. */
  const add = (parsed: ParsedEntry): boolean => {
    bulk.add('value' in parsed ? parsed.value : parsed.isJson ? {} : undefined);
    if ('isJson' in parsed) {
      if (!parsed.isJson) notJson += 1;
      const error = list.isFull && !parsed.isJson ? notJsonError : parsed.describeError();
      list.add({ errors: [{ field: 'body', error }] });
      return false;
    }
    const result = rules.read(parsed.value, parsed.text, list.isFull);
    if (result === 'blank' || !('envelope' in result)) list.add(result);
    else if (result.envelope === 'otlp') return true;
    else {
      envelopes += 1;
      list.add({ errors: [{ field: 'body', error: result.envelope.error }] });
    }
    return false;
  };

  const entries = scanBody(bytes, form);
  let next = entries.next();
  for (; !next.done; next = entries.next()) {
    const { start, end } = next.value;
    if (isSliceOver() || end - start > sliceBytes) await nextSlice();
    for (const part of parse(next.value)) {
      const value = isLenient && 'value' in part ? objectOf(part.value) : undefined;
      const record = value && containerRecordOf(value);
      // A promise for each entry would take as long as its checks.
      for (const one of record ? await joiner.add(part as ParsedRecord, record) : [part]) {
        if (!add(one)) continue;
        hasRecords = true;
        await addLogRecords(list, bytes.subarray(one.start, one.end), 'json', terms);
      }
    }
  }
  for (const open of joiner.rest()) add(open);
  const { hasList, isClosed } = next.value;
  if (!isClosed && !isLenient) throw bodyError(faultIn(bytes, { start: 0, end: bytes.length }));
  list.single = form === 'values' && !hasList && !hasRecords && list.count <= 1;

  const { invalid, count } = list;
  if (bulk.isBulkRequest) throw bodyError(bulkError);
  // Beside log entries, an envelope is rejected by itself.
  const isOnlyEnvelopes = envelopes > 0 && envelopes === count - list.blank;
  if (isOnlyEnvelopes || (count > 0 && notJson === count && isLenient)) throw validationError(invalid[0]?.errors ?? []);
  if (count === 0 && list.single) throw bodyError('is required');
  // A shipper cannot correct an empty list.
  if (count === 0 && (!isLenient || form === 'lines')) throw bodyError('must hold at least one log entry');
  return list;
}

function scanBody(bytes: Buffer, form: JsonForm) {
  return scanJson(bytes, form, form === 'values' ? insideLogs(bytes) : { start: startOf(bytes), end: bytes.length });
}

/** Reads the streams of which a record of Docker has a line end. */
async function readEndedStreams(bytes: Buffer, form: JsonForm): Promise<ReadonlySet<string>> {
  const streams = new Set<string>();
  for (const entry of scanBody(bytes, form)) {
    if (isSliceOver()) await nextSlice();
    const value = entry.end - entry.start > sliceBytes ? undefined : parseJson(textIn(bytes, entry));
    const record = isObject(value) ? containerRecordOf(value) : undefined;
    if (record?.part === 'byLineEnd' && record.text.endsWith('\n')) streams.add(record.stream ?? '');
  }
  return streams;
}

/** Bounds the time: second scans are for a body of one line, or a value that is cut off. */
const maxRescans = 100;

/** Creates a function that parses an entry, or the parts that it has if it is not one value. */
function createParser(bytes: Buffer, form: JsonForm, { limits, isLenient }: EntryRules, maxBytes: number) {
  let rescans = 0;

  const parseOne = (entry: ScannedEntry): ParsedEntry => {
    const { start, end, values } = entry;
    const excess = excessOf(entry, limits);
    // An envelope of many log entries exceeds the limits of one.
    const isParsed = excess === undefined || (isLenient && values <= maxJsonValues(maxBytes));
    const text = isParsed ? textIn(bytes, entry) : '';
    const value = isParsed ? parseJson(text) : undefined;
    if (excess !== undefined && !(isObject(value) && envelopeOf(value))) {
      return { describeError: () => excess, isJson: true, start, end };
    }
    if (value !== undefined) return { value, text, start, end };
    return { describeError: () => faultIn(bytes, entry), isJson: false, start, end };
  };

  /**
   * Scans again an entry that is not one JSON value: a line can hold several values, and a value
   * that never ends can hide the lines after it.
   * @returns an empty list if the entry is not made of others.
   */
  const partsOf = (entry: ScannedEntry): ParsedEntry[] => {
    const parts: ParsedEntry[] = [];
    for (const part of scanJson(bytes, form === 'lines' ? 'values' : 'lines', entry)) {
      const parsed = parseOne(part);
      // A line that is not JSON has no values. A line of a broken value can be lost.
      if ('isJson' in parsed && !parsed.isJson && form === 'lines') return [];
      parts.push(parsed);
      if (parts.length > limits.entries) break;
    }
    return parts.some((part) => 'value' in part) ? parts : [];
  };

  return (entry: ScannedEntry): ParsedEntry[] => {
    const parsed = parseOne(entry);
    if ('value' in parsed) return [parsed];
    if (!isLenient && form !== 'lines') {
      if (parsed.isJson) return [parsed];
      throw bodyError(parsed.describeError());
    }
    if (!parsed.isJson && textIn(bytes, entry).trim() === '') return [];
    const isOfBrackets = /^\s*[[{]/.test(bytes.toString('latin1', entry.start, entry.start + 64));
    if (!isOfBrackets || rescans === maxRescans) return [parsed];
    rescans += 1;
    const parts = partsOf(entry);
    return parts.length > 1 ? parts : [parsed];
  };
}

const textIn = (bytes: Buffer, { start, end }: ByteRange) => bytes.toString('utf8', start, end);

function faultIn(bytes: Buffer, { start, end }: ByteRange): string {
  const from = startOf(bytes);
  return jsonFault(textIn(bytes, { start: Math.max(start, from), end }), textIn(bytes, { start: from, end: start }));
}

/** @returns undefined for an entry within all limits. */
function excessOf({ start, end, levels, values }: ScannedEntry, limits: EntryLimits): string | undefined {
  if (levels > limits.levels) return 'is nested too deeply';
  if (values > limits.fields) return `must have at most ${limits.fields} fields`;
  return end - start > limits.bytes ? `must be at most ${limits.bytes} bytes` : undefined;
}
