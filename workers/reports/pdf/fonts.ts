import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The npm packages of the font. Each has files for ranges of characters, listed in its style sheets
 * by weight.
 */
const packages = ['@fontsource/noto-sans', '@fontsource/noto-sans-arabic', '@fontsource/noto-sans-hebrew'];
const weights = [400, 700];

export const fontFamilies = ['Noto Sans', 'Noto Sans Arabic', 'Noto Sans Hebrew'];

const require = createRequire(import.meta.url);

/**
 * The `@font-face` rules of the files with characters of a text; the files are contained as `data:`
 * URLs.
 */
export async function fontFaces(text: string): Promise<string> {
  const characters = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const rules = await Promise.all(
    packages.flatMap((name) => weights.map((weight) => rulesOf(require.resolve(`${name}/${weight}.css`), characters))),
  );
  return rules.flat().join('\n');
}

async function rulesOf(styleSheet: string, characters: ReadonlySet<number>): Promise<string[]> {
  const rules = (await readFile(styleSheet, 'utf8')).match(/@font-face\s*\{[^}]*\}/g) ?? [];
  return Promise.all(
    rules
      .filter((rule) => covers(/unicode-range:\s*([^;}]+)/.exec(rule)?.[1] ?? 'U+0-10FFFF', characters))
      .map(async (rule) => {
        const file = /url\(\.?\/?([^)]+\.woff2)\)/.exec(rule)?.[1];
        if (file === undefined) throw new Error(`A rule of ${styleSheet} names no WOFF2 file.`);
        const font = await readFile(join(dirname(styleSheet), file), 'base64');
        const source = `src: url(data:font/woff2;base64,${font}) format('woff2');`;
        return rule.replace(/src:[^;]+;/, () => source).replace(/font-display:[^;]+;/, '');
      }),
  );
}

/** @param ranges of CSS: `U+0000-00FF, U+0131`. */
function covers(ranges: string, characters: ReadonlySet<number>): boolean {
  const bounds = ranges.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  });
  return [...characters].some((character) => bounds.some(({ first, last }) => first <= character && character <= last));
}
