import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { createAccount, createApiKey, password } from '../support/accounts.ts';
import { inEachBrowser, type TestBrowser } from '../support/browser.ts';
import { isLongForm } from '../support/long-form.ts';
import { type RunningBackend, startHttpBackend } from '../support/notebook-backends.ts';
import { drivePage } from '../support/page-driver.ts';
import { createRunningScenario, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { expectAccessible, layoutProblemsOf } from '../support/view-checks.ts';

interface ViewRow {
  /** As in `page/app/app.tsx`; the last one has no path. */
  readonly route: string;
  /** The part of the address after `#`. `SCENARIO`, `OTHER` and `VERSION` are replaced. */
  readonly address: string;
  /** A text that is there once the view is complete. */
  readonly shows: string;
  readonly isSignedOut?: true;
}

const scenarioPart = (part: string, shows: string): ViewRow => ({
  route: 'scenarioAddress',
  address: `/scenarios/SCENARIO${part}`,
  shows,
});

/** Every view of the page, and every part of one. */
const views: readonly ViewRow[] = [
  { route: '/', address: '/', shows: 'What would your log stream cost', isSignedOut: true },
  { route: '/sign-in', address: '/sign-in', shows: 'Password', isSignedOut: true },
  { route: '/register', address: '/register', shows: 'Password', isSignedOut: true },
  { route: '/password/:token?', address: '/password/a-token', shows: 'Set a password', isSignedOut: true },
  { route: '', address: '/nowhere', shows: 'There is nothing at this address', isSignedOut: true },
  { route: '/scenarios', address: '/scenarios', shows: 'A log with a name' },
  { route: '/scenarios/new', address: '/scenarios/new', shows: 'New scenario' },
  scenarioPart('', 'Over time'),
  scenarioPart('?show=levels&by=day', 'Over time'),
  scenarioPart('/send', 'Drop a log file'),
  scenarioPart('/design', 'Batch of 50'),
  scenarioPart('/reports', 'A report'),
  { route: '/compare/:ids?', address: '/compare', shows: 'Select two to ten scenarios' },
  { route: '/compare/:ids?', address: '/compare/SCENARIO,OTHER', shows: 'Differences are those from the first one' },
  { route: '/notebooks', address: '/notebooks', shows: 'No notebooks yet.' },
  { route: '/account', address: '/account', shows: 'a key' },
  { route: '/admin', address: '/admin', shows: 'this is you' },
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
  let backend: RunningBackend;
  const service = startTestService({
    environment: async () => {
      backend = await startHttpBackend();
      return { NOTEBOOK_BACKEND_URL: backend.url, NOTEBOOK_BACKEND_TOKEN: backend.token };
    },
  });
  after(() => backend.close());
  const replacements = new Map<string, string>();

  before(async () => {
    const account = await createAccount(service, email);
    await createApiKey(service, account);
    service.headers['Authorization'] = account.headers['Authorization'] ?? '';
    for (const [key, name] of [
      ['SCENARIO', 'A log with a name that is long, and a description'],
      ['OTHER', 'Another log'],
    ] as const) {
      const { id } = await createRunningScenario(service, { name, description: 'A day of the shop' });
      expect((await ingest(service, id, entries)).status).to.equal(200);
      replacements.set(key, id);
    }
    const scenarioId = replacements.get('SCENARIO') ?? '';
    const report = { body: { format: 'csv', title: 'A report' } };
    expect((await service.request('POST', `/api/v1/scenarios/${scenarioId}/reports`, report)).status).to.equal(202);
  });

  const addressOf = ({ address }: ViewRow) =>
    [...replacements].reduce((text, [key, value]) => text.replaceAll(key, value), `${service.url}/#${address}`);

  async function check(page: Page, rows: readonly ViewRow[]) {
    const parts = new Set<string>();
    const cutOff: string[] = [];
    for (const row of rows) {
      // The view before can show the same text, and remains for a moment if only the hash changes.
      // In the long form, the page loads at every address.
      if (isLongForm) await page.goto('about:blank');
      else {
        await page.goto(`${service.url}/#/nowhere`);
        await drivePage(page).text('There is nothing at this address');
      }
      await page.goto(addressOf(row));
      await drivePage(page)
        .text(row.shows)
        .catch(() => expect.fail(`${row.address} does not show “${row.shows}”`));
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
    expect([...parts].filter((link) => !checked.has(link.split('?')[0] ?? ''))).to.deep.equal([]);
    expect([problems, foreignRequests]).to.deep.equal([[], []]);
    expect(ownRequests.filter((request) => request.includes('/api/'))).to.have.length.above(20);
    expect(await undocumented(ownRequests)).to.deep.equal([]);
  });

  it('has a row in the table of this test', async () => {
    const source = readFileSync(new URL('../../page/app/app.tsx', import.meta.url), 'utf8');
    const routes = [...source.matchAll(/<Route(?: path=(?:"([^"]+)"|\{(\w+)\}))?>/g)].map(
      ([, path, name]) => path ?? name ?? '',
    );
    expect(routes).to.have.length.above(10);
    expect(new Set(views.map(({ route }) => route))).to.deep.equal(new Set(routes));
  });
});
