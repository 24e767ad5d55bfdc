import type { FieldError } from '../../errors.ts';
import { scanJson } from '../../json/json-scanner.ts';
import { compactJson, fieldText } from '../../json/json-text.ts';
import { isObject, isPresent, type JsonObject, objectOf, parseJson } from '../../json/parse-json.ts';
import { fieldsToScan } from '../../pii/entry-findings.ts';
import { epochTimeOf } from '../../timestamp.ts';
import type { LogEntryInput } from '../batch-text.ts';
import type { ModelNames } from '../model-name.ts';
import { canHaveUsage, createUsageReader, type ReadUsage } from '../model-usage/read-model-usage.ts';
import { isPlausibleTime } from '../text-lines/time-formats.ts';
import { containerRecordOf, prefixFields } from './container-logs.ts';
import type { EntryRules, ReadEntry } from './entry-list.ts';
import { type Envelope, envelopeOf } from './envelopes.ts';

/** The first that is present is used. `event.original` is also `{"event": {"original": …}}`. */
const names = {
  message: ['message', 'log', 'msg', 'MESSAGE', 'body', 'event.original'],
  time: ['timestamp', '@timestamp', 'time', 'date', 'ts', '_SOURCE_REALTIME_TIMESTAMP', '__REALTIME_TIMESTAMP'],
  level: ['level', 'severity', 'log.level', 'levelname', 'PRIORITY'],
  source: [
    'source',
    'service',
    'service.name',
    'host',
    'host.name',
    'hostname',
    'container_name',
    'kubernetes.container_name',
    '_SYSTEMD_UNIT',
    'HOST',
  ],
};

const dottedNames = Object.values(names)
  .flat()
  .filter((name) => name.includes('.'));
const paths = new Map(dottedNames.map((name) => [name, name.split('.') as [outer: string, inner: string]]));

/** Levels of objects and lists in an entry. */
export const maxLevels = 32;
const maxMessageBytes = 256 * 1024;
/** The accepted part of a text: so many Unicode code points. */
export const sourceText = /^.{0,256}/su;
export const levelText = /^.{0,64}/su;
/** Attributes count up to this size, which is the most that a queue carries with a message. */
export const maxAttributeBytes = 16 * 1024;
/** Bytes for the type of an attribute, in addition to its name and value. */
const attributeTypeBytes = 6;

/** An entry is whatever a log shipper sends, and an entry at fault is rejected by itself. */
export function looseRules(names: ModelNames, maxBytes: number): EntryRules {
  const readUsage = createUsageReader(names);
  return {
    // Only bytes limit a body, but each entry counts as 64 of them at least. A message of 256 KiB
    // takes up to six times as many bytes when escaped.
    limits: { entries: Math.floor(maxBytes / 64), bytes: 2 * 1024 * 1024, levels: maxLevels, fields: 10_000 },
    isLenient: true,
    readUsage,
    read: (value, text) => readLooseEntry(value, { text, readUsage, now: Date.now() }),
    readLine: ({ message, ...others }) => {
      addUsage(others, readUsage(message));
      return entryOf(message, others);
    },
  };
}

/**
 * Reads what a log shipper sends by default. Fields that a log entry does not have count as
 * attributes; a field that cannot be read counts as absent. Only a message that is too long is an
 * error.
 */
