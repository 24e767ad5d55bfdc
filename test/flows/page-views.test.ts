import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { type Page } from 'puppeteer-core';
import { createAccount, createApiKey, password } from '../support/accounts.ts';
import { inEachBrowser, reducedMotion, type TestBrowser, usualSize } from '../support/browser.ts';
import { isLongForm } from '../support/long-form.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { drivePage, isFirefox, type PageDriver } from '../support/page-driver.ts';
import { createRunningScenario, createScenario, ingest } from '../support/requests.ts';

interface ViewRow {
  /** As in `page/app/app.tsx`; the last one has no path. */
  readonly route: string;
  /** The part of the address after `#`. `SCENARIO`, `OTHER` and `DRAFT` are replaced. */
  readonly address: string;
  /** Leads from the view to one of its states, such as an open dialog. */
  readonly open?: (driver: PageDriver) => Promise<void>;
  /** A text that is there once the view is complete. */
  readonly shows: string;
  readonly isSignedOut?: true;
}

const name = 'A log with a name that is long, and a description';
const longWord = 'W'.repeat(100);

const scenarioPart = (part: string, shows: string, open?: ViewRow['open']): ViewRow => ({
  route: 'scenarioAddress',
  address: `/scenarios/SCENARIO${part}`,
  shows,
  ...(open && { open }),
});

/** Every view of the page, every part of one, and the states that people meet. */
const views: readonly ViewRow[] = [
  { route: '/', address: '/', shows: 'What would your log stream cost', isSignedOut: true },
  { route: '/sign-in', address: '/sign-in', shows: 'Password', isSignedOut: true },
  { route: '/register', address: '/register', shows: 'Password', isSignedOut: true },
  { route: '/password/:token?', address: '/password/a-token', shows: 'Set a password', isSignedOut: true },
  { route: '', address: '/nowhere', shows: 'There is nothing at this address', isSignedOut: true },
  {
    route: '/scenarios',
    address: '/scenarios',
    shows: 'Two to 10 can be compared.',
    open: ({ press }) => press('checkbox', `Select ${name}`),
  },
  { route: '/scenarios', address: '/scenarios?search=nothing', shows: 'No scenario matches.' },
  {
    route: '/scenarios/new',
    address: '/scenarios/new',
    shows: 'Enter a name.',
    open: ({ press }) => press('button', 'Create'),
  },
  { route: 'scenarioAddress', address: '/scenarios/DRAFT', shows: 'Start the scenario, then send it entries' },
  scenarioPart('', 'Over time'),
  scenarioPart('?show=levels&by=day', 'Over time'),
  scenarioPart('?from=2026-05-01T01:00Z', 'for these 6 entries'),
  scenarioPart('?from=2026-05-02&to=2026-05-01', 'This period ends before it begins, so nothing is shown.'),
  scenarioPart('', 'Exact total', async ({ page }) => (await page.waitForSelector('tfoot button'))?.click()),
  scenarioPart('', 'It takes no more entries, and cannot be started again.', ({ act }) => act('Stop', name)),
  scenarioPart('/send', 'Drop a log file'),
  scenarioPart('/reports', 'A report'),
  scenarioPart('/design', 'Batch of 50'),
  scenarioPart('/design', 'Window must be at least 1', async ({ page, fill }) => {
    await (await page.waitForSelector('[data-box=function]'))?.click();
    await fill('Messages of one invocation', '50');
  }),
  scenarioPart('/design', 'Save to the scenario', ({ press }) => press('button', 'Try 50 per call')),
  { route: '/compare/:ids?', address: '/compare', shows: 'Select two to ten scenarios' },
  { route: '/compare/:ids?', address: '/compare/SCENARIO,OTHER', shows: 'Differences are those from the first one' },
  { route: '/notebooks', address: '/notebooks', shows: 'No notebooks yet.' },
  {
    route: '/account',
    address: '/account',
    shows: 'Copy it now.',
    open: async ({ fill, press }) => {
      await fill('Name', 'another key');
      await press('checkbox', 'ingest Send entries. Enough for a program that forwards logs.');
      await press('button', 'Create the key');
    },
  },
  { route: '/admin', address: '/admin', shows: 'There is no other account', open: ({ act }) => act('Transfer', email) },
];

const email = 'ann.with.a.rather.long.name@example.com';
const start = Date.UTC(2026, 4, 1);
const hour = 3_600_000;

/** Three hours with entries and one without. */
const entries = [0, 1, 3].flatMap((at) =>
  ['info', 'warn', 'error'].map((level, index) => ({
    message: `GET /checkout/${index} 200 by jane.doe${index}@example.com`,
    level,
    timestamp: new Date(start + at * hour).toISOString(),
  })),
);

