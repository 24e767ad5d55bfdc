import type protobuf from 'protobufjs';
import protojson from 'protobufjs/ext/protojson.js';
import { bodyError } from '../../json/field-errors.ts';
import { type CutLimits, type CutPart, JsonCutter } from '../../json/json-cutter.ts';
import { jsonFault } from '../../json/json-fault.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { quoteLongIntegers, toMessage } from './lenient-json.ts';
import type { Rejection } from './log-record-entry.ts';
import type { LogRecord, OtlpSchema } from './otlp-schema.ts';
import {
  maxMessageFields,
  maxMessageSize,
  messageTooLarge,
  type OtlpLimits,
  readResource,
  readScope,
  type SentRecord,
  tooManyFields,
  tooManyOtherFields,
  tooManyRecords,
} from './sent-record.ts';

/**
 * Reads the log records of an `ExportLogsServiceRequest` in JSON. The body is cut into parts:
 * every object and list at the nesting level of log records. The rest has a placeholder for each.
 */

/** The level of `{"resourceLogs": [{"scopeLogs": [{"logRecords": [{…}]}]}]}`. */
const recordLevel = 7;
const resourceLevel = 4;
const scopeLevel = 6;

/** Escapes can take six times the bytes of the text. */
const maxPartSize = 2 * maxMessageSize;

/** All objects at the level of the parts are placeholders, because all others have been cut out. */
interface Placeholder {
  readonly part: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Bytes that are cut without a check of the time. */
const pieceBytes = 64 * 1024;

/** Reads the log records of a request that has arrived. @throws as `readJsonRecords` does. */
export async function* readJsonEnvelope(
  bytes: Buffer,
  schema: OtlpSchema,
  limits: OtlpLimits,
): AsyncGenerator<SentRecord> {
  const cutter = cutRecords(limits);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (isSliceOver()) await nextSlice();
    if (!cutter.push(bytes.subarray(start, start + pieceBytes))) throw tooManyOtherFields(limits);
  }
  yield* readJsonRecords(bytes, cutter, schema, limits);
}

/** Divides a body while it arrives. */
export function cutRecords({ fields }: OtlpLimits): JsonCutter {
  const limits: CutLimits = { level: recordLevel, values: fields, partLevels: 32, partValues: maxMessageFields };
  return new JsonCutter(limits);
}

/** @throws AppError VALIDATION_ERROR if the request as a whole is not valid; PAYLOAD_TOO_LARGE. */
export async function* readJsonRecords(
  bytes: Buffer,
  cutter: JsonCutter,
  { resource, scope, logRecord }: OtlpSchema,
  limits: OtlpLimits,
): AsyncGenerator<SentRecord> {
  const parts = cutter.finish();
  if (!parts) throw notJson(bytes);
  const rest = await textBetween(bytes, parts);
  if (parts.length === 0 && rest.trim() === '') throw bodyError('is required');
  if (isSliceOver()) await nextSlice();
  const request = parseJson(rest);
  if (!isObject(request)) throw request === undefined ? notJson(bytes) : bodyError('must be an object');
  let records = 0;

  // Resources and scopes are read for what they have in common with log records: attributes.
  const read = (type: protobuf.Type, value: unknown, level: number): LogRecord | Rejection => {
    const restored = restore(value, level, bytes, parts);
    return 'rejected' in restored ? restored : messageOf(type, restored.value);
  };
  const readOptional = (type: protobuf.Type, value: unknown, level: number) =>
    value === undefined || value === null ? null : read(type, value, level);

  for (const [resourcePath, resourceLogs] of itemsOf(request, 'resourceLogs', '')) {
    if (isSliceOver()) await nextSlice();
    const resourceOrigin = readResource(readOptional(resource, resourceLogs['resource'], resourceLevel));
    for (const [scopePath, scopeLogs] of itemsOf(resourceLogs, 'scopeLogs', `${resourcePath}.`)) {
      if (isSliceOver()) await nextSlice();
      const origin = readScope(resourceOrigin, readOptional(scope, scopeLogs['scope'], scopeLevel));
      for (const [index, value] of listOf(scopeLogs, 'logRecords', `${scopePath}.`).entries()) {
        records += 1;
        if (records > limits.records) throw tooManyRecords(limits);
        yield {
          path: `${scopePath}.logRecords[${index}]`,
          origin,
          read: () => read(logRecord, value, recordLevel),
        };
      }
    }
  }
}