export function readLooseEntry(record: unknown, terms: LooseTerms): ReadEntry | { envelope: Envelope } {
  if (typeof record === 'string') return entryOf(record);
  if (Array.isArray(record)) return entryOf(compactJson(terms.text), { messagePath: '' });
  if (!isObject(record)) return { errors: [noRecord(record)] };
  const messageField = fieldOfMessage(record);
  const envelope = messageField ? null : envelopeOf(record);
  if (envelope) return { envelope };
  const { message, ...entry } = readMessage(record, messageField, terms.text);
  /** Names of the fields that are not attributes. */
  const used = [messageField];
  const timeField = names.time.find((name) => isPresent(valueOf(record, name)));
  if (timeField) {
    const time = epochTimeOf(valueOf(record, timeField));
    if (time !== undefined && isPlausibleTime(time, terms.now)) {
      entry.timestamp = time;
      used.push(timeField);
    }
  }
  const level = firstText(record, names.level, levelOf);
  if (level) {
    entry.level = cut(level.text, levelText);
    used.push(level.name);
  }
  const source = firstText(record, names.source, (value) => (typeof value === 'string' ? value : undefined));
  if (source) {
    entry.source = cut(source.text, sourceText);
    used.push(source.name);
  }
  if (canHaveUsage(terms.text) || record['usage'] !== undefined) {
    addUsage(entry, terms.readUsage(record, message));
  }
  if (entry.usage) used.push('usage');
  const ofContainer = containerRecordOf(record);
  if (ofContainer) used.push(...prefixFields);
  // Where the whole record is the message, its fields are counted and scanned with the message.
  if (messageField) {
    entry.attributeBytes = attributeBytesOf(unusedFields(record, used));
    const time = entry.timestamp === undefined ? [] : [timeField];
    Object.assign(entry, fieldsToScan(record, terms.text, [messageField, ...time]));
  }
  return ofContainer
    ? readContainerLine(message, { ...entry, stream: ofContainer.stream }, terms)
    : entryOf(message, entry);
}

/** The fields of a line of a container log, before its text is read. */
type ContainerLine = Omit<LogEntryInput, 'message'> & { stream: string | undefined };

/**
 * Reads the text of a line of a container log. A record in JSON is read like one that arrived by
 * itself; the time is that of the line, and the source is the stream where there is no other.
 */
