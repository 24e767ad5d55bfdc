import { bodyError, excessError, requireUtf8 } from '../../json/field-errors.ts';
import { jsonFault, positionReader } from '../../json/json-fault.ts';
import { type ByteRange, JsonScanner, type ScannedEntry } from '../../json/json-scanner.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { containerRecordOf } from '../container-logs/container-record.ts';
import { canHaveUsage } from '../entry-usage.ts';
import { readEnvelope } from '../otlp/read-log-records.ts';
import { type BodyForm, formOfBytes, isPlainText, type JsonBodyForm, scanBody, startOf } from './body-form.ts';
import { EntryCollector, type ParsedEntry } from './entry-collector.ts';
import type { ReadingCost } from './entry-limits.ts';
import { type EntryRules, faultError, type ParsedEntries, tooLongError } from './entry-rules.ts';
import { envelopeOf, isObject, parseHead } from './envelopes.ts';
import { JoinedRecords } from './joined-records.ts';
import { readText, type TextOptions } from './read-text.ts';

/** An entry of more bytes has a slice of its own: to decode and parse 5 MiB takes 30 ms. */
const sliceBytes = 256 * 1024;

/**
 * Reads the entries of a body, and checks each. Entries are parsed one by one, in slices. They are
 * cut from the body as bytes, because a message's hash covers its exact bytes.
 * @param bytes of UTF-8, unpacked.
 * @param typeForm the form that the media type names; null if the bytes decide.
 * @param text how lines of text are read.
 * @throws AppError when the body as a whole is not valid.
 */
export async function readEntries(
  bytes: Buffer,
  typeForm: BodyForm | null,
  rules: EntryRules,
  text: TextOptions,
  maxBytes: number,
  cost: ReadingCost,
): Promise<ParsedEntries> {
  const form = typeForm ?? formOfBytes(bytes);
  if (form === 'text') return readText(bytes, rules, text, cost);
  if (isPlainText(bytes)) throw bodyError(textInstead);
  if (!rules.isLenient) requireUtf8(bytes);
  const scanned = await scanBody(bytes, form, rules.limits);
  if (typeof scanned === 'string') throw faultError(scanned, rules);
  if (!scanned.closed && !rules.isLenient) throw bodyError(jsonFault(bytes.toString('utf8', startOf(bytes))));

  cost.add(0, scanned.entries.length);
  const collector = new EntryCollector(rules, form, scanned.single);
  const positionOf = positionReader(bytes);
  let rescans = 0;
  const terms = { usageReader: rules.usageReader, now: text.receivedAt };
  const addRecords = async ({ start, end }: ByteRange): Promise<void> => {
    for await (const record of readEnvelope(bytes.subarray(start, end), maxBytes, terms)) {
      cost.add(0, 1);
      collector.addResult(record);
    }
  };
  const joinedRecords = new JoinedRecords(() => readEndedStreams(bytes, scanned.entries));
  for (const entry of scanned.entries) {
    if (isSliceOver() || entry.end - entry.start > sliceBytes) await nextSlice();
    const parsed = parseEntry(bytes, entry, rules, positionOf);
    if (parsed.state === 'notJson') {
      if (parsed.isBlank && (form === 'lines' || rules.isLenient)) continue;
      if (form === 'values' && !rules.isLenient) throw bodyError(parsed.describe());
    }
    let parts: ParsedEntry[] = [];
    const isUnread = parsed.state === 'notJson' || parsed.state === 'excessive';
    if (isUnread && rescans < maxRescans && isOfBrackets(bytes, entry)) {
      rescans += 1;
      parts = await partsOf(bytes, entry, form, rules, positionOf);
    }
    for (const part of parts.length > 1 ? parts : [parsed]) {
      const mayBePart = rules.isLenient && part.state === 'parsed' && mayBeOfContainer(part.value);
      // A promise for each entry would take as long as its checks.
      const complete = mayBePart ? await joinedRecords.add(part) : [part];
      for (const one of complete) if (collector.add(one)) await addRecords(one);
    }
  }
  for (const open of joinedRecords.rest()) if (collector.add(open)) await addRecords(open);
  return collector.finish();
}

