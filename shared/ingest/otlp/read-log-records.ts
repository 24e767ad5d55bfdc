import { AppError } from '../../errors.ts';
import type { JsonObject } from '../../json/parse-json.ts';
import { fieldsToScan } from '../../pii/entry-findings.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import type { LogEntryInput } from '../batch-text.ts';
import { canHaveUsage } from '../model-usage/read-model-usage.ts';
import type { EntryList, ReadEntry } from '../reading/entry-list.ts';
import {
  addUsage,
  attributeBytesOf,
  clean,
  cut,
  entryOf,
  levelText,
  maxAttributeBytes,
  type ReadingTerms,
  severityNames,
  sourceText,
} from '../reading/loose-entry.ts';
import { isPlausibleTime } from '../text-lines/time-formats.ts';
import { readJson } from './json-records.ts';
import {
  type Attributed,
  attributesAsJson,
  type Int64,
  type KeyValue,
  type LogRecord,
  plainObjectOf,
  type RecordReader,
  type Rejection,
  readProtobuf,
  textOf,
} from './otlp-schema.ts';

/** Adds log records to a list, in slices. @throws AppError for a malformed request. */
export async function addLogRecords(
  list: EntryList,
  bytes: Buffer,
  encoding: 'json' | 'protobuf',
  { now, maxBytes }: { now: number; maxBytes: number },
): Promise<void> {
  // Each takes 64 bytes at least in a request that is not built to cost much.
  const most = Math.floor(maxBytes / 64);
  const terms = { readUsage: list.rules.readUsage, now };
  const entries =
    encoding === 'json' ? entriesOf(await readJson(bytes, maxBytes), terms) : entriesOf(readProtobuf(bytes), terms);
  let messages = 0;
  for (const entry of entries) {
    messages += 1;
    if (messages > most) {
      throw new AppError('PAYLOAD_TOO_LARGE', `The body has more than ${most} log records, scopes and resources.`);
    }
    if (isSliceOver()) await nextSlice();
    if (entry) list.add(entry);
  }
}

/** The entries of the log records; null for each resource and each scope, before it is read. */
function* entriesOf<Message>(
  { request, ...reader }: RecordReader<Message>,
  terms: ReadingTerms,
): Generator<ReadEntry | null> {
  for (const [resourceAt, resourceLogs] of reader.list(request, 'resourceLogs', '').entries()) {
    yield null;
    const ofResource = originOf(reader.attributed(resourceLogs, 'resource'), 'resource');
    const resourcePath = `resourceLogs[${resourceAt}].`;
    for (const [scopeAt, scopeLogs] of reader.list(resourceLogs, 'scopeLogs', resourcePath).entries()) {
      yield null;
      const origin = originOf(reader.attributed(scopeLogs, 'scope'), 'scope', ofResource);
      const path = `${resourcePath}scopeLogs[${scopeAt}].`;
      for (const [at, message] of reader.list(scopeLogs, 'logRecords', path).entries()) {
        const record = 'rejected' in origin ? origin : reader.record(message);
        const entry = 'rejected' in record ? record : entryOfRecord(record, origin as RecordOrigin, terms);
        const isRejected = typeof entry === 'object' && 'rejected' in entry;
        yield isRejected ? { errors: [{ field: `${path}logRecords[${at}]`, error: entry.rejected }] } : entry;
      }
    }
  }
}

/** Fields that a resource and a scope add to each of their log records. */
interface RecordOrigin {
  readonly source: string | null;
  /** Bytes of the attributes of the resource and the scope. */
  readonly attributeBytes: number;
  /** The attributes of both that are scanned, in JSON; '' if there are none. */
  readonly fields: string;
}

const noOrigin: RecordOrigin = { source: null, attributeBytes: 0, fields: '' };

/** Common fields of the records of a resource or scope. Its name or host is the source. */
function originOf(
  message: Attributed | Rejection,
  name: 'resource' | 'scope',
  outer: RecordOrigin | Rejection = noOrigin,
): RecordOrigin | Rejection {
  if ('rejected' in outer) return outer;
  if ('rejected' in message) return { rejected: `is of a ${name} that ${message.rejected}` };
  const { attributes = [] } = message;
  const named = (key: string) => clean(textOf(attributes.find((one) => one.key === key)?.value) ?? '');
  const source = name === 'resource' && cut(named('service.name') || named('host.name'), sourceText);
  return {
    source: source || outer.source,
    attributeBytes: outer.attributeBytes + bytesOf(attributes),
    fields: outer.fields + textToScan(attributes),
  };
}

const textToScan = (attributes: readonly KeyValue[]) => fieldsToScan(plainObjectOf(attributes)).fields ?? '';

/** Converts a log record to a log entry, or rejects it. */
function entryOfRecord(
  record: LogRecord,
  { source, attributeBytes, fields: originFields }: RecordOrigin,
  { readUsage, now }: ReadingTerms,
): ReadEntry | Rejection {
  const { attributes = [] } = record;
  const named = plainObjectOf(attributes);
  const body = textOf(record.body);
  const level = cut(clean(record.severityText ?? '') || severityName(record.severityNumber), levelText);
  const times = [record.timeUnixNano, record.observedTimeUnixNano].map(millisecondsOf).filter((time) => time > 0);
  const timestamp = times.find((time) => isPlausibleTime(time, now));
  // Where the attributes are the message, they are counted with the message.
  const size = Math.min(maxAttributeBytes, attributeBytes + (body === null ? 0 : bytesOf(attributes)));
  const fields: Omit<LogEntryInput, 'message'> = {
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(source === null ? {} : { source }),
    ...(level === '' ? {} : { level }),
    ...(size === 0 ? {} : { attributeBytes: size }),
    ...(originFields === '' ? {} : { originFields }),
    ...(body === null ? { messagePath: '' } : fieldsToScan(named)),
    ...((record.body?.kvlistValue ?? record.body?.arrayValue) && { messagePath: 'body' }),
  };
  addUsage(fields, readUsage(named, recordOfBody(record, body)));
  const entry = entryOf(body ?? (attributes.length > 0 ? attributesAsJson(attributes) : ''), fields);
  if (entry === 'blank') return entry;
  return 'value' in entry
    ? { ...entry, isTimeRefused: times.length > 0 && timestamp === undefined }
    : { rejected: `has a message that ${entry.errors[0]?.error ?? 'is not valid'}` };
}

/** A body that is a map can report a usage, as can a record in JSON. */
function recordOfBody({ body }: LogRecord, text: string | null): JsonObject | string {
  const map = body?.kvlistValue;
  return map && text !== null && canHaveUsage(text) ? plainObjectOf(map.values ?? []) : (text ?? '');
}

/** Attributes count up to a size, so what follows is not converted to text. */
function bytesOf(attributes: readonly KeyValue[]): number {
  return attributeBytesOf(textsOf(attributes));
}

function* textsOf(attributes: readonly KeyValue[]): Generator<[string, string | null]> {
  for (const { key = '', value } of attributes) yield [key, textOf(value)];
}

const severityName = (number = 0) => severityNames[Math.floor((number - 1) / 4)] ?? '';

/** The time of a record in epoch milliseconds; 0 if it has none. */
function millisecondsOf(time?: Int64): number {
  return time ? Number(BigInt(time.toString()) / 1_000_000n) : 0;
}
