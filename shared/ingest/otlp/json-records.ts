import { AppError } from '../../errors.ts';
import { bodyError } from '../../json/field-errors.ts';
import { jsonFault } from '../../json/json-fault.ts';
import { scanJson } from '../../json/json-scanner.ts';
import { isObject, isPresent, type JsonObject, parseJson } from '../../json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { severityNames } from '../reading/loose-entry.ts';
import type { AnyValue, Int64, KeyValue, LogRecord, RecordReader, Rejection } from './otlp-schema.ts';

// Reads requests in JSON as senders write them: names in both cases, severities by name, numbers as
// text, 64-bit integers as numbers, odd ids, which nothing reads, and empty values.

/** Fields and items of a request, at all levels. */
export const maxJsonValues = (maxBytes: number) => Math.floor(maxBytes / 4);

/** Levels of values in values. */
const maxLevels = 32;

/**
 * Integers of 64 bits that are sent as JSON numbers; those of more than 15 digits would be rounded.
 * A quote inside a text is escaped, so that this matches no text.
 */
const longInteger = /("(?:intValue|int_value)"\s*:\s*)(-?\d{16,19})(?=\s*[,}])/g;

/** @throws AppError PAYLOAD_TOO_LARGE; VALIDATION_ERROR if the request is not valid. */
export async function readJson(bytes: Buffer, maxBytes: number): Promise<RecordReader<unknown>> {
  let values = 0;
  for (const scanned of scanJson(bytes, 'values')) values += scanned.values;
  const most = maxJsonValues(maxBytes);
  if (values > most) throw new AppError('PAYLOAD_TOO_LARGE', `The body has more than ${most} fields.`);
  if (isSliceOver()) await nextSlice();
  const text = bytes.toString('utf8');
  if (text.trim() === '') throw bodyError('is required');
  const request = parseJson(text.replace(longInteger, '$1"$2"'));
  if (request === undefined) throw bodyError(jsonFault(text));
  if (!isObject(request)) throw bodyError('must be an object');
  return {
    request,
    list: (parent, name, path) => {
      const list = fieldOf(parent as JsonObject, name) ?? [];
      if (!Array.isArray(list)) throw bodyError(`must have a list at ${path}${name}`);
      const invalid = name === 'logRecords' ? -1 : list.findIndex((item) => !isObject(item));
      if (invalid !== -1) throw bodyError(`must have an object at ${path}${name}[${invalid}]`);
      return list;
    },
    attributed: (parent, name) =>
      readMessage(name === 'resource' ? 'Resource' : 'InstrumentationScope', () => ({
        attributes: attributesOf((parent as JsonObject)[name] ?? {}),
      })),
    record: (message) => readMessage('LogRecord', () => recordOf(objectOf(message))),
  };
}

/** A field by its name in JSON, or in the schema. */
const fieldOf = (object: JsonObject, name: string): unknown =>
  object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

/** Why a message is not valid: the end of the sentence that rejects it. */
class Malformed extends Error {}

function recordOf(record: JsonObject): LogRecord {
  return {
    timeUnixNano: timeOf(record, 'timeUnixNano'),
    observedTimeUnixNano: timeOf(record, 'observedTimeUnixNano'),
    severityNumber: severityOf(fieldOf(record, 'severityNumber')),
    severityText: textOf(fieldOf(record, 'severityText') ?? '', 'severityText'),
    body: valueOf(record['body'], 0),
    attributes: attributesOf(record),
  };
}

function readMessage<Message>(type: string, read: () => Message): Message | Rejection {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { rejected: `is not a valid ${type} (${error.message})` };
  }
}

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Malformed('expected object');
  return value;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Malformed(`${name}: expected text`);
  return value;
}

/** The digits of an integer, which can be a text and have a fraction of zeros. */
function integerOf(value: unknown, name: string): Int64 {
  const digits = String(value).replace(/\.0*$/, '');
  if (!/^-?\d{1,20}$/.test(digits)) throw new Malformed(`${name}: invalid integer`);
  return digits;
}

/** An empty time is none, and one in ISO 8601 is converted. */
function timeOf(record: JsonObject, name: string): Int64 {
  const value = fieldOf(record, name) ?? '';
  if (value === '') return '0';
  const isIso = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  const milliseconds = isIso ? Date.parse(value) : Number.NaN;
  return Number.isNaN(milliseconds) ? integerOf(value, name) : `${milliseconds}000000`;
}

/** A severity can be sent as a name, such as `SEVERITY_NUMBER_INFO2` or `Info`. */
function severityOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (/^\d+(?:\.0*)?$/.test(text)) return Number(text);
  const [, name = '', step = '1'] = /^(?:severity_number_)?([a-z]+)([1-4])?$/.exec(text) ?? [];
  const index = severityNames.indexOf(name === 'warning' ? 'warn' : name);
  return index === -1 ? 0 : index * 4 + Number(step);
}

function attributesOf(parent: unknown): KeyValue[] {
  return keyValuesOf(objectOf(parent)['attributes'], 'attributes', 0);
}

function keyValuesOf(list: unknown, name: string, level: number): KeyValue[] {
  return itemsIn(list, name)
    .filter((item) => item !== null)
    .map((item) => {
      const { key = '', value } = objectOf(item);
      return { key: textOf(key, 'key'), value: valueOf(value, level) };
    });
}

function itemsIn(list: unknown, name: string): readonly unknown[] {
  if (list !== undefined && list !== null && !Array.isArray(list)) throw new Malformed(`${name}: expected list`);
  return list ?? [];
}

/** The kinds of values, and how each is read, in the order in which the first one counts. */
const kinds: readonly (readonly [name: keyof AnyValue, read: (sent: unknown, level: number) => unknown])[] = [
  ['stringValue', (text) => textOf(text, 'stringValue')],
  ['boolValue', (boolean) => (typeof boolean === 'boolean' ? boolean : undefined)],
  ['intValue', (integer) => integerOf(integer, 'intValue')],
  ['doubleValue', Number],
  [
    'arrayValue',
    (list, level) => ({ values: itemsIn(objectOf(list)['values'], 'values').map((item) => valueOf(item, level + 1)) }),
  ],
  ['kvlistValue', (map, level) => ({ values: keyValuesOf(objectOf(map)['values'], 'values', level + 1) })],
  ['bytesValue', (text) => Buffer.from(textOf(text, 'bytesValue'), 'base64')],
];

/** An absent value, or one that is null, is an empty one. */
function valueOf(value: unknown, level: number): AnyValue {
  if (!isPresent(value)) return {};
  if (level > maxLevels) throw new Malformed('nested too deeply');
  const object = objectOf(value);
  for (const [name, read] of kinds) {
    const sent = fieldOf(object, name);
    const result = isPresent(sent) ? read(sent, level) : undefined;
    if (result !== undefined) return { [name]: result };
  }
  return {};
}
