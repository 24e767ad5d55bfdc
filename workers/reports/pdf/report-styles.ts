import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The style sheet of a report on A4 paper. Page numbers are in margin boxes of the page, so that
 * they use its embedded fonts.
 * @param footer the text at the left of each footer.
 */
export function reportStyles({ footer, families }: { footer: string; families: readonly string[] }): string {
  return `
@page {
  size: A4;
  margin: 15mm 16mm 18mm;
  @bottom-left { content: ${cssString(footer)}; ${footerStyle} text-align: left; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); ${footerStyle} text-align: right; }
}
:root {
  --ink: #1a2230;
  --muted: #5a6472;
  --line: #d5dbe3;
  --tint: #f3f6fa;
  --accent: #1f4f8f;
}
* { box-sizing: border-box; }
body {
  margin: 0;
  font: 9.5pt/1.45 ${families.map(cssString).join(', ')}, sans-serif;
  color: var(--ink);
  -webkit-print-color-adjust: exact;
  print-color-adjust: exact;
}
h1 { margin: 0; font-size: 20pt; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 1.5mm; font-size: 12pt; line-height: 1.3; color: var(--accent); break-after: avoid; }
p { margin: 0 0 2mm; }
header { margin: 0 0 4mm; padding: 0 0 2mm; border-bottom: 0.8mm solid var(--accent); }
section { margin: 0 0 4mm; }
.muted { color: var(--muted); font-size: 8.5pt; }
.description { overflow-wrap: anywhere; white-space: pre-line; max-height: 20mm; overflow: hidden; margin: 1mm 0; }
td.date { white-space: nowrap; }
td.field { overflow-wrap: anywhere; }
td.number, th.number, table.small th { font-variant-numeric: tabular-nums; white-space: nowrap; }
.name { overflow-wrap: anywhere; unicode-bidi: isolate; }

.answer { padding: 4mm 5mm; background: var(--tint); border-left: 1.2mm solid var(--accent); }
.answer p { margin: 0; }
.sentence { font-size: 13pt; line-height: 1.4; font-weight: 700; }
.answer .muted { margin-top: 2mm; }
.new-page { break-before: page; }
.bar-cell { width: 34mm; }
.designs { table-layout: fixed; }
.designs th:first-child { width: 66%; }
.designs th:nth-child(2) { width: 9%; }
.designs td { white-space: nowrap; }
.designs .muted { font-size: 7.5pt; }
.bar { display: block; height: 2.6mm; margin-top: 1mm; min-width: 0.4mm; background: var(--muted); }
.bar.queue { background: #332288; }
.bar.function { background: #d55e00; }
.bar.inference { background: #3d8fc4; }
dl.facts { display: grid; grid-template-columns: 38mm 1fr; margin: 0; }
dl.facts dt, dl.facts dd { margin: 0; padding: 1.6mm 0; border-bottom: 0.2mm solid var(--line); }
dl.facts dt { color: var(--muted); }
dl.facts dd { overflow-wrap: anywhere; }

table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th { text-align: left; font-weight: 700; vertical-align: bottom; color: var(--accent); border-bottom: 0.4mm solid var(--accent); }
th, td { padding: 0.8mm 2mm 0.8mm 0; }
td, tbody th { border-bottom: 0.2mm solid var(--line); vertical-align: top; }
tbody th { color: inherit; font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; }
table .after-number { padding-left: 4mm; }
tr.sum > * { font-weight: 700; border-top: 0.4mm solid var(--ink); border-bottom: 0; }
table.small { font-size: 7.5pt; line-height: 1.3; margin-bottom: 3mm; }
table.small tbody th { white-space: normal; }
table.small th, table.small td { padding: 0.9mm 1.5mm 0.9mm 0; }
table.small tbody tr:nth-child(even) { background: var(--tint); }
.note { padding: 3mm 4mm; background: #fff6e5; border-left: 1mm solid #c77700; break-inside: avoid; }
.keep { break-inside: avoid; }
figure { margin: 0 0 6mm; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
`;
}

const footerStyle = 'font: 7.5pt "Noto Sans"; color: #5a6472; vertical-align: top; padding-top: 4mm;';

/** A CSS string with any text. */
const cssString = (text: string) =>
  `"${text.replace(/[^\w .-]/gu, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `)}"`;

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
