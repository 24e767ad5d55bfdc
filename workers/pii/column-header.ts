// Finds the column of a number in the line before its rows: `id,name,pesel⏎7,Anna,44051401359`.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';

const { codeAt } = characterClasses;
const { APOSTROPHE, COMMA, DOUBLE_QUOTE, LINE_FEED, SEMICOLON, TAB, VERTICAL_BAR } = codes;

/** The maximum length of the header and of the row to the number. */
const MAX_LENGTH = 320;
const SEPARATOR = /[,;\t|]/u;
/** Digits that are a value, so that the line is no header. */
const VALUE = /\d{3}/u;
const QUOTES = '"\'\r ';

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === APOSTROPHE;
}

/** The start of the cell in which the number is first, without its quote. */
function findCellStart({ text, start }: Candidate): number {
  return isQuote(codeAt(text, start - 1)) ? start - 1 : start;
}

/** Whether the number is the first text of a cell. Rejects most numbers. */
export function beginsCell(number: Candidate): boolean {
  const left = codeAt(number.text, findCellStart(number) - 1);
  return left === COMMA || left === SEMICOLON || left === TAB || left === VERTICAL_BAR || left === LINE_FEED;
}

/** The number of cells that end in the row. A separator in quotes is a part of its cell. */
function countCells(row: string, separator: string): number {
  let cells = 0;
  let isQuoted = false;
  for (const character of row) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) cells++;
  }
  return cells;
}

/** The name of the number's column, half open, if the line before its rows can be a header. */
export function findColumn(number: Candidate): { readonly start: number; readonly end: number } | undefined {
  const { text } = number;
  const cellStart = findCellStart(number);
  const from = Math.max(0, cellStart - MAX_LENGTH);
  const lead = text.slice(from, cellStart);
  if (!lead.includes('\n')) return undefined;
  const lines = lead.split('\n');
  const row = lines.pop() as string;
  let header = lines.pop();
  // Other rows can be between the header and the row.
  while (header !== undefined && VALUE.test(header)) header = lines.pop();
  if (header === undefined || (lines.length === 0 && from > 0)) return undefined;
  const left = lead.charAt(lead.length - 1);
  const separator = left === '\n' ? SEPARATOR.exec(header)?.[0] : left;
  if (separator === undefined) return undefined;
  const names = header.split(separator);
  const index = countCells(row, separator);
  if (names.length < 2 || index >= names.length) return undefined;
  let start = from + lines.join('\n').length + (lines.length === 0 ? 0 : 1);
  for (const name of names.slice(0, index)) start += name.length + 1;
  let end = start + (names[index] as string).length;
  while (start < end && QUOTES.includes(text.charAt(start))) start++;
  while (end > start && QUOTES.includes(text.charAt(end - 1))) end--;
  return { start, end };
}
