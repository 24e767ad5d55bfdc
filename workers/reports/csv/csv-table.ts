import { string as quoted } from '@json2csv/formatters';
import { type FieldInfo, Parser } from '@json2csv/plainjs';

export type CsvCell = string | number | null;

/** Columns by their names in the header, in order; the function takes the cell of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

interface CsvTable<Row> {
  header(): Buffer;
  lines(rows: readonly Row[]): Buffer;
}

/** RFC 4180: lines end with CR and LF. */
const lineEnd = '\r\n';
const quote = quoted();

/**
 * A spreadsheet reads a cell that begins with one of these as a formula, also after white space and
 * in full width. A tab or line break at the start can move a formula into a cell of its own.
 */
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** A number with a sign is no formula. */
const signedNumber = /^[+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** With an apostrophe before it, a spreadsheet shows a cell as text. */
const harmless = (cell: string): string => (formulaStart.test(cell) && !signedNumber.test(cell) ? `'${cell}` : cell);

/** Formats rows as CSV in UTF-8 without a byte order mark. Text is quoted, numbers are not. */
export function createCsvTable<Row extends object>(columns: CsvColumns<Row>): CsvTable<Row> {
  const fields: FieldInfo<Row, unknown>[] = Object.entries(columns).map(([label, value]) => ({ label, value }));
  const parser = new Parser<Row, Row>({
    fields,
    header: false,
    eol: lineEnd,
    includeEmptyRows: true,
    formatters: { string: (cell) => quote(harmless(cell)) },
  });
  return {
    header: () => Buffer.from(Object.keys(columns).join(',') + lineEnd),
    lines: (rows) => (rows.length === 0 ? Buffer.alloc(0) : Buffer.from(parser.parse([...rows]) + lineEnd)),
  };
}
