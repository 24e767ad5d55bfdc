// The findings of a log entry: of its message, and of the other fields of its record. Fields are
// scanned as JSON, so that a key is a label in a field as it is in a line of text.

import { endOfString } from '../json/json-text.ts';
import type { Finding } from './finding.ts';
import type { PiiType } from './pii-kind.ts';
import { redactedPreview } from './redact.ts';

/** The findings of one type, and one country, in an entry. */
export interface PiiCount {
  type: PiiType;
  count: number;
  /** ISO 3166-1 alpha-2, for national ids. */
  country?: string;
  /** Paths of the fields that contain them, redacted; without positions in lists. */
  fields?: string[];
  /** The number of other fields, if there are more than `maxFields`. */
  more_fields?: number;
}

/** Fields of a type that are named. */
export const maxFields = 8;
const maxKeyCharacters = 100;

/** The parts of an entry that are scanned. */
interface EntryParts {
  readonly message: string;
  /** JSON of fields beside the message, one object or several; it can be cut off. */
  readonly fields?: string | undefined;
  /** If the message is JSON: the path of its value in the record. */
  readonly messagePath?: string | undefined;
}

/** The most characters of fields that are scanned: as many as attributes count. */
const maxFieldsCharacters = 16 * 1024;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The fields of a record that can contain personal data, in JSON.
 * @param text the JSON of the record; default: long numbers are read as they are.
 * @param except names or paths of the message, which is scanned by itself, and of the time.
 */
export function fieldsToScan(
  record: JsonObject,
  text = '',
  except: readonly (string | undefined)[] = [],
): { fields?: string } {
  const fields = new FieldWriter(text, except).write(record);
  return fields === '' ? {} : { fields: fields.slice(0, maxFieldsCharacters) };
}

/** The shortest number that is a finding has seven digits. */
const leastNumber = 1_000_000;
const longNumber = /\d{16,}/g;

class FieldWriter {
  readonly #text: string;
  readonly #except: readonly (string | undefined)[];
  /** Those of the text that have not been written, in order. */
  #longNumbers: string[] | undefined;
  #left = maxFieldsCharacters;

  constructor(text: string, except: readonly (string | undefined)[]) {
    this.#text = text;
    this.#except = except;
  }

  /** @param outer the name of the object, if it is a field of the record. */
  write(object: JsonObject, outer?: string): string {
    let json = '';
    for (const name in object) {
      if (this.#left <= 0) break;
      if (this.#except.includes(outer === undefined ? name : `${outer}.${name}`)) continue;
      const value = this.#writeValue(object[name], name);
      if (value !== '') json += `,${JSON.stringify(name)}:${value}`;
      else if (canHaveFinding(name.startsWith('@') ? name.slice(1) : name)) json += `,${JSON.stringify(name)}:null`;
    }
    if (json === '') return '';
    this.#left -= json.length;
    return `{${json.slice(1)}}`;
  }

  #writeValue(value: unknown, name: string): string {
    switch (typeof value) {
      case 'string':
        return canHaveFinding(value) ? JSON.stringify(value) : '';
      case 'number':
        return value < leastNumber && value > -leastNumber ? '' : this.#digitsOf(value);
      case 'object':
        if (Array.isArray(value)) return this.#writeItems(value, name);
        return value === null ? '' : this.write(value as JsonObject, name);
      default:
        return '';
    }
  }

  #writeItems(items: readonly unknown[], name: string): string {
    const written = items.map((item) => this.#writeValue(item, name)).filter((item) => item !== '');
    return written.length === 0 ? '' : `[${written.join(',')}]`;
  }

  /** A number as it was sent: when it was parsed, it can have lost digits. */
  #digitsOf(value: number): string {
    if (Number.isSafeInteger(value)) return String(value);
    this.#longNumbers ??= this.#text.match(longNumber) ?? [];
    const found = this.#longNumbers.findIndex((digits) => Number(digits) === Math.abs(value));
    return this.#longNumbers.splice(found, found === -1 ? 0 : 1)[0] ?? String(value);
  }
}

const zero = 0x30;
const nine = 0x39;
/** 1 for an `@`, characters that begin an escape, such as `%40`, and all beyond ASCII. */
const isSpecial = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  Number(code > 0x7f || '@%\\&\u001b'.includes(String.fromCharCode(code))),
);
const leastDigits = 6;
/** Fewer digits: an Indian PAN, an Italian codice fiscale, an `@` in quoted-printable. */
const ofFewDigits = /[a-z]{5}[- ]?\d{4}|[a-z]{6}[- ]?[\dl-np-v]{2}[a-t]|=40/i;
const leastLength = 8;

/**
 * Whether a text can contain a finding: it has an `@` or an escape, six digits near each other, or
 * the form of an id of letters. Most fields of most records do not, which this tells faster than a
 * scan.
 */
export function canHaveFinding(text: string): boolean {
  let digits = 0;
  let last = -1;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code >= zero && code <= nine) {
      digits = position - last <= 4 ? digits + 1 : 1;
      last = position;
      if (digits === leastDigits) return !isOpaque(text);
    } else if (isSpecial[code] === 1) return true;
  }
  return last !== -1 && text.length >= leastLength && ofFewDigits.test(text);
}

