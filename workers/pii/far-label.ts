// Finds the label of a value that a message has far before it: the field that pydantic validates,
// the constraint or the index that SQL Server checks, and the column in a statement of SQL.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt } = characterClasses;
const { APOSTROPHE, BLANK, CLOSE_BRACKET, COLON, COMMA, DOUBLE_QUOTE, EQUALS, OPEN_BRACKET, OPEN_SQUARE } = codes;

const MAX_MESSAGE_LENGTH = 320;
const MAX_VALUES_LENGTH = 160;
/**
 * The value in the message of pydantic, whose field is the line before: `sin⏎  Input should be …`.
 */
const INPUT_VALUE = 'input_value=';
const FIELD_LINE = /(?:^|\n|\\+n)([A-Za-z_][\w.]{0,79})\\*$/u;
/** The value in the errors of FastAPI, whose field is the last name of `loc`. */
const INPUT_KEY = 'input';
const LAST_OF_PATH = /["']([\w.-]{1,80})["'],?$/u;
/** The message of SQL Server before the values of a key. */
const KEY_VALUE = 'duplicate key value is (';

/** The columns of a statement before its values: `(id, pesel) VALUES `. */
const COLUMNS = /\(([^()]{3,240})\)\s{0,4}(?:VALUES|values)\s{0,4}(?=\()/u;

/** The parameters before the value, none of which has a comma or a bracket. */
const PARAMETERS = /^\[(?:(?:"[^",]{0,80}"|[\w.-]{1,40}),\s?)*$/u;
/** A column and its placeholder. */
const PLACEHOLDER = /([\p{L}\w]{1,64})[`"\]]?\s?=\s?(?:\?|\$\d{1,2}|:\w{1,30}|@p\d{1,2}|%s)/gu;

/** A label at text[start, end). */
export interface Label {
  readonly start: number;
  readonly end: number;
}

/** Finds the label that the message around the number has before it. Rejects most numbers. */
export function findFarLabel({ text, start }: Candidate): Label | undefined {
  const left = codeAt(text, start - 1);
  const valueStart = left === APOSTROPHE || left === DOUBLE_QUOTE ? start - 1 : start;
  const before = codeAt(text, valueStart - 1);
  if (left !== DOUBLE_QUOTE && (before === OPEN_BRACKET || before === COMMA || isAfterComma(text, valueStart)))
    return findKeyOfTable(text, start) ?? findColumnOfInsert(text, valueStart);
  if (before === EQUALS && text.startsWith(INPUT_VALUE, valueStart - INPUT_VALUE.length))
    return findFieldLine(text, valueStart - INPUT_VALUE.length);
  if (left === DOUBLE_QUOTE && (before === OPEN_SQUARE || before === COMMA || isAfterComma(text, valueStart)))
    return findColumnOfParameter(text, valueStart);
  const colon = before === BLANK ? valueStart - 2 : valueStart - 1;
  const isInput = codeAt(text, colon) === COLON && text.startsWith(INPUT_KEY, colon - 1 - INPUT_KEY.length);
  return isInput ? findPathOfField(text, valueStart) : undefined;
}

/** Whether a comma and a blank are before `at`. */
function isAfterComma(text: ScannedText, at: number): boolean {
  return codeAt(text, at - 1) === BLANK && codeAt(text, at - 2) === COMMA;
}

/**
 * The column of the value at `valueStart` in a statement of SQL: `(id, pesel) VALUES (7, '44…')`.
 */
function findColumnOfInsert(text: ScannedText, valueStart: number): Label | undefined {
  const from = Math.max(0, valueStart - MAX_MESSAGE_LENGTH);
  const lead = text.slice(from, valueStart);
  if (!lead.includes('VALUES') && !lead.includes('values')) return undefined;
  const columns = COLUMNS.exec(lead);
  if (columns === null) return undefined;
  const [found, list = ''] = columns;
  const index = countValues(text, from + columns.index + found.length, valueStart);
  const names = list.split(',');
  if (index >= names.length) return undefined;
  let start = from + columns.index + 1;
  for (const name of names.slice(0, index)) start += name.length + 1;
  const name = names[index] as string;
  start += name.length - name.trimStart().length;
  return { start, end: start + name.trim().length };
}

/**
 * The column that is compared with the parameter at `valueStart`, or set to it, in the statement
 * before the list of parameters: `WHERE "pesel" = $1 -- PARAMETERS: ["44…"]`.
 */
function findColumnOfParameter(text: string, valueStart: number): Label | undefined {
  const from = Math.max(0, valueStart - MAX_MESSAGE_LENGTH);
  const lead = text.slice(from, valueStart);
  const listStart = lead.lastIndexOf('[');
  const list = lead.slice(Math.max(0, listStart));
  if (!PARAMETERS.test(list)) return undefined;
  const index = list.split(',').length - 1;
  const column = [...lead.slice(0, listStart).matchAll(PLACEHOLDER)][index];
  if (column === undefined) return undefined;
  const start = from + column.index + column[0].indexOf(column[1] as string);
  return { start, end: start + (column[1] as string).length };
}

/** The number of values that end in the last row of text[from, to), outside of quotes. */
function countValues(text: ScannedText, from: number, to: number): number {
  let values = 0;
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < to; at++) {
    const code = codeAt(text, at);
    if (code === APOSTROPHE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (code === OPEN_BRACKET && depth++ === 0) values = 0;
    else if (code === CLOSE_BRACKET) depth--;
    else if (code === COMMA && depth === 1) values++;
  }
  return values;
}

/** The name of the constraint or the index of the values in the brackets before `start`. */
function findKeyOfTable(text: ScannedText, start: number): Label | undefined {
  const from = Math.max(0, start - MAX_VALUES_LENGTH);
  const values = text.slice(from, start);
  const at = values.lastIndexOf(KEY_VALUE);
  if (at < 0 || values.includes(')', at)) return undefined;
  const leadStart = Math.max(0, from + at - MAX_MESSAGE_LENGTH);
  const lead = text.slice(leadStart, from + at);
  const kind = Math.max(lead.lastIndexOf("constraint '"), lead.lastIndexOf("index '"));
  if (kind < 0) return undefined;
  const nameStart = lead.indexOf("'", kind) + 1;
  const nameEnd = lead.indexOf("'", nameStart);
  return nameEnd < 0 ? undefined : { start: leadStart + nameStart, end: leadStart + nameEnd };
}

/** The line before the last indented line before `end`. Line feeds can be escaped. */
function findFieldLine(text: ScannedText, end: number): Label | undefined {
  const from = Math.max(0, end - MAX_MESSAGE_LENGTH);
  const lead = text.slice(from, end);
  const lineEnd = Math.max(lead.lastIndexOf('\n  '), lead.lastIndexOf('\\n  '));
  if (lineEnd < 0) return undefined;
  return locate(FIELD_LINE.exec(lead.slice(0, lineEnd)), from);
}

/** The last name of the last `loc` before the value at `valueStart`. */
function findPathOfField(text: string, valueStart: number): Label | undefined {
  const from = Math.max(0, valueStart - MAX_MESSAGE_LENGTH);
  const lead = text.slice(from, valueStart);
  const path = /^loc["']:\s?[[(][^\])]*(?=[\])])/u.exec(lead.slice(Math.max(0, lead.lastIndexOf('loc'))));
  if (path === null) return undefined;
  return locate(LAST_OF_PATH.exec(path[0]), from + lead.lastIndexOf('loc'));
}

/** The position in the text of the group of a match in a part of the text that begins at `from`. */
function locate(match: RegExpExecArray | null, from: number): Label | undefined {
  if (match === null) return undefined;
  const [found, name = ''] = match;
  const start = from + match.index + found.lastIndexOf(name);
  return { start, end: start + name.length };
}
