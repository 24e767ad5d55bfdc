import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';

/** A Markdown table aligned by display width, as the formatter aligns it. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(
    [header, ...rows].map((cells) => [...cells]),
    { stringLength: stringWidth },
  );
}