/** The text without its parts. */
async function textBetween(bytes: Buffer, parts: readonly CutPart[]): Promise<string> {
  const texts: string[] = [];
  let end = 0;
  for (const [index, part] of parts.entries()) {
    if (isSliceOver()) await nextSlice();
    texts.push(bytes.toString('utf8', end, part.start), `{"part":${index}}`);
    end = part.end;
  }
  texts.push(bytes.toString('utf8', end));
  return texts.join('');
}

/**
 * Puts the parts of a value in their places. @throws AppError VALIDATION_ERROR if a part is not
 * JSON.
 */
function restore(
  value: unknown,
  level: number,
  bytes: Buffer,
  parts: readonly CutPart[],
): { value: unknown } | Rejection {
  let size = 0;
  let values = 0;
  let rejection: Rejection | undefined;
  const restoreAt = (nested: unknown, nestedLevel: number): unknown => {
    values += 1;
    if (values > maxMessageFields) rejection ??= { rejected: tooManyFields };
    if (rejection || typeof nested !== 'object' || nested === null) return nested;
    if (nestedLevel === recordLevel) {
      const part = parts[(nested as Placeholder).part] as CutPart;
      size += part.end - part.start;
      values += part.values;
      if (size > maxPartSize) rejection = { rejected: messageTooLarge(maxPartSize) };
      else if (part.excess === 'levels') rejection = { rejected: 'is nested too deeply' };
      else if (values > maxMessageFields) rejection = { rejected: tooManyFields };
      else return parsePart(bytes, part);
      return undefined;
    }
    if (Array.isArray(nested)) return nested.map((item) => restoreAt(item, nestedLevel + 1));
    return Object.fromEntries(Object.entries(nested).map(([key, item]) => [key, restoreAt(item, nestedLevel + 1)]));
  };
  const restored = restoreAt(value, level);
  return rejection ?? { value: restored };
}

function parsePart(bytes: Buffer, { start, end }: CutPart): unknown {
  const text = quoteLongIntegers(bytes.toString('utf8', start, end));
  const value = surrogateEscape.test(text) ? parseWellFormed(text) : parseJson(text);
  if (value === undefined) throw notJson(bytes);
  return value;
}

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * With U+FFFD in place of surrogates without a pair, for which the library would reject the record.
 */
function parseWellFormed(text: string): unknown {
  if (parseJson(text) === undefined) return undefined;
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}

function messageOf(type: protobuf.Type, value: unknown): LogRecord | Rejection {
  try {
    return protojson.fromJson(type, toMessage(value), { ignoreUnknownFields: true }) as LogRecord;
  } catch (error) {
    // The library writes the field, what is wrong, and the value, which can be long.
    const [, reason] = /^\.([\w.]+: [\w ()]+)/.exec(error instanceof Error ? error.message : '') ?? [];
    return { rejected: `is not a valid ${type.name}${reason === undefined ? '' : ` (${reason})`}` };
  }
}

/**
 * The items of a list of objects, with their paths. The list can be named as in the schema or as in
 * JSON.
 */
function* itemsOf(parent: JsonObject, name: string, path: string): Generator<[path: string, item: JsonObject]> {
  for (const [index, item] of listOf(parent, name, path).entries()) {
    const itemPath = `${path}${name}[${index}]`;
    if (!isObject(item)) throw bodyError(`must have an object at ${itemPath}`);
    yield [itemPath, item];
  }
}

function listOf(parent: JsonObject, name: string, path: string): readonly unknown[] {
  const list = parent[name] ?? parent[name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)] ?? [];
  if (!Array.isArray(list)) throw bodyError(`must have a list at ${path}${name}`);
  return list;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notJson = (bytes: Buffer) => bodyError(jsonFault(bytes.toString('utf8')));
