import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Style sheets of npm packages, each with files for ranges of characters. A character that several
 * families have is drawn in the first of them. The large ones have one file for all weights.
 */
const families = {
  'Noto Sans': ['@fontsource/noto-sans/400.css', '@fontsource/noto-sans/700.css'],
  'Noto Emoji Variable': ['@fontsource-variable/noto-emoji/index.css'],
  'Noto Sans Arabic': ['@fontsource/noto-sans-arabic/400.css', '@fontsource/noto-sans-arabic/700.css'],
  'Noto Sans Hebrew': ['@fontsource/noto-sans-hebrew/400.css', '@fontsource/noto-sans-hebrew/700.css'],
  'Noto Sans Thai': ['@fontsource/noto-sans-thai/400.css', '@fontsource/noto-sans-thai/700.css'],
  'Noto Sans JP Variable': ['@fontsource-variable/noto-sans-jp/index.css'],
  'Noto Sans KR Variable': ['@fontsource-variable/noto-sans-kr/index.css'],
  'Noto Sans SC Variable': ['@fontsource-variable/noto-sans-sc/index.css'],
} as const;

export const fontFamilies = Object.keys(families);

const require = createRequire(import.meta.url);

interface Fonts {
  /** `@font-face` rules, whose files are contained as `data:` URLs. */
  readonly rules: string;
  /** Characters that no font has. */
  readonly missing: readonly string[];
}

/** The fonts with the characters of a text, and only the files that it needs. */
export async function fontFaces(text: string): Promise<Fonts> {
  const wanted = new Set(Array.from(text.replace(invisible, ''), (character) => character.codePointAt(0) ?? 0));
  const rules: string[] = [];
  for (const styleSheets of Object.values(families)) {
    if (wanted.size === 0) break;
    const found = await Promise.all(styleSheets.map((name) => rulesOf(require.resolve(name), wanted)));
    rules.push(...found.flatMap((family) => family.rules));
    for (const character of found.flatMap((family) => family.characters)) wanted.delete(character);
  }
  return { rules: rules.join('\n'), missing: [...wanted].map((code) => String.fromCodePoint(code)) };
}

/** Spaces, controls, and characters that change how others are drawn. */
const invisible = /[\p{C}\p{Z}\u{FE00}-\u{FE0F}]/gu;

/** Files whose ranges have characters that they do not have a glyph for. */
const partlyCovered = /-(?:math|symbols)-/;

/** The rules of the files with any of these characters, and which ones they have. */
async function rulesOf(
  styleSheet: string,
  wanted: ReadonlySet<number>,
): Promise<{ rules: string[]; characters: number[] }> {
  const all = (await readFile(styleSheet, 'utf8')).match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const rules: string[] = [];
  const characters: number[] = [];
  for (const rule of all) {
    if (partlyCovered.test(rule)) continue;
    const covered = charactersIn(/unicode-range:\s*([^;}]+)/.exec(rule)?.[1] ?? 'U+0-10FFFF', wanted);
    if (covered.length === 0) continue;
    characters.push(...covered);
    const file = /url\(\.?\/?([^)]+\.woff2)\)/.exec(rule)?.[1];
    if (file === undefined) throw new Error(`A rule of ${styleSheet} names no WOFF2 file.`);
    const font = await readFile(join(dirname(styleSheet), file), 'base64');
    const source = `src: url(data:font/woff2;base64,${font}) format('woff2');`;
    rules.push(rule.replace(/src:[^;]+;/, () => source).replace(/font-display:[^;]+;/, ''));
  }
  return { rules, characters };
}

/** @param ranges of CSS: `U+0000-00FF, U+0131`. */
function charactersIn(ranges: string, wanted: ReadonlySet<number>): number[] {
  const bounds = ranges.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  });
  return [...wanted].filter((character) => bounds.some(({ first, last }) => first <= character && character <= last));
}
