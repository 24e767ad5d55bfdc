import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { password } from '../support/accounts.ts';
import { inEachBrowser } from '../support/browser.ts';
import { driveKeyboard } from '../support/keyboard-driver.ts';
import { drivePage } from '../support/page-driver.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startTestService } from '../support/test-service.ts';

inEachBrowser('the page, by keyboard alone', (browser) => {
  const service = startTestService();
  const folder = createTemporaryFolder();

  it('leads from a registration to a report', async () => {
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
    await keyboard.type('jane@example.com');
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
