import { expect } from 'chai';
import { inEachBrowser } from '../support/browser.ts';
import { changedBook } from '../support/changed-book.ts';
import { driveKeyboard } from '../support/keyboard-driver.ts';
import { drivePage } from '../support/page-driver.ts';
import { addVersion } from '../support/price-books.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const nova = 'amazon.nova-lite-v1:0';
const dateLink = '2026-10-01: the prices and their sources';

/** The queue and a model have other prices in eu-west-1. */
const newer = changedBook((file) => {
  file.as_of = '2026-11-20';
  file.queue.regions['eu-west-1']!.standard!.tiers[0]!.price_per_million = '0.50';
  file.inference.models.find(({ id }) => id === nova)!.prices['eu-west-1']!.input_per_1k = '0.0001';
});

inEachBrowser('the prices on the page', (browser) => {
  const service = startTestService();
  let id = '';
  let old = '';
  let current = '';

  before(async () => {
    const assumptions = { inference: { model: nova, output_tokens_per_entry: 200 } };
    ({ id } = await createRunningScenario(service, { region: 'eu-west-1', assumptions }));
    await ingest(service, id, [{ message: 'GET /checkout 200', usage: { input_tokens: 1_000_000 } }]);
    await waitUntil('the entry to count', async () => (await getMetrics(service, id)).totals.logs === 1);
    old = (await getMetrics(service, id)).price_book.version;
    current = await addVersion(service, newer);
  });

  async function open(path: string) {
    const watched = await browser.openPage(`${service.url}/#${path}`);
    return { ...watched, ...drivePage(watched.page) };
  }

  it('the date of a scenario leads to its prices, and to what has changed since', async () => {
    const { page, press, text, expectAccessible, problems, foreignRequests } = await open(`/scenarios/${id}`);
    await press('link', dateLink);
    await text('The scenario has the prices of 2026-10-01. There are newer ones, of 2026-11-20');
    await text('+25.00 %');
    await expectAccessible();
    expect((await getMetrics(service, id)).price_book.version).to.equal(old);
    expect([problems, foreignRequests]).to.deep.equal([[], []]);
    await page.close();
  });

  it('a new scenario has the newest prices, and the page offers no others', async () => {
    const { id: fresh } = await createRunningScenario(service);
    await waitUntil('the new version', async () => (await getMetrics(service, fresh)).price_book.version === current);
    const { page, text } = await open(`/scenarios/${fresh}/prices`);
    await text('The scenario has the newest prices, of 2026-11-20.');
    await page.close();
  });

  it('prices are found by model, Region and evidence, with the date and the sources of each', async () => {
    const { page, press, fill, choose, text, heading, expectAccessible, problems } = await open('/prices');
    const rows = () =>
      page.$$eval('tbody tr', (all) => all.map((row) => (row as unknown as { innerText: string }).innerText));
    await heading('Prices');
    await fill('Model or service', 'nova-lite');
    await choose('Region', 'eu-west-1');
    await text('1–1 of 1');
    const [row = ''] = await rows();
    expect(row).to.contain('Amazon Nova Lite').and.to.contain('Europe (Ireland) (eu-west-1)');
    expect(row)
      .to.match(/Input\s+0\.0001\s/)
      .and.to.match(/Output\s+0\.000276/);
    // The address has the filter, so that a copied link opens the same.
    await page.waitForFunction("location.hash.endsWith('/prices?price=nova-lite&place=eu-west-1')");
    await page.reload();
    await text('1–1 of 1');
    await page.click('tbody summary');
    await text('AWS price feed behind the Bedrock pricing page');
    await expectAccessible();

    await fill('Model or service', 'message queue');
    await choose('Region', 'ca-central-1');
    await text('1–2 of 2');
    expect((await rows()).every((unsourced) => /unverified price.*No source/s.test(unsourced))).to.equal(true);
    await choose('Region', '');
    await choose('Evidence', 'estimated');
    await text('No price matches.');
    await press('button', 'Show all');
    await choose('Evidence', 'estimated');
    await fill('Model or service', 'gemma');
    await text('1–3 of 3');
    expect((await rows()).every((estimated) => estimated.includes('second source or old'))).to.equal(true);
    expect(problems).to.deep.equal([]);
    await page.close();
  });

  it('an earlier version of the prices is shown with its differences from the newest one', async () => {
    const { page, choose, text, expectAccessible, problems } = await open('/prices');
    // Firefox has no options in the text of a page.
    const newest = JSON.stringify(`${current}, the newest`);
    await page.waitForFunction(`[...document.querySelectorAll('option')].some(({ text }) => text === ${newest})`);
    await choose('Version of the price book', old);
    await text('Changes since this version');
    await text('1–2 of 2');
    await expectAccessible();
    expect(new URL(page.url()).hash).to.equal(`#/prices/${old}`);
    await page.goto(`${service.url}/#/prices/2026-01-01-000000000000`);
    await text('Version 2026-01-01-000000000000 of the price book does not exist.');
    for (const problem of problems) expect(problem).to.match(/^404 GET .*2026-01-01-000000000000/);
    await page.close();
  });

  it('prices are reached, searched and opened by keyboard alone', async () => {
    const { page, text } = await open(`/scenarios/${id}`);
    const keyboard = driveKeyboard(page);
    await keyboard.open(dateLink);
    await keyboard.tabTo('Model or service');
    await page.keyboard.type('nova-lite');
    await text('1–1 of 1');
    await keyboard.open('2025-11-03 (us Regions rechecked 2026-07-24)');
    await text('Portkey');
    await page.close();
  });
});