export function readContainerLine(message: string, { stream, ...line }: ContainerLine, terms: ReadingTerms): ReadEntry {
  const record = !terms.isInner && /^\s*\{/.test(message) ? parseRecord(message) : undefined;
  const read = isObject(record) ? readLooseEntry(record, { ...terms, text: message, isInner: true }) : undefined;
  const inner = typeof read === 'object' && 'value' in read ? read.value : undefined;
  const source = inner?.source ?? line.source ?? stream;
  const attributeBytes = (line.attributeBytes ?? 0) + (inner?.attributeBytes ?? 0);
  const fields = (line.fields ?? '') + (inner?.fields ?? '');
  const { message: innerMessage = message, ...others } = inner ?? {};
  return entryOf(innerMessage, {
    ...line,
    ...others,
    ...(line.timestamp !== undefined && { timestamp: line.timestamp }),
    ...(source !== undefined && { source }),
    ...(attributeBytes > 0 && { attributeBytes: Math.min(attributeBytes, maxAttributeBytes) }),
    ...(fields !== '' && { fields }),
  });
}

/** @returns undefined for text that is not JSON, or is nested too deeply. */
function parseRecord(text: string): unknown {
  const { value: scanned } = scanJson(Buffer.from(text), 'values').next();
  return scanned && 'levels' in scanned && scanned.levels <= maxLevels ? parseJson(text) : undefined;
}

export interface ReadingTerms {
  readonly readUsage: ReadUsage;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the record is the text of a line of a container log. */
  readonly isInner?: boolean;
}

/** @param text the JSON of the record, as it was sent. */
type LooseTerms = ReadingTerms & { readonly text: string };

/** A usage that is not understood is marked, and its tokens are counted from the message. */
export function addUsage(entry: Omit<LogEntryInput, 'message'>, usage: ReturnType<ReadUsage>): void {
  if (!usage) return;
  if ('unread' in usage) entry.usageUnread = true;
  else entry.usage = usage;
}

/** An entry of a message and what else is known; the message of a line of text is the line. */
export function entryOf(message: string, entry: Omit<LogEntryInput, 'message'> = {}): ReadEntry {
  const text = clean(message);
  if (!/\S/.test(text)) return 'blank';
  const error = lengthError(text);
  return error ? { errors: [error] } : { value: { message: text, ...entry } };
}

/** The error of a message that is too long. A UTF-16 code unit has at most three bytes. */
export function lengthError(message: string): FieldError | undefined {
  const isTooLong = message.length > maxMessageBytes / 3 && Buffer.byteLength(message) > maxMessageBytes;
  return isTooLong ? { field: 'message', error: `must be at most ${maxMessageBytes} bytes of UTF-8` } : undefined;
}

/** The bytes of attributes as a queue counts them: name, type and value; at most `most`. */
export function attributeBytesOf(
  attributes: Iterable<readonly [string, unknown]>,
  most: number = maxAttributeBytes,
): number {
  let bytes = 0;
  for (const [name, value] of attributes) {
    if (!isPresent(value)) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    bytes += Buffer.byteLength(name) + attributeTypeBytes + Buffer.byteLength(text);
    if (bytes >= most) return most;
  }
  return bytes;
}

/** The fields that are not used, those within `attributes` too. */
function* unusedFields(
  record: JsonObject,
  used: readonly (string | undefined)[],
): Generator<readonly [string, unknown]> {
  for (const name of Object.keys(record)) {
    if (used.includes(name)) continue;
    const value = record[name];
    if (name === 'attributes' && isObject(value)) yield* unusedFields(value, []);
    else yield [name, value];
  }
}

/** An object under `log` is that of the Elastic Common Schema, if there is another message. */
function fieldOfMessage(record: JsonObject): string | undefined {
  const present = names.message.filter((name) => isPresent(valueOf(record, name)));
  return present.find((name) => name !== 'log' || !isObject(record['log'])) ?? present[0];
}

/** @param text the JSON of the record, which is the message if it has no field of one. */
function readMessage(record: JsonObject, name: string | undefined, text: string): LogEntryInput {
  if (name === undefined) return { message: compactJson(text), messagePath: '' };
  const value = valueOf(record, name);
  if (typeof value === 'string') return { message: value };
  // The journal exports a message that is not printable text as a list of bytes.
  const isBytes = Array.isArray(value) && value.length > 0 && value.every(isByte);
  if (isBytes) return { message: Buffer.from(value as number[]).toString('utf8') };
  const asSent = fieldText(text, record[name] === undefined ? name.split('.') : [name]) ?? JSON.stringify(value);
  return { message: asSent, ...(typeof value === 'object' && { messagePath: name }) };
}

/** JSON that is neither a record nor a text. */
const noRecord = (value: unknown): FieldError => ({
  field: 'body',
  error: `must be an object or a text, not ${value === null ? 'null' : `a ${typeof value}`}`,
});

function firstText(record: JsonObject, candidates: readonly string[], read: (value: unknown) => string | undefined) {
  for (const name of candidates) {
    const text = read(valueOf(record, name))?.trim();
    if (text) return { name, text: clean(text) };
  }
  return undefined;
}

/** Keywords of the severities of syslog (RFC 5424). */
const syslogLevels = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];
/** Numbered levels: Bunyan and pino in steps of 10, OpenTelemetry in fours from 1. */
export const severityNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

function levelOf(value: unknown): string | undefined {
  if (typeof value === 'string' && !/^\d{1,2}$/.test(value)) return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const level = Number(value);
  return syslogLevels[level] ?? severityNames[level / 10 - 1] ?? String(value);
}

function valueOf(record: JsonObject, name: string): unknown {
  const value = record[name];
  const path = value === undefined ? paths.get(name) : undefined;
  return path ? objectOf(record[path[0]])?.[path[1]] : value;
}

const isByte = (item: unknown) => Number.isInteger(item) && (item as number) >= 0 && (item as number) <= 255;

/** Replaces what a database or hash cannot hold: NUL and halves of surrogate pairs. */
export function clean(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed;
}

export const cut = (text: string, part: RegExp) => part.exec(text)?.[0] ?? '';