/** Lengths of ids of spans, of traces and hashes, and of UUIDs. */
const hexLengths = new Set([16, 32, 36, 40, 64]);
const hex = /^(?=.*[a-f])[\da-f-]+$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/;

const host = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|(?=:|$))){4}(?::\d{1,5})?$/;

/** Hashes, ids in hexadecimal digits, times and hosts have most of the digits of many records. */
const isOpaque = (text: string) =>
  (hexLengths.has(text.length) && hex.test(text)) ||
  (text.length >= 19 && text.length <= 35 && time.test(text)) ||
  (text.length <= 21 && host.test(text));

export type Scan = (text: string) => Finding[];

/** A finding, and the path of its field; '' in a message that is no part of a record in JSON. */
export type LocatedFinding = Pick<Finding, 'type' | 'country'> & { readonly path: string };

/** The findings of an entry: in the message, by position, and all of them. */
interface EntryFindings {
  readonly inMessage: Finding[];
  readonly located: readonly LocatedFinding[];
}

/** @param shared findings in the fields that the entry shares with others. */
export function findInEntry(
  { message, fields, messagePath }: EntryParts,
  scan: Scan,
  shared: readonly LocatedFinding[] = [],
): EntryFindings {
  const inMessage = scan(message);
  const inFields = fields === undefined ? [] : findInFields(fields, scan);
  if (inMessage.length + inFields.length === 0) return { inMessage, located: shared };
  const ofMessage =
    messagePath === undefined
      ? inMessage.map(({ type, country }) => located(type, country, ''))
      : withPaths(message, inMessage, messagePath);
  return { inMessage, located: [...ofMessage, ...inFields, ...shared] };
}

const located = (type: PiiType, country: string | undefined, path: string): LocatedFinding => ({
  type,
  ...(country === undefined ? {} : { country }),
  path,
});

/** @param fields JSON of objects, without white space; it can be cut off. */
export function findInFields(fields: string, scan: Scan): LocatedFinding[] {
  return withPaths(fields, scan(fields), '');
}

/** Counts the findings of each type, and of each country for national ids. */
export function countFindings(findings: readonly LocatedFinding[]): PiiCount[] {
  const counts: { row: PiiCount; paths: Set<string> }[] = [];
  for (const { type, country, path } of findings) {
    let same = counts.find(({ row }) => row.type === type && row.country === country);
    if (!same) {
      same = { row: { type, count: 0, ...(country === undefined ? {} : { country }) }, paths: new Set() };
      counts.push(same);
    }
    same.row.count += 1;
    if (path !== '') same.paths.add(path);
  }
  for (const { row, paths } of counts) {
    if (paths.size > 0) row.fields = [...paths].slice(0, maxFields);
    if (paths.size > maxFields) row.more_fields = paths.size - maxFields;
  }
  return counts.map(({ row }) => row);
}

/** A value that is open at a position: an object or a list. */
interface OpenValue {
  readonly path: string;
  readonly isList: boolean;
}

/**
 * Names the field of each finding, in one pass over the text.
 * @param json JSON without white space outside of strings; it can be cut off.
 * @param findings in the order of their positions.
 * @param root the path of the value.
 */
function withPaths(json: string, findings: readonly Finding[], root: string): LocatedFinding[] {
  const found: LocatedFinding[] = [];
  const open: OpenValue[] = [];
  let path = root;
  let isKey = false;
  for (let at = 0; found.length < findings.length && at < json.length; at += 1) {
    const start = at;
    const character = json.charAt(at);
    switch (character) {
      case '"':
        at = endOfString(json, at);
        if (isKey) {
          const parent = open.at(-1)?.path ?? root;
          path = `${parent}${parent === '' ? '' : '.'}${keyOf(json, start + 1, at, findings.slice(found.length))}`;
        }
        break;
      case '{':
      case '[':
        open.push({ path, isList: character === '[' });
        break;
      case '}':
      case ']':
        path = open.pop()?.path ?? root;
        break;
      case ',':
        path = open.at(-1)?.path ?? root;
    }
    isKey = character === '{' || (character === ',' && open.at(-1)?.isList === false);
    for (let next = findings[found.length]; next !== undefined && next.start <= at; next = findings[found.length])
      found.push(located(next.type, next.country, path));
  }
  return found;
}

/** The name text[start, end) of a field, without what was found in it. */
function keyOf(json: string, start: number, end: number, findings: readonly Finding[]): string {
  const inKey = findings
    .filter((finding) => finding.start < end)
    .map((finding) => ({
      ...finding,
      start: Math.max(0, finding.start - start),
      end: Math.min(end, finding.end) - start,
    }));
  const key = redactedPreview(json.slice(start, end), inKey, maxKeyCharacters);
  if (!key.includes('\\')) return key;
  try {
    return (JSON.parse(`"${key}"`) as string).toWellFormed();
  } catch {
    // It was cut within an escape.
    return key;
  }
}
