import Table from 'cli-table3';

/** A table without lines between its rows. */
export function compactTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const chars = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
  const table = new Table({ head: [...head], chars, style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  return table.toString();
}