/** Records of other logs are not looked at any further. */
const mayBeOfContainer = (value: unknown) =>
  isObject(value) && ('stream' in value || '_p' in value || 'logtag' in value);

/** The streams of which a record of Docker has a line end. */
async function readEndedStreams(bytes: Buffer, entries: readonly ScannedEntry[]): Promise<ReadonlySet<string>> {
  const streams = new Set<string>();
  for (const { start, end } of entries) {
    if (isSliceOver()) await nextSlice();
    const value = end - start > sliceBytes ? undefined : parseJson(bytes.toString('utf8', start, end));
    const record = isObject(value) ? containerRecordOf(value) : undefined;
    if (record?.part === 'byLineEnd' && record.text.endsWith('\n')) streams.add(record.stream ?? '');
  }
  return streams;
}

/**
 * Entries that are scanned again. A second scan takes longer than the first; it is for a body that
 * is one line, or whose last value is cut off.
 */
const maxRescans = 100;

/** Whether a text begins as an object or a list does. */
const isOfBrackets = (bytes: Buffer, { start, end }: ScannedEntry) =>
  /^\s*[[{]/.test(bytes.toString('latin1', start, Math.min(end, start + 64)));

/**
 * Scans again an entry that is not one JSON value: a line can hold several values, and a value that
 * never ends can hide the lines after it.
 * @returns the parts, or an empty list if the entry is not made of others.
 */
async function partsOf(
  bytes: Buffer,
  { start, end }: ScannedEntry,
  form: JsonBodyForm,
  rules: EntryRules,
  positionOf: ReturnType<typeof positionReader>,
): Promise<ParsedEntry[]> {
  if (form === 'values' && !rules.isLenient) return [];
  const scanner = new JsonScanner(form === 'lines' ? 'values' : 'lines', rules.limits, start);
  const fault = scanner.push(bytes.subarray(start, end));
  const scanned = fault ?? scanner.finish();
  if (typeof scanned === 'string') return [];
  const parts: ParsedEntry[] = [];
  for (const entry of scanned.entries) {
    if (isSliceOver()) await nextSlice();
    const part = parseEntry(bytes, entry, rules, positionOf);
    // A line that is not JSON has no values. A line of a broken value can be lost.
    if (part.state === 'notJson' && form === 'lines') return [];
    if (part.state !== 'notJson' || !part.isBlank) parts.push(part);
  }
  return parts.some(({ state }) => state === 'parsed') ? parts : [];
}

function parseEntry(
  bytes: Buffer,
  entry: ScannedEntry,
  rules: EntryRules,
  positionOf: ReturnType<typeof positionReader>,
): ParsedEntry {
  const { start, end, excess } = entry;
  const isTooLong = end - start > rules.maxEntryBytes;
  if (excess || isTooLong) {
    // An envelope of many log entries exceeds the limits of one.
    const head = rules.isLenient ? parseHead(bytes, entry) : undefined;
    const envelope = isObject(head) ? envelopeOf(head) : null;
    if (envelope) return { state: 'envelope', envelope, start, end };
    const error = excess ? excessError(bytes, excess, rules.limits) : tooLongError(rules);
    return { state: 'excessive', error, start, end };
  }
  const text = bytes.toString('utf8', start, end);
  const value = parseJson(text);
  return value === undefined
    ? { state: 'notJson', isBlank: text.trim() === '', describe: () => jsonFault(text, positionOf(start)), start, end }
    : {
        state: 'parsed',
        value,
        text,
        isSuspicious: suspicious.test(text),
        canHaveUsage: canHaveUsage(text),
        start,
        end,
      };
}

const textInstead = 'is text, not JSON: send it with Content-Type: text/plain, a line for each log entry';

/** An escape can encode any character. */
const suspicious = /\\u|__proto__/;