inEachBrowser('every view of the page', (browser: TestBrowser) => {
  const service = startServiceWithNotebooks();
  const replacements = new Map<string, string>();

  before(async () => {
    const account = await createAccount(service, email);
    await createApiKey(service, account);
    service.headers['Authorization'] = account.headers['Authorization'] ?? '';
    for (const [key, text] of [
      ['SCENARIO', name],
      ['OTHER', 'Another log'],
    ] as const) {
      const { id } = await createRunningScenario(service, { name: text, description: 'A day of the shop' });
      expect((await ingest(service, id, entries)).status).to.equal(200);
      replacements.set(key, id);
    }
    replacements.set('DRAFT', (await createScenario(service, { name: longWord })).id);
    const report = { body: { format: 'csv', title: 'A report' } };
    const path = `/api/v1/scenarios/${replacements.get('SCENARIO')}/reports`;
    expect((await service.request('POST', path, report)).status).to.equal(202);
  });

  const addressOf = ({ address }: ViewRow) =>
    [...replacements].reduce((text, [key, value]) => text.replaceAll(key, value), `${service.url}/#${address}`);

  async function check(page: Page, rows: readonly ViewRow[]) {
    const parts = new Set<string>();
    const cutOff: string[] = [];
    const driver = drivePage(page);
    for (const row of rows) {
      // The view before can show the same text, and remains for a moment if only the hash changes.
      // In the long form, the page loads at every address.
      if (isLongForm) await page.goto('about:blank');
      else {
        await page.goto(`${service.url}/#/nowhere`);
        await driver.text('There is nothing at this address');
      }
      await page.goto(addressOf(row));
      await row.open?.(driver);
      await driver.text(row.shows).catch(() => expect.fail(`${row.address} does not show “${row.shows}”`));
      await expectAccessible(page);
      cutOff.push(...(await layoutProblemsOf(page)));
      const links = await page.$$eval('nav.parts a', (all) => all.map((link) => link.getAttribute('href') ?? ''));
      for (const link of links) parts.add(link);
    }
    expect(cutOff).to.deep.equal([]);
    return parts;
  }

  /** The requests that are neither of files of the page nor documented. */
  async function undocumented(requests: readonly string[]) {
    const { body } = await service.request('GET', '/openapi.json');
    const patterns = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')),
    );
    const all = [/^GET \/(?:page\/[^/]+)?$/, ...patterns];
    return requests.filter((request) => !all.some((pattern) => pattern.test(request)));
  }

  it('is accessible, uses the documented API only, and has nothing cut off at 400 % or with other text spacing', async () => {
    const { page, problems, foreignRequests, ownRequests } = await browser.openPage(`${service.url}/`);
    await check(
      page,
      views.filter(({ isSignedOut }) => isSignedOut),
    );
    const { fill, press, heading } = drivePage(page);
    await page.goto(`${service.url}/#/sign-in`);
    await fill('E-mail address', email);
    await fill('Password', password);
    await press('button', 'Sign in');
    await heading('Scenarios');
    const parts = await check(
      page,
      views.filter(({ isSignedOut }) => !isSignedOut),
    );
    const checked = new Set(views.map((row) => new URL(addressOf(row)).hash.split('?')[0]));
    const links = [...parts].map((link) => link.split('?')[0] ?? '').filter((link) => !link.includes(idOf('DRAFT')));
    expect(links.filter((link) => !checked.has(link))).to.deep.equal([]);
    // The name that is missing, and the design that is refused.
    const refused = new Set(['400 POST /api/v1/scenarios', `400 POST /api/v1/scenarios/${idOf('SCENARIO')}/designs`]);
    expect(new Set(problems)).to.deep.equal(refused);
    expect(foreignRequests).to.deep.equal([]);
    expect(ownRequests.filter((request) => request.includes('/api/'))).to.have.length.above(20);
    expect(await undocumented(ownRequests)).to.deep.equal([]);
  });

  const idOf = (key: string) => replacements.get(key) ?? '';

  it('has a row in the table of this test', async () => {
    const source = readFileSync(new URL('../../page/app/app.tsx', import.meta.url), 'utf8');
    const routes = [...source.matchAll(/<Route(?: path=(?:"([^"]+)"|\{(\w+)\}))?>/g)].map(
      ([, path, routeName]) => path ?? routeName ?? '',
    );
    expect(routes).to.have.length.above(10);
    expect(new Set(views.map(({ route }) => route))).to.deep.equal(new Set(routes));
  });
});

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
const layoutProblems = readFileSync(new URL('../support/in-page/layout-problems.js', import.meta.url), 'utf8');

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
async function expectAccessible(page: Page): Promise<void> {
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
async function layoutProblemsOf(page: Page): Promise<string[]> {
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
