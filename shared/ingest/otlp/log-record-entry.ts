import { AppError } from '../../errors.ts';
import { fieldsToScan } from '../../pii/entry-findings.ts';
import type { LogEntryInput } from '../batch-text.ts';
import { canHaveUsage, type UsageReader } from '../entry-usage.ts';
import type { ReadEntry } from '../reading/entry-list.ts';
import {
  addUsage,
  attributeBytesOf,
  clean,
  cut,
  entryOf,
  levelText,
  maxAttributeBytes,
  sourceText,
} from '../reading/loose-entry.ts';
import { isPlausibleTime } from '../text-lines/time-formats.ts';
import { attributesAsJson, plainObjectOf, textOf } from './any-value.ts';
import type { Attributed, Int64, KeyValue, LogRecord } from './otlp-schema.ts';

/**
 * Why a log record, or all log records of a resource or scope, are rejected: the end of a sentence.
 */
export interface Rejection {
  readonly rejected: string;
}

/** Fields that a resource and a scope add to each of their log records. */
export interface RecordOrigin {
  readonly source: string | null;
  /** Bytes of the attributes of the resource and the scope. */
  readonly attributeBytes: number;
  /** The attributes of both that are scanned, in JSON; '' if there are none. */
  readonly fields: string;
}

/** A log record as it is sent, not decoded yet. */
export interface SentRecord {
  /** `resourceLogs[0].scopeLogs[0].logRecords[3]`. */
  readonly path: string;
  readonly origin: RecordOrigin | Rejection;
  readonly read: () => LogRecord | Rejection;
}

/**
 * Counts the log records, scopes and resources of a request. Each takes 64 bytes at least in a
 * request that is not built to cost much.
 * @returns a function that throws an AppError PAYLOAD_TOO_LARGE at one too many.
 */
export function countMessages(maxBytes: number): () => void {
  const most = Math.floor(maxBytes / 64);
  let count = 0;
  return () => {
    count += 1;
    if (count > most) throw tooMuch(`${most} log records, scopes and resources`);
  };
}

export const tooMuch = (what: string) => new AppError('PAYLOAD_TOO_LARGE', `The body has more than ${what}.`);

/** Names of the ranges of four severity numbers, from 1. */
const severityNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/**
 * The common fields of the records of a resource: `service.name` is the source, else `host.name`.
 */
export function originOf(resource: Attributed | Rejection): RecordOrigin | Rejection {
  if ('rejected' in resource) return { rejected: `is of a resource that ${resource.rejected}` };
  const { attributes = [] } = resource;
  const named = (name: string) => clean(textOf(attributes.find(({ key }) => key === name)?.value) ?? '');
  const source = cut(named('service.name') || named('host.name'), sourceText);
  return { source: source === '' ? null : source, attributeBytes: bytesOf(attributes), fields: textToScan(attributes) };
}

export function withScope(origin: RecordOrigin | Rejection, scope: Attributed | Rejection): RecordOrigin | Rejection {
  if ('rejected' in origin) return origin;
  if ('rejected' in scope) return { rejected: `is of a scope that ${scope.rejected}` };
  const { attributes = [] } = scope;
  return {
    ...origin,
    attributeBytes: origin.attributeBytes + bytesOf(attributes),
    fields: origin.fields + textToScan(attributes),
  };
}

const textToScan = (attributes: readonly KeyValue[]) => fieldsToScan(plainObjectOf(attributes)).fields ?? '';

/**
 * Converts a log record to a log entry. An entry without a time gets its time of arrival.
 * @returns the reason if the record is rejected.
 */
export function entryOfRecord(
  record: LogRecord,
  { source, attributeBytes, fields: originFields }: RecordOrigin,
  { usageReader, now }: { usageReader: UsageReader; now: number },
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
  addUsage(fields, usageReader.read(named) ?? usageOfBody(record, body, usageReader));
  const entry = entryOf(body ?? (attributes.length > 0 ? attributesAsJson(attributes) : ''), fields);
  if (entry === 'blank') return entry;
  return 'value' in entry
    ? { ...entry, isTimeRefused: times.length > 0 && timestamp === undefined }
    : { rejected: `has a message that ${entry.errors[0]?.error ?? 'is not valid'}` };
}

/** The usage in a body that is a map, or a record in JSON. */
function usageOfBody({ body }: LogRecord, text: string | null, reader: UsageReader) {
  if (text === null || !canHaveUsage(text)) return undefined;
  const map = body?.kvlistValue;
  return map ? reader.read(plainObjectOf(map.values ?? [])) : reader.readText(text);
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
