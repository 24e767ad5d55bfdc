import { type FieldError, validationError } from '../../shared/errors.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { parseJson } from '../http/body/json-bytes.ts';
import { type ByteRange, JsonScanner, type ScannedEntry } from '../http/body/json-scanner.ts';
import { bodyError, readBody, requireUtf8 } from '../http/body/request-body.ts';
import type { AppContext } from '../http/context.ts';
import { excessError } from '../http/excess-error.ts';
import { maxFieldErrors } from '../http/forbidden-parts.ts';
import { type BodyForm, formOfBytes, type JsonBodyForm, scanBody } from './body-form.ts';
import { readDecodedBody } from './decode-body.ts';
import { type EntryRules, faultError, type ParsedEntries, tooLongError } from './entry-reading.ts';
import { BulkCheck, bulkError, type Envelope, envelopeOf, isObject, parseHead } from './envelopes.ts';
import type { LogEntryInput } from './ingest.schemas.ts';
import type { IngestCost } from './ingest-budget.ts';
import type { LooseEntry } from './loose-entry.ts';
import { readEnvelope } from './otlp/read-log-records.ts';
import { readText, type TextOptions } from './read-text.ts';

/** An entry of more bytes has a slice of its own: to decode and parse 5 MiB takes 30 ms. */
const sliceBytes = 256 * 1024;

const notJson: FieldError = { field: 'body', error: 'must be valid JSON' };

/**
 * Reads a body, plain or compressed, and checks every entry. Entries are parsed one by one, in
 * slices. They are cut from the body as bytes, because a message's hash covers its exact bytes.
 * @param typeForm the form that the media type names; null if the bytes decide.
 * @param text how lines of text are read.
 * @param cost gets what the entries cost before they are parsed.
 * @throws AppError when the body as a whole is not valid.
 */
export async function parseEntries(
  ctx: AppContext,
  typeForm: BodyForm | null,
  rules: EntryRules,
  text: TextOptions,
  maxBytes: number,
  cost: Pick<IngestCost, 'add'>,
): Promise<ParsedEntries> {
  const onPiece = ({ length }: Buffer) => cost.add(length, 0);
  const mayBeText = typeForm === null || typeForm === 'text';
  const bytes = mayBeText
    ? await readDecodedBody(ctx, maxBytes, onPiece)
    : await readBody(ctx, maxBytes, { onPiece, isUtf8Required: false });
  const form = typeForm ?? formOfBytes(bytes);
  if (form === 'text') return readText(bytes, rules, text, cost);
  if (!rules.isLenient) requireUtf8(bytes);
  const scanned = await scanBody(bytes, form, rules.limits);
  if (typeof scanned === 'string') throw faultError(scanned, rules);
  if (!scanned.closed && !rules.isLenient) throw bodyError(notJson.error);

  cost.add(0, scanned.entries.length);
  const { single } = scanned;
  const entries: ParsedEntries = { single, valid: [], sent: null, positions: [], invalid: [], blank: 0, timed: null };
  let errorCount = 0;
  let notJsonCount = 0;
  let rescans = 0;
  let envelopeCount = 0;
  let index = 0;
  const bulk = new BulkCheck();
  /** Entries that the body contains unchanged. */
  let unchanged = 0;
  let mostBytes = 0;
  const add = (result: LooseEntry, parsed?: ParsedEntry) => {
    if (result === 'blank') entries.blank += 1;
    else if ('value' in result) {
      entries.valid.push(result.value);
      entries.positions.push(index);
      if (parsed?.state === 'parsed' && parsed.value === result.value) unchanged += 1;
      mostBytes += sentBytes(result.value);
    } else {
      errorCount += result.errors.length;
      entries.invalid.push({ index, errors: result.errors });
    }
    if (parsed?.state === 'notJson') notJsonCount += 1;
    index += 1;
    if (index > rules.limits.entries) throw faultError('entries', rules);
  };
  /** @returns the end of reading an envelope, if the entry is one. */
  const read = (parsed: ParsedEntry): Promise<void> | undefined => {
    bulk.add(parsed.state === 'parsed' ? parsed.value : parsed.state === 'notJson' ? undefined : {});
    // Every entry at fault is named, but only the first few in full: a body of errors must not take
    // longer than a valid one.
    const result = readParsed(parsed, rules, errorCount >= maxFieldErrors);
    if (result === 'blank' || !('envelope' in result)) add(result, parsed);
    else if (result.envelope === 'otlp') return addRecords(bytes.subarray(parsed.start, parsed.end));
    else {
      envelopeCount += 1;
      add({ errors: [{ field: 'body', error: result.envelope.error }] });
    }
    return undefined;
  };
  const addRecords = async (envelope: Buffer) => {
    entries.single = false;
    for await (const record of readEnvelope(envelope, maxBytes)) {
      cost.add(0, 1);
      add(record);
    }
  };

  for (const entry of scanned.entries) {
    if (isSliceOver() || entry.end - entry.start > sliceBytes) await nextSlice();
    const parsed = parseEntry(bytes, entry, rules);
    if (parsed.state === 'notJson') {
      if (parsed.isBlank && (form === 'lines' || rules.isLenient)) continue;
      const isRefused = form === 'values' && !rules.isLenient;
      if (isRefused) throw bodyError(notJson.error);
    }
    let parts: ParsedEntry[] = [];
    const isUnread = parsed.state === 'notJson' || parsed.state === 'excessive';
    if (isUnread && rescans < maxRescans && isOfBrackets(bytes, entry)) {
      rescans += 1;
      parts = await partsOf(bytes, entry, form, rules);
    }
    for (const part of parts.length > 1 ? parts : [parsed]) {
      const reading = read(part);
      if (reading) await reading;
    }
  }
  if (bulk.isBulkRequest) throw bodyError(bulkError);
  // Beside log entries, an envelope is rejected by itself.
  const isOnlyEnvelopes = envelopeCount > 0 && envelopeCount === index - entries.blank;
  if (isOnlyEnvelopes) throw validationError(entries.invalid[0]?.errors ?? []);
  if (index === 0 && single) throw bodyError('is required');
  // A shipper has nothing to do about an empty list.
  if (index === 0 && (!rules.isLenient || form === 'lines')) throw bodyError('must hold at least one log entry');
  if (index > 0 && notJsonCount === index && rules.isLenient) throw bodyError(notJson.error);
  const isAsSent = form === 'values' && index > 0 && index === unchanged && index === scanned.entries.length;
  const items = isAsSent ? listItems(bytes, scanned.entries) : null;
  if (items && items.length <= mostBytes) entries.sent = items;
  return entries;
}

