import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { createAccount, createApiKey, password } from '../support/accounts.ts';
import { inEachBrowser, type TestBrowser } from '../support/browser.ts';
import { isLongForm } from '../support/long-form.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { drivePage, type PageDriver } from '../support/page-driver.ts';
import { createRunningScenario, createScenario, ingest } from '../support/requests.ts';
import { expectAccessible, layoutProblemsOf } from '../support/view-checks.ts';

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
