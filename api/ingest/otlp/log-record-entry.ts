import { endOfTimestamps } from '../../http/timestamp.ts';
import type { LogEntryInput } from '../ingest.schemas.ts';
import { attributeBytesOf, clean, cut, entryOf, levelText, maxAttributeBytes, sourceText } from '../loose-entry.ts';
import { attributesAsJson, textOf } from './any-value.ts';
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
}

/** Names of the ranges of four severity numbers, from 1. */
const severityNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** `service.name` is the source, else `host.name`. */
export function originOfResource({ attributes = [] }: Attributed): RecordOrigin {
  const named = (name: string) => clean(textOf(attributes.find(({ key }) => key === name)?.value) ?? '');
  const source = cut(named('service.name') || named('host.name'), sourceText);
  return { source: source === '' ? null : source, attributeBytes: bytesOf(attributes) };
}

export function withScope({ source, attributeBytes }: RecordOrigin, { attributes = [] }: Attributed): RecordOrigin {
  return { source, attributeBytes: attributeBytes + bytesOf(attributes) };
}

/**
 * Converts a log record to a log entry. An entry without a time gets its time of arrival.
 * @returns null for a record without a message, or with a blank one; the reason if the record is
 * rejected.
 */
export function entryOfRecord(
  record: LogRecord,
  { source, attributeBytes }: RecordOrigin,
): { entry: LogEntryInput } | Rejection | null {
  const { attributes = [] } = record;
  const body = textOf(record.body);
  const level = cut(clean(record.severityText ?? '') || severityName(record.severityNumber), levelText);
  const timestamp = timeOf(record);
  // Where the attributes are the message, they are counted with the message.
  const size = Math.min(maxAttributeBytes, attributeBytes + (body === null ? 0 : bytesOf(attributes)));
  const result = entryOf(body ?? (attributes.length > 0 ? attributesAsJson(attributes) : ''), {
    ...(timestamp === null ? {} : { timestamp }),
    ...(source === null ? {} : { source }),
    ...(level === '' ? {} : { level }),
    ...(size === 0 ? {} : { attributeBytes: size }),
  });
  if (result === 'blank') return null;
  return 'value' in result
    ? { entry: result.value }
    : { rejected: `has a message that ${result.errors[0]?.error ?? 'is not valid'}` };
}

/** Attributes count up to a size, so what follows is not converted to text. */
function bytesOf(attributes: readonly KeyValue[]): number {
  return attributeBytesOf(textsOf(attributes));
}

function* textsOf(attributes: readonly KeyValue[]): Generator<[string, string | null]> {
  for (const { key = '', value } of attributes) yield [key, textOf(value)];
}

const severityName = (number = 0) => severityNames[Math.floor((number - 1) / 4)] ?? '';

/** Epoch milliseconds; null if the record has no time from 1970 to 2099. */
function timeOf({ timeUnixNano, observedTimeUnixNano }: LogRecord): number | null {
  const nanoseconds = bigIntOf(timeUnixNano) || bigIntOf(observedTimeUnixNano);
  const milliseconds = Number(nanoseconds / 1_000_000n);
  return milliseconds > 0 && milliseconds < endOfTimestamps ? milliseconds : null;
}

const bigIntOf = (time?: Int64) => (time ? (BigInt(time.high >>> 0) << 32n) | BigInt(time.low >>> 0) : 0n);
