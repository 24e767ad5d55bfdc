import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { reducedMotion, usualSize } from './browser.ts';
import { isLongForm } from './long-form.ts';

/** A theme, and the width of the window in CSS pixels. */
type Appearance = readonly ['light' | 'dark', number];

const appearances: readonly Appearance[] = [
  ['light', 1440],
  ['dark', 375],
  ['dark', 1440],
  ['light', 375],
  ['light', 768],
  ['dark', 768],
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const layoutProblems = readFileSync(new URL('in-page/layout-problems.js', import.meta.url), 'utf8');

/** A window of 1280 x 1024 pixels at 400 % (WCAG 2.2, 1.4.10). */
const zoomed = { width: 320, height: 256 };
/** The text spacing that a view must allow (WCAG 2.2, 1.4.12). */
const textSpacing = `
  :root * { line-height: 1.5 !important }
  :root * { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

let checks = 0;

/**
 * Finds no violation of WCAG 2.2 AA in the present view: in the long form in each theme and at each
 * width, in the short form in light and wide or dark and narrow, by turns.
 */
export async function expectAccessible(page: Page): Promise<void> {
  checks += 1;
  // Half a megabyte, which a change of the view in the same document leaves.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  for (const [theme, width] of isLongForm ? appearances : appearances.slice(checks % 2, (checks % 2) + 1)) {
    if (!(await chooseTheme(page, theme))) continue;
    await resize(page, { width, height: 900 });
    const violations = await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(axeTags)}, resultTypes: ['violations'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
    );
    expect(violations, `${theme}, ${width} px, ${page.url()}`).to.deep.equal([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `pixels beyond the right edge at ${width} px, ${page.url()}`).to.be.at.most(0);
  }
  await resize(page, usualSize);
}

/**
 * Texts and controls of the present view that are cut off or overlap, at 400 % and with other text
 * spacing.
 */
export async function layoutProblemsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  const look = async (size: typeof usualSize, setting: string) => {
    await resize(page, size);
    const problems = (await page.evaluate(layoutProblems)) as string[];
    found.push(...problems.map((problem) => `${problem}, ${setting}, ${page.url()}`));
  };
  await look(zoomed, 'at 400 %');
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(textSpacing)});
    document.adoptedStyleSheets = [sheet];
  }`);
  for (const width of isLongForm ? [1440, 768, 375] : [1440]) {
    await look({ width, height: 900 }, `with other text spacing at ${width} px`);
  }
  await page.evaluate('document.adoptedStyleSheets = []');
  await resize(page, usualSize);
  return found;
}

/** Also waits until charts have the new width, and nothing is loading. */
async function resize(page: Page, size: typeof usualSize): Promise<void> {
  await page.setViewport(size);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.waitForFunction("!document.querySelector('.loading, [aria-busy=true]')");
}

export const isFirefox = async (page: Page) => /^firefox/i.test(await page.browser().version());

/** @returns false if the browser has another theme: WebDriver BiDi cannot change it. */
async function chooseTheme(page: Page, theme: Appearance[0]): Promise<boolean> {
  if (await isFirefox(page))
    return (await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")) === (theme === 'dark');
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    // Colours do not change slowly then.
    reducedMotion,
  ]);
  return true;
}