/**
 * Bytes up to which an entry is spooled as it was sent. Its attributes can make it longer, but so
 * can white space, escapes and fields that are sent twice, none of which a worker should have to
 * read.
 */
const sentBytes = ({ message }: LogEntryInput) => 256 + 3 * message.length;

/**
 * @returns the part of the body that has the entries; null if anything but a comma separates two
 * of them.
 */
function listItems(bytes: Buffer, entries: readonly ScannedEntry[]): Buffer | null {
  let end: number | undefined;
  for (const entry of entries) {
    if (end !== undefined && !(bytes[end] === comma && end + 1 === entry.start)) return null;
    ({ end } = entry);
  }
  return bytes.subarray(entries[0]?.start, end);
}

const comma = ','.charCodeAt(0);

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
): Promise<ParsedEntry[]> {
  if (form === 'values' && !rules.isLenient) return [];
  const scanner = new JsonScanner(form === 'lines' ? 'values' : 'lines', rules.limits, start);
  const fault = scanner.push(bytes.subarray(start, end));
  const scanned = fault ?? scanner.finish();
  if (typeof scanned === 'string') return [];
  const parts: ParsedEntry[] = [];
  for (const entry of scanned.entries) {
    if (isSliceOver()) await nextSlice();
    const part = parseEntry(bytes, entry, rules);
    // Words of a line that is not JSON are no values; a line of a broken value is one that can be
    // lost.
    if (part.state === 'notJson' && form === 'lines') return [];
    if (part.state !== 'notJson' || !part.isBlank) parts.push(part);
  }
  return parts.some(({ state }) => state === 'parsed') ? parts : [];
}

type ParsedEntry = ByteRange &
  (
    | { state: 'parsed'; value: unknown; isSuspicious: boolean }
    | { state: 'notJson'; isBlank: boolean }
    | { state: 'excessive'; error: FieldError }
    | { state: 'envelope'; envelope: Envelope }
  );

function parseEntry(bytes: Buffer, entry: ScannedEntry, rules: EntryRules): ParsedEntry {
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
    ? { state: 'notJson', isBlank: text.trim() === '', start, end }
    : { state: 'parsed', value, isSuspicious: suspicious.test(text), start, end };
}

/** An escape can encode any character. */
const suspicious = /\\u|__proto__/;

function readParsed(parsed: ParsedEntry, rules: EntryRules, onlyFirst: boolean): ReturnType<EntryRules['read']> {
  if (parsed.state === 'envelope') return parsed;
  if (parsed.state === 'notJson') return { errors: [notJson] };
  if (parsed.state === 'excessive') return { errors: [parsed.error] };
  return rules.read(parsed.value, { isSuspicious: parsed.isSuspicious, onlyFirst });
}
