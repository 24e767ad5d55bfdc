import { expect } from 'chai';
import { inEachBrowser } from '../support/browser.ts';
import { startHttpProxy } from '../support/proxy.ts';
import { dashboardPassword, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

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
});
