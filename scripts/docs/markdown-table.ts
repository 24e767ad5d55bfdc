/** A Markdown table with aligned columns, as the formatter wants it. Cells hold Markdown; a `|` in them is escaped. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = [header, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((_, column) => Math.max(3, ...escaped.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |\n`;
  const [titles = '', ...lines] = escaped.map(line);
  return [titles, line(widths.map((width) => '-'.repeat(width))), ...lines].join('');
}
