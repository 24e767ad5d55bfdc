import { expect } from 'chai';
import { type Page } from 'puppeteer-core';
import { inEachBrowser } from '../support/browser.ts';
import { drivePage } from '../support/page-driver.ts';
import { startHttpProxy } from '../support/proxy.ts';
import { createRunningScenario, ingest, successOf } from '../support/requests.ts';
import { dashboardPassword, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Three hours with 100 entries each, one a second; the first three are errors. */
const entries = [0, 1, 2].flatMap((hour) =>
  Array.from({ length: 100 }, (_, second) => ({
    message: `GET /checkout/${second} 200`,
    level: second < 3 ? 'error' : 'info',
    timestamp: new Date(Date.UTC(2026, 2, 5, 10 + hour, 0, second)).toISOString(),
  })),
);

inEachBrowser('the pages of the service', (browser) => {
  const service = startTestService();

  it('work behind a path prefix, with nothing outside of it, and the documentation calls the API', async () => {
    const proxy = await startHttpProxy(service.url, '/meterbook');
    try {
      const { page, problems, foreignRequests } = await browser.openPage(`${proxy.url}/docs`);
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      const operation = '#operations-price-book-listRegions';
      await (await page.waitForSelector(`${operation} button.opblock-summary-control`))?.click();
      await (await page.waitForSelector(`${operation} .try-out__btn`))?.click();
      await (await page.waitForSelector(`${operation} .execute`))?.click();
      await page.waitForSelector(`${operation} .live-responses-table .response-col_status ::-p-text(200)`);
      const shown = (await page.evaluate('document.body.innerText')) as string;
      expect(shown).to.contain(`${proxy.url}/api/v1/regions`).and.to.contain('"eu-west-1"');
      await page.goto(`${proxy.url}/#/scenarios/new`);
      await page.waitForSelector('select[name="region"]');
      // Firefox also reports a font of its own, a `data:` URL.
      const outside = addresses.filter((address) => /^(http|ws)/.test(address) && !address.startsWith(`${proxy.url}/`));
      expect([outside, problems, foreignRequests]).to.deep.equal([[], [], []]);
    } finally {
      await proxy.stop();
    }
  });

  it('the dashboard shows a failed job with its log, and retries it, without requests to other hosts', async () => {
    const { queue } = service.app.queues['delete-scenario'];
    const attempts = async () => (await queue.getJobLogs('mistake')).logs.length;
    await queue.add('delete a mistake', { scenarioId: 'a mistake' }, { jobId: 'mistake', attempts: 3 });
    await waitUntil('the failed job', async () => (await queue.getFailedCount()) === 1);

    const url = service.url.replace('://', `://admin:${encodeURIComponent(dashboardPassword)}@`);
    const { page, problems, foreignRequests } = await browser.openPage(`${url}/admin/queues/`);
    const shows = (text: string) =>
      waitUntil(text, async () => String(await page.evaluate('document.body.innerText')).includes(text));
    for (const name of Object.keys(service.app.queues).filter((key) => key !== 'close')) await shows(name);
    // Bull Board cannot fetch its texts from an address with credentials.
    await page.goto(`${service.url}/admin/queues/queue/delete-scenario/mistake?status=failed`);
    const click = async (selector: string) => (await page.waitForSelector(selector, { visible: true }))?.click();
    await shows('INTERNAL_ERROR: The job has a malformed payload.\n    at parsePayload (');
    for (const [tab, text] of [
      ['Data', 'scenarioId:"a mistake"'],
      ['Logs', 'attempt 1 of 3 failed after '],
    ] as const) {
      await click(`[role=tab] ::-p-text(${tab})`);
      await shows(text);
    }
    await click('button:has(.lucide-pencil)');
    await page.waitForSelector('.cm-content ::-p-text(a mistake)', { visible: true });
    // Without its styles, the editor has its line numbers above its text.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.cm-scroller')).display`)).to.equal('flex');
    await click('[data-open] button ::-p-text(Close)');
    await page.waitForSelector('[role=dialog], [role=alertdialog]', { hidden: true });
    await click('button:has(.lucide-refresh-cw)');
    await click('[data-open] button ::-p-text(Confirm)');
    await waitUntil('the retry', async () => (await attempts()) === 2);
    // Firefox also reports the refusal to which it responds with the credentials. The worker of the
    // editor, not the page, uses what the page preloads.
    const known = /^(?:warn: The resource \S+ was preloaded|401 GET )/;
    expect(problems.filter((problem) => !known.test(problem))).to.deep.equal([]);
    expect(foreignRequests).to.deep.equal([]);
  });

  describe('the design of a pipeline', () => {
    async function open(assumptions = {}) {
      const { id, name } = await createRunningScenario(service, { region: 'us-east-1', assumptions });
      expect((await ingest(service, id, entries)).status).to.equal(200);
      const watched = await browser.openPage(`${service.url}/#/scenarios/${id}/design`);
      await watched.page.waitForSelector('.pipeline');
      return { id, name, ...watched, ...drivePage(watched.page) };
    }

    const compare = async (id: string, body = {}) =>
      (await successOf(service.request('POST', `/api/v1/scenarios/${id}/designs`, { body }))).body;

    /** The cost of a month of a pipeline, and of the design that the page shows. */
    const costOf = async (id: string, pipeline: object): Promise<string> =>
      (await compare(id, { designs: [{ name: 'one', assumptions: { pipeline } }] })).items[0].month.total;
    const showsCost = (page: Page, total: string) =>
      page.waitForFunction(`document.querySelector('.big-line data')?.value === ${JSON.stringify(total)}`);
    const openBox = (page: Page, box: string) => page.click(`[data-box="${box}"]`);
    const textOf = (page: Page, selector: string) =>
      page.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText.replace(/\s+/g, ' '));

    it('the page names the cheapest standard design and its cost, shows each change at once, and saves a design', async () => {
      const { id, page, press, fill, text, valueOf, problems } = await open();
      const { items, present, cheapest } = await compare(id);
      expect(cheapest).to.equal('errors only, 50 a call');
      await showsCost(page, present.month.total);
      const usd = (amount: string) => `$${Number(amount).toFixed(2)}`;
      const best = await textOf(page, 'tr:has(.badge.good)');
      expect(best).to.contain('Errors only, 50 per call cheapest').and.to.contain(usd(items[4].month.total));
      expect(await page.$$('.designs tbody tr'), 'the scenario, and the standard designs that differ').to.have.length(
        5,
      );
      // The part that decides the cost comes first.
      expect(await page.$$eval('.what-if b', (parts) => parts.map((part) => part.textContent))).to.deep.equal([
        'Output of the model',
        'Input of the model',
        'Function',
        'Queue',
      ]);
      await fill('Output per entry', '200');
      const { items: longer } = await compare(id, {
        designs: [{ name: 'longer', assumptions: { inference: { output_tokens_per_entry: 200 } } }],
      });
      await showsCost(page, longer[0].month.total);
      await press('button', 'Undo the changes');
      await showsCost(page, present.month.total);

      await openBox(page, 'function');
      await fill('Messages of one invocation', '50');
      await text('Window must be at least 1 where one invocation takes more than 10 messages.');
      await text('This is not possible: open Function to see why.');
      await fill('Window', '60');
      await openBox(page, 'model');
      await fill('Entries of one call', '50');
      await fill('Instruction', '5000');
      await press('checkbox', 'Cache the instruction');
      await fill('Output of one call', '300');
      await openBox(page, 'filter');
      await press('checkbox', 'Info');
      await showsCost(
        page,
        await costOf(id, {
          levels: ['trace', 'debug', 'warn', 'error', 'fatal', 'other', 'none'],
          function: { batch_size: 50, window_seconds: 60 },
          inference: { entries_per_call: 50, prompt_tokens: 5_000, cache_prompt: true, output_tokens_per_call: 300 },
        }),
      );
      expect(await textOf(page, '[data-box="filter"]')).to.contain('9 messages');

      await press('button', 'Try 50 per call');
      // A copied address opens the tried design.
      await page.reload();
      await showsCost(page, items[2].month.total);
      await press('button', 'Save to the scenario');
      await text('The design is saved. All costs of the scenario follow it.');
      const saved = await service.request('GET', `/api/v1/scenarios/${id}`);
      expect(saved.body.assumptions.pipeline.function).to.include({ batch_size: 50, window_seconds: 5 });
      await waitUntil(
        'the totals of the saved design',
        async () => (await valueOf('exact-total')) === items[2].cost.total,
      );

      await openBox(page, 'log');
      await fill('Entries per month', '1000000');
      const { present: ofVolume } = await compare(id, { volume: { entries_per_month: 1_000_000 } });
      await showsCost(page, ofVolume.month.total);
      await page.goto(`${service.url}/#/scenarios/${id}/design?from=2026-03-07`);
      await page.waitForFunction("document.querySelector('[data-box=log]')?.innerText.includes('0 entries')");
      // The refused design is asked for again when the totals change.
      expect([...new Set(problems)]).to.deep.equal([`400 POST /api/v1/scenarios/${id}/designs`]);
      await page.close();
    });

    it('a design that its scenario cannot have any more is saved as a copy of the scenario', async () => {
      const { id, name, page, press, text, heading, problems } = await open({ queue: { type: 'fifo' } });
      await press('button', 'Try 50 per call');
      const { items } = await compare(id);
      await showsCost(page, items[2].month.total);
      await press('button', 'Save to the scenario');
      await text('Create a copy with this design, and send it the log.');
      await press('button', 'Create a copy with this design');
      await heading(`${name} (copy)`);
      const copyId = /scenarios\/([\w-]+)/.exec(page.url())?.[1] ?? '';
      const { body: copy } = await service.request('GET', `/api/v1/scenarios/${copyId}`);
      expect(copy).to.deep.include({ status: 'draft', region: 'us-east-1', assumptions: items[2].assumptions });
      expect((await service.request('GET', `/api/v1/scenarios/${id}`)).body.assumptions).to.deep.equal({
        queue: { type: 'fifo' },
      });
      expect(problems).to.deep.equal([`409 PUT /api/v1/scenarios/${id}`]);
      await page.close();
    });
  });
});
