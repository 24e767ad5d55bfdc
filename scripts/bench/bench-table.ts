import Table from 'cli-table3';

/** A table of results. Numbers are printed with at most three decimals. */
export interface BenchTable {
  title: string;
  head: string[];
  rows: (string | number)[][];
}

export function renderTable({ title, head, rows }: BenchTable): string {
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) table.push(row.map(formatCell));
  return `${title}\n${table.toString()}`;
}

function formatCell(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 3 }) : cell;
}
