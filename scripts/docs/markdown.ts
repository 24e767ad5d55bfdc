import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';

/** Renders a Markdown table. Columns are aligned by display width, like in the output of the formatter. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(
    [header, ...rows].map((cells) => [...cells]),
    { stringLength: stringWidth },
  );
}
