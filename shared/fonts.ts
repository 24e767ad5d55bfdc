import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The npm packages of the font. Each has files for ranges of characters, listed in its style sheets by weight. */
const packages = ['@fontsource/noto-sans', '@fontsource/noto-sans-arabic', '@fontsource/noto-sans-hebrew'];
const weights = [400, 700];

export const fontFamilies = ['Noto Sans', 'Noto Sans Arabic', 'Noto Sans Hebrew'];

/** A file of the font, for some characters and one weight. */
export interface FontFile {
  /** The path of a WOFF2 file. */
  readonly path: string;
  /** The `@font-face` rule that names it. */
  readonly rule: string;
}

const require = createRequire(import.meta.url);

/** The files of the font with characters of a text. */
export async function fontFilesFor(text: string): Promise<FontFile[]> {
  const characters = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const files = await Promise.all(
    packages.flatMap((name) => weights.map((weight) => filesOf(require.resolve(`${name}/${weight}.css`), characters))),
  );
  return files.flat();
}

async function filesOf(styleSheet: string, characters: ReadonlySet<number>): Promise<FontFile[]> {
  const rules = (await readFile(styleSheet, 'utf8')).match(/@font-face\s*\{[^}]*\}/g) ?? [];
  return rules
    .filter((rule) => covers(/unicode-range:\s*([^;}]+)/.exec(rule)?.[1] ?? 'U+0-10FFFF', characters))
    .map((rule) => {
      const file = /url\(\.?\/?([^)]+\.woff2)\)/.exec(rule)?.[1];
      if (file === undefined) throw new Error(`A rule of ${styleSheet} names no WOFF2 file.`);
      return { path: join(dirname(styleSheet), file), rule };
    });
}

/** @param ranges of CSS: `U+0000-00FF, U+0131`. */
function covers(ranges: string, characters: ReadonlySet<number>): boolean {
  const bounds = ranges.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  });
  return [...characters].some((character) => bounds.some(({ first, last }) => first <= character && character <= last));
}
