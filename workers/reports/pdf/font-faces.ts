import { readFile } from 'node:fs/promises';
import { fontFilesFor } from '../../../shared/fonts.ts';

/** The `@font-face` rules of the files with characters of a text; the files are contained as `data:` URLs. */
export async function fontFaces(text: string): Promise<string> {
  const files = await fontFilesFor(text);
  const rules = await Promise.all(
    files.map(async ({ path, rule }) => {
      const source = `src: url(data:font/woff2;base64,${await readFile(path, 'base64')}) format('woff2');`;
      return rule.replace(/src:[^;]+;/, () => source).replace(/font-display:[^;]+;/, '');
    }),
  );
  return rules.join('\n');
}
