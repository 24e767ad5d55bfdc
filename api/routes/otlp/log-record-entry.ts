import { endOfTimestamps } from '../../validation/timestamp.ts';
import { type LogEntryInput, maxMessageBytes } from '../ingest/ingest.schemas.ts';
import { attributesAsJson, textOf } from './any-value.ts';
import type { Attributed, Int64, KeyValue, LogRecord } from './otlp-schema.ts';

/** Why a log record, or all log records of a resource or scope, are rejected: the end of a sentence. */
export interface Rejection {
  readonly rejected: string;
}

/** What a resource and a scope add to each of their log records. */
export interface RecordOrigin {
  readonly source: string | null;
  /** Bytes of the attributes of the resource and the scope. */
  readonly attributeBytes: number;
}

const maxSourceLength = 256;
const maxLevelLength = 64;

/** The attributes of one record, its resource and its scope count up to this size. */
const maxAttributeBytes = 16 * 1024;

/** What a queue adds to an attribute besides its name and value: quotes, colon and comma. */
const bytesPerAttribute = 6;

/** Names of the ranges of four severity numbers, from 1. */
const severityNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** `service.name` is the source, else `host.name`. */
export function originOfResource({ attributes = [] }: Attributed): RecordOrigin {
  const named = (name: string) => clean(textOf(attributes.find(({ key }) => key === name)?.value) ?? '');
  const source = shorten(named('service.name') || named('host.name'), maxSourceLength);
  return { source: source === '' ? null : source, attributeBytes: sizeOf(attributes) };
}

export function withScope({ source, attributeBytes }: RecordOrigin, { attributes = [] }: Attributed): RecordOrigin {
  return { source, attributeBytes: attributeBytes + sizeOf(attributes) };
}

/**
 * Converts a log record to a log entry. An entry without a time gets its time of arrival.
 * @returns null for a record without a message, or with a blank one; the reason if the record is rejected.
 */
export function entryOf(
  record: LogRecord,
  { source, attributeBytes }: RecordOrigin,
): { entry: LogEntryInput } | Rejection | null {
  const attributes = record.attributes ?? [];
  const body = textOf(record.body) ?? (attributes.length > 0 ? attributesAsJson(attributes) : '');
  if (body.trim() === '') return null;
  const message = clean(body);
  if (Buffer.byteLength(message) > maxMessageBytes)
    return { rejected: 'has a message of more than 262144 bytes of UTF-8' };
  const level = shorten(clean(record.severityText ?? '') || severityName(record.severityNumber), maxLevelLength);
  const timestamp = timeOf(record);
  const size = Math.min(maxAttributeBytes, attributeBytes + sizeOf(attributes));
  return {
    entry: {
      message,
      ...(timestamp === null ? {} : { timestamp }),
      ...(source === null ? {} : { source }),
      ...(level === '' ? {} : { level }),
      ...(size === 0 ? {} : { attributeBytes: size }),
    },
  };
}

function sizeOf(attributes: readonly KeyValue[]): number {
  let size = 0;
  for (const { key = '', value } of attributes) {
    size += Buffer.byteLength(key) + bytesPerAttribute + Buffer.byteLength(textOf(value) ?? '');
    if (size >= maxAttributeBytes) return maxAttributeBytes;
  }
  return size;
}

/** What other entries must not contain becomes U+FFFD, because a rejected record is lost. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\u{fffd}');

/** The first characters, counted in Unicode code points. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : [...text.slice(0, 2 * length)].slice(0, length).join('');
}

const severityName = (number = 0) => severityNames[Math.floor((number - 1) / 4)] ?? '';

/** Epoch milliseconds; null if the record has no time from 1970 to 2099. */
function timeOf({ timeUnixNano, observedTimeUnixNano }: LogRecord): number | null {
  const nanoseconds = bigIntOf(timeUnixNano) || bigIntOf(observedTimeUnixNano);
  const milliseconds = Number(nanoseconds / 1_000_000n);
  return milliseconds > 0 && milliseconds < endOfTimestamps ? milliseconds : null;
}

const bigIntOf = (time?: Int64) => (time ? (BigInt(time.high >>> 0) << 32n) | BigInt(time.low >>> 0) : 0n);
