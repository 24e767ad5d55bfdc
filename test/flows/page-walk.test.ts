import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAccount, password } from '../support/accounts.ts';
import { inEachBrowser } from '../support/browser.ts';
import { driveKeyboard } from '../support/keyboard-driver.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { drivePage } from '../support/page-driver.ts';
import { successOf } from '../support/requests.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const hostileName = '<img src=x onerror=alert(1)>';

/** Lines over 33 hours; every fiftieth has an e-mail address. */
const lines = 500;
const log = Array.from({ length: lines }, (_, index) => {
  const message = `GET /checkout/${index} 200${index % 50 === 0 ? ` by jane.doe${index}@example.com` : ''}`;
  return `${JSON.stringify({ timestamp: new Date(Date.UTC(2026, 4, 1) + index * 240_000).toISOString(), message })}\n`;
}).join('');

inEachBrowser('the page', (browser) => {
  const service = startServiceWithNotebooks();
  const folder = createTemporaryFolder();

  it('leads from a registration to a report', async () => {
    // Another account is the admin, so that the walk is that of a member.
    await createAccount(service);
    const { page, problems, foreignRequests } = await browser.openPage(`${service.url}/`, {
      downloadFolder: folder.path,
    });
    const { press, act, fill, choose, heading, text, drop, valueOf } = drivePage(page);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });

    await heading('What would your log stream cost');
    await press('link', 'Register');
    await heading('Register');
    await fill('E-mail address', 'jane@example.com');
    await fill('Password', password);
    await press('button', 'Register');
    await heading('Scenarios');
    await text('No scenarios yet.');

    const login = await service.request('POST', '/api/v1/auth/login', {
      body: { email: 'jane@example.com', password },
    });
    const headers = { Authorization: `Bearer ${login.body.access_token}` };
    const read = async (path: string) => (await successOf(service.request('GET', path, { headers }))).body;

    // A picture without a log at hand, and copies of its settings.
    await press('button', 'Try it with sample lines');
    await heading('Sample of');
    await page.waitForFunction(`document.querySelector('[data-testid="entries"]')?.innerText === '3,000'`);
    const sampleName = await page.$eval('main h1 bdi', (element) => element.textContent ?? '');
    await act('Copy', sampleName);
    await heading(`${sampleName} (copy)`);
    await text('Draft');
    await page.goBack();
    await page.waitForSelector('h1 .badge::-p-text(Running)');
    await act('Copy', sampleName);
    // The first name is taken.
    await heading(`${sampleName} (copy 2)`);
    expect(problems.splice(0)).to.deep.equal(['409 POST /api/v1/scenarios']);
    await act('Delete', `${sampleName} (copy 2)`);
    await press('button', 'Delete for good');
    await heading('Scenarios');
    const rows = (count: number) =>
      page.waitForFunction(`document.querySelectorAll('main tbody tr').length === ${count}`);
    await rows(2);
    // A search is in the address, so that a copied link opens the same.
    await page.goto(`${service.url}/#/scenarios?search=${encodeURIComponent(sampleName)}&status=draft`);
    await rows(1);
    // The longest search.
    await page.goto(`${service.url}/#/scenarios?search=${encodeURIComponent('费'.repeat(500))}`);
    await text('No scenario matches.');
    await press('button', 'Show all');
    await rows(2);
    // A scenario that somebody else creates shows by itself.
    await service.request('POST', '/api/v1/scenarios', { headers, body: { name: 'Live', region: 'eu-west-1' } });
    await text('Live');

    await page.goto(`${service.url}/#/scenarios/new`);
    await heading('New scenario');
    await fill('Name', hostileName);
    await choose('Region', 'us-east-1');
    await fill('Instruction per call (tokens, optional)', '800');
    await press('button', 'Create');
    await heading(hostileName);
    await press('button', 'Start');
    await text('Running');
    await drop('app.log', log);
    await text(`${lines} accepted, 0 rejected`);
    const first = /scenarios\/([\w-]+)/.exec(page.url())?.[1] ?? '';
    const shown = await waitUntil('the totals of all entries', async () =>
      (await valueOf('entries')) === String(lines) ? valueOf('exact-total') : undefined,
    );
    expect(shown).to.equal((await read(`/api/v1/scenarios/${first}/metrics`)).totals.cost);
    const { assumptions } = await read(`/api/v1/scenarios/${first}`);
    expect(assumptions.pipeline.inference.prompt_tokens).to.equal(800);
    expect(assumptions.function).to.deep.equal({ architecture: 'x86_64', memory_mb: 128, duration_ms: 100 });

    await page.goto(`${service.url}/#/scenarios/${first}`);
    await heading(hostileName);
    await page.waitForSelector('.plot path');
    await choose('Chart', 'levels');
    await page.waitForSelector('::-p-aria([name="Entries by level, by hour"][role="slider"])');
    await choose('Bars', 'day');
    await page.waitForSelector('::-p-aria([name="Entries by level, by day"][role="slider"])');
    // The first ten hours, by dragging over their bars, become the period of everything.
    await choose('Bars', 'hour');
    await choose('Chart', 'cost');
    await page.waitForSelector('::-p-aria([name="Cost by service, by hour"][role="slider"])');
    const plot = (await page.waitForSelector('.plot')) ?? expect.fail();
    await plot.scrollIntoView();
    const { x, y, width } = (await plot.boundingBox()) ?? expect.fail();
    const bar = (index: number) => [x + (width * (index + 0.5)) / 34, y + 50] as const;
    await page.mouse.move(...bar(0));
    await waitUntil('the values of a bar', async () => (await valueOf('pointed')).includes('Message queue'));
    await page.mouse.down();
    await page.mouse.move(...bar(9), { steps: 3 });
    await page.mouse.up();
    const period = 'from=2026-05-01T00:00:00Z&to=2026-05-01T10:00:00Z';
    const tenHours = await read(`/api/v1/scenarios/${first}/metrics?${period}`);
    await text('for these 150 entries');
    expect(await page.$eval('tfoot data', (total) => total.getAttribute('value'))).to.equal(tenHours.totals.cost);
    await page.click('tfoot button');
    await text(`${tenHours.totals.cost} USD`);
    await press('button', 'Close');
    await page.goBack();
    await text(`for these ${lines} entries`);

    await press('link', 'Scenarios');
    await heading('Scenarios');
    await press('checkbox', `Select ${hostileName}`);
    await press('checkbox', `Select ${sampleName}`);
    await press('link', 'Compare');
    await heading('Compare');
    const second = /compare\/([\w,-]+)/.exec(page.url())?.[1]?.replace(first, '').replace(',', '') ?? '';
    const { items } = await read(`/api/v1/scenarios/compare?ids=${first},${second}`);
    for (const { name, cost } of items) {
      await text(name);
      await text(`$${Number(cost.total).toFixed(2)}`);
    }
    await text('cheapest');

    await page.goto(`${service.url}/#/scenarios/${first}/reports?${period}`);
    await heading(hostileName);
    await text('No reports yet.');
    await press('button', 'Create the report');
    await press('button', `Download ${hostileName} as PDF`);
    const { items: reports } = await read('/api/v1/reports');
    expect(reports[0]).to.include({ from: '2026-05-01T00:00:00.000Z', to: '2026-05-01T10:00:00.000Z' });
    const file = await waitUntil('the downloaded file', async () => {
      const [name] = (await readdir(folder.path)).filter((candidate) => candidate.endsWith('.pdf'));
      const bytes = name === undefined ? undefined : await readFile(join(folder.path, name));
      // Firefox has an empty file of this name until the download has ended.
      return bytes?.length === reports[0].size_bytes ? bytes : undefined;
    });
    expect(createHash('sha256').update(file).digest('hex')).to.equal(reports[0].sha256);

    await page.goto(`${service.url}/#/notebooks`);
    await heading('Notebooks');
    await press('button', 'New notebook');
    await fill('Title', 'Field notes');
    await press('button', 'Create');
    await text('Field notes');
    await page.goto(`${service.url}/#/account`);
    await act('Rotate', 'Notebooks in the page');
    await press('button', 'Rotate');
    await text('The key Notebooks in the page');
    await act('Revoke', 'Notebooks in the page');
    await press('button', 'Revoke');
    await text('No API keys yet.');
    // Only administrators can use it.
    expect(await page.$('footer a[href="admin/queues"]')).to.equal(null);

    await page.goto(`${service.url}/#/scenarios/${second}`);
    await heading(sampleName);
    await act('Stop', sampleName);
    await press('button', 'Stop for good');
    await text('Completed');
    await page.goto(`${service.url}/#/scenarios`);
    await press('checkbox', `Select ${sampleName}`);
    await act('Archive', 'the selected scenarios');
    await press('button', 'Archive');
    await page.waitForFunction("!document.querySelector('tbody')?.innerText.includes('Completed')");
    await press('button', 'Sign out');
    await heading('What would your log stream cost');
    // The session of the other login has ended, too.
    expect((await service.request('GET', '/api/v1/auth/me', { headers })).status).to.equal(401);
    await page.reload();
    await heading('What would your log stream cost');

    expect(dialogs).to.deep.equal([]);
    expect(await page.$$('img[src="x"]')).to.have.length(0);
    expect(problems).to.deep.equal([]);
    expect(foreignRequests).to.deep.equal([]);
  });

  it('leads from a registration to a report by keyboard alone', async () => {
    const { page, problems } = await browser.openPage(`${service.url}/`);
    const { heading: showsHeading, text } = drivePage(page);
    const { keyboard } = page;
    const { focused, tabTo, open, hear } = driveKeyboard(page);

    /** The heading of a new view has the focus, so that the next Tab leads into the view. */
    async function heading(name: string): Promise<void> {
      await showsHeading(name);
      await page.waitForFunction("document.activeElement.matches('h1')");
    }

    await showsHeading('What would your log stream cost');
    await keyboard.press('Tab');
    expect((await focused()).name).to.equal('Skip to the content');
    await keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('content');
    await open('Register');
    await heading('Register');
    await tabTo('E-mail address');
    await keyboard.type('kim@example.com');
    await tabTo('Password');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await heading('Scenarios');

    await open('New scenario');
    await heading('New scenario');
    await text('Queue, function and free tier');
    await open('Create');
    await text('Enter a name.');
    // The first field with an error has the focus.
    await page.waitForFunction("document.activeElement.name === 'name'");
    await keyboard.type('By keyboard');
    await tabTo('Region');
    await keyboard.type('US East (Ohio)');
    await keyboard.press('Enter');
    await open('Create');
    await heading('By keyboard');
    await open('Start');
    // The next thing to do has the focus.
    await text('Drop a log file');
    await page.waitForFunction("document.activeElement.innerText === 'Choose a file'");
    const file = join(folder.path, 'app.log');
    const hour = 3_600_000;
    const line = (index: number) =>
      JSON.stringify({
        timestamp: new Date(Date.UTC(2026, 4, 1) + (index * hour) / 4).toISOString(),
        message: 'GET /',
      });
    await writeFile(file, Array.from({ length: 20 }, (_, index) => line(index)).join('\n'));
    const pressEnter = async () => {
      // Keys reach the page by another way than commands. A response shows that the choosers are
      // caught by now.
      await page.evaluate('0');
      await keyboard.press('Enter');
    };
    const [chooser] = await Promise.all([page.waitForFileChooser(), pressEnter()]);
    await chooser.accept([file]);
    await text('20 accepted, 0 rejected');
    await page.waitForFunction(`document.querySelector('[data-testid="entries"]')?.innerText === '20'`);

    await open('what it costs');
    await page.waitForFunction("document.activeElement.matches('h1')");
    await text('Cost by service');
    await tabTo('Cost by service, by hour');
    const said = () => page.$eval('.plot', (plot) => plot.getAttribute('aria-valuetext'));
    await keyboard.press('ArrowLeft');
    await page.waitForFunction("document.querySelector('.plot')?.getAttribute('aria-valuenow') === '4'");
    expect(await said()).to.match(/^1 May 2026, 04:00: \$0\.\d+\. Message queue: \$/);
    // Shift chooses the last two hours, and Enter shows them alone.
    await keyboard.down('Shift');
    await keyboard.press('ArrowLeft');
    await keyboard.up('Shift');
    await keyboard.press('Enter');
    const shows = (entries: number) => text(`for these ${entries} entries`);
    await shows(8);
    expect((await focused()).name).to.equal('Cost by service, by hour');
    await hear('The period is now 1 May 2026, 03:00');
    await tabTo('Period');
    await tabTo('From (UTC)');
    await keyboard.type('050120260100A');
    await keyboard.press('Enter');
    await shows(16);
    expect((await focused()).name).to.equal('From (UTC)');
    await tabTo('Period');
    await keyboard.type('All entries');
    await keyboard.press('Enter');
    await page.waitForFunction("!document.querySelector('.own-bounds')");
    await shows(20);
    await tabTo('Bars');
    await keyboard.type('By day');
    await keyboard.press('Enter');
    await page.waitForSelector('::-p-aria([name="Cost by service, by day"][role="slider"])');

    const total = await page.$eval('tfoot button', (button) => button.getAttribute('aria-label') ?? '');
    await open(total);
    await text('Exact total');
    await keyboard.press('Escape');
    await page.waitForFunction("!document.querySelector('dialog')");
    expect((await focused()).name).to.equal(total);
    await open('Design');
    await open('Queue');
    // The settings follow their part.
    await tabTo('Messages of one send');
    await tabTo('Pollers');
    await keyboard.press('Backspace');
    await keyboard.type('0');
    await open('Save to the scenario');
    await hear('The design is saved. All costs of the scenario follow it.');
    await open('Reports');
    await text('No reports yet.');
    await tabTo('Title (optional)');
    await keyboard.type('For the one who pays');
    await keyboard.press('Enter');
    await page.waitForSelector('::-p-aria(Download For the one who pays as PDF)');
    await tabTo('Download For the one who pays as PDF');

    // A question keeps the focus, and returns it when it is closed.
    await open('Actions: For the one who pays');
    await open('Delete: For the one who pays');
    await text('Delete this report?');
    const hasFocus = () => page.evaluate('document.hasFocus()');
    // Behind the last stop is the frame of the browser, from which the focus comes back.
    for (let stop = 0; stop < 6 || (stop < 20 && !(await hasFocus())); stop += 1) {
      await keyboard.press('Tab');
      const isInside =
        "document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)";
      expect(await page.evaluate(isInside)).to.equal(true);
    }
    await keyboard.press('Escape');
    await page.waitForFunction("!document.querySelector('dialog')");
    expect((await focused()).name).to.equal('Actions: For the one who pays');

    await open('Scenarios');
    await heading('Scenarios');
    await tabTo('Select By keyboard');
    await keyboard.press(' ');
    await hear('1 selected');
    await open('Sign out');
    await heading('What would your log stream cost');
    // One refusal: the name was missing.
    expect(problems).to.deep.equal(['400 POST /api/v1/scenarios']);
  });
});
