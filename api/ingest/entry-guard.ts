import type { KnownNames } from '../../shared/cost/price-book.ts';
import { type LogEntryInput, maxMessageBytes } from '../../shared/ingest/reading/entry-limits.ts';
import { hasCharacters, isScalar } from '../http/joi.ts';
import { entryBounds, entryTimeOf } from './ingest.schemas.ts';

/**
 * Accepts a log entry several times faster than its schema does.
 * @returns the entry as the schema converts it; undefined if the schema decides. It accepts nothing
 * that the schema refuses.
 */
type EntryGuard = (value: unknown) => LogEntryInput | undefined;

type JsonObject = Record<string, unknown>;
type Fields = ReadonlyMap<string, (value: unknown) => boolean>;

/** Creates the guard of `logEntrySchema`, whose rules it repeats. A test compares the two. */
export function createEntryGuard(names: Pick<KnownNames, 'hasModel'>): EntryGuard {
  const { durationMs, memoryMb, tokens, sourceCharacters, levelCharacters } = entryBounds;
  const usageFields: Fields = new Map([
    ['function_duration_ms', isNumber(durationMs)],
    ['function_memory_mb', isInteger(memoryMb)],
    ['input_tokens', isInteger(tokens)],
    ['cache_read_tokens', isInteger(tokens)],
    ['cache_write_tokens', isInteger(tokens)],
    ['cache_write_1h_tokens', isInteger(tokens)],
    ['output_tokens', isInteger(tokens)],
    ['model', (value) => typeof value === 'string' && value !== '' && names.hasModel(value)],
  ]);
  const fields: Fields = new Map([
    ['message', isMessage],
    // `entryTimeOf` checks it below.
    ['timestamp', () => true],
    ['source', isText(sourceCharacters)],
    ['level', isText(levelCharacters)],
    ['usage', (value) => isObject(value) && hasOnly(value, usageFields)],
    ['attributes', (value) => isObject(value) && hasOnlyScalars(value)],
  ]);
  return (value) => {
    const entry = isObject(value) ? withoutAlias(value) : undefined;
    if (!entry || !Object.hasOwn(entry, 'message') || !hasOnly(entry, fields)) return undefined;
    const { timestamp: sent } = entry;
    if (sent === undefined) return entry as LogEntryInput;
    const timestamp = entryTimeOf(sent);
    if (timestamp === undefined) return undefined;
    // The value of the caller is not changed.
    return (Object.is(timestamp, sent) ? entry : { ...entry, timestamp }) as LogEntryInput;
  };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasOnly(value: JsonObject, fields: Fields): boolean {
  for (const name of Object.keys(value)) if (!fields.get(name)?.(value[name])) return false;
  return true;
}

function hasOnlyScalars(value: JsonObject): boolean {
  for (const name of Object.keys(value)) if (!isScalar(value[name])) return false;
  return true;
}

/** Renames `log` or `msg` to `message`. @returns undefined if there is more than one of them. */
function withoutAlias(value: JsonObject): JsonObject | undefined {
  let result = value;
  for (const alias of ['log', 'msg']) {
    if (!Object.hasOwn(value, alias)) continue;
    if (Object.hasOwn(result, 'message')) return undefined;
    const { [alias]: message, ...others } = result;
    result = { ...others, message };
  }
  return result;
}

/** Counts the bytes of long texts only: a UTF-16 code unit has at most three. */
const isMessage = (value: unknown) =>
  typeof value === 'string' &&
  value !== '' &&
  (value.length * 3 <= maxMessageBytes || Buffer.byteLength(value) <= maxMessageBytes);

const isText = (max: number) => (value: unknown) => typeof value === 'string' && hasCharacters(value, 0, max);

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Refuses -0, which the schema converts. */
const isNumber =
  ({ min, max }: Bounds) =>
  (value: unknown) =>
    typeof value === 'number' && value >= min && value <= max && !Object.is(value, -0);

const isInteger = (bounds: Bounds) => {
  const isWithin = isNumber(bounds);
  return (value: unknown) => Number.isInteger(value) && isWithin(value);
};
