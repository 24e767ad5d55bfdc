import { expect } from 'chai';
import { inEachBrowser } from '../support/browser.ts';
import { drivePage, type PageDriver } from '../support/page-driver.ts';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Entries of 3 lines each, in two hours. */
const traces = Array.from({ length: 40 }, (_, index) => {
  const time = `2026-03-05 ${index < 20 ? '10' : '11'}:00:00,120`;
  return `${time} ERROR [main] order ${index} of jane.doe@example.com failed\r\n\tat com.example.Shop.pay\r\nGrüße\r\n`;
}).join('');

inEachBrowser('a log file that is dropped on the page', (browser) => {
  const service = startTestService();

  async function open(): Promise<{ id: string; driver: PageDriver }> {
    const { id } = await createRunningScenario(service);
    const { page } = await browser.openPage(`${service.url}/#/scenarios/${id}/send`);
    return { id, driver: drivePage(page) };
  }

  async function hoursOf(id: string, entries: number): Promise<number[]> {
    const { timeseries } = await waitUntil('all entries', async () => {
      const metrics = await getMetrics(service, id, '?interval=hour');
      return metrics.totals.logs === entries ? metrics : undefined;
    });
    return timeseries.map(({ logs }: { logs: number }) => logs);
  }

  it('counts each stack trace once, in its hour, and opens the overview on its period', async () => {
    const { id, driver } = await open();
    const { page, press, drop, text, valueOf } = driver;
    await drop('app.log', traces);
    await text('40 accepted, 0 rejected');
    await text('All 40 entries have a time of their own.');
    expect(await hoursOf(id, 40)).to.deep.equal([20, 20]);
    // The same file again would count twice.
    await drop('app.log', traces);
    await text('Send this file again?');
    await press('button', 'Cancel');
    await press('link', 'what it costs');
    await text('Cost by service');
    expect(await valueOf('period')).to.match(/^5 Mar 2026, \d\d:00\D+\d\d:00$/);
    expect(await valueOf('entries')).to.equal('40');
    await page.close();
  });

  it('counts each line where the box is not checked, continued lines at the time before them', async () => {
    const { id, driver } = await open();
    const { page, press, drop, text } = driver;
    await press('checkbox', 'Count a message of several lines, such as a stack trace, as one entry');
    await drop('app.log', traces);
    await text('120 accepted, 0 rejected');
    await text(
      '40 of 120 entries have a time of their own; the others have that of the entry before them, or of arrival.',
    );
    expect(await hoursOf(id, 120)).to.deep.equal([60, 60]);
    await page.close();
  });

  it('has its times in the zone that is chosen, UTC at first', async () => {
    const { id, driver } = await open();
    const { page, drop, choose, text, press, expectAccessible } = driver;
    await drop('utc.log', '2026-03-05 10:00:00 INFO one\n');
    await text('1 accepted, 0 rejected');
    await choose('Time zone of the lines', 'America/New_York');
    await expectAccessible();
    await press('checkbox', 'Count a message of several lines, such as a stack trace, as one entry');
    await drop('local.log', '2026-03-05 10:00:00 INFO two\n2026-03-05 11:00:00 INFO three\n');
    await text('2 accepted, 0 rejected');
    // New York is five hours behind UTC in March, before the clocks change.
    expect(await hoursOf(id, 3)).to.deep.equal([1, 0, 0, 0, 0, 1, 1]);
    await page.close();
  });

  it('is cut into requests where an entry begins', async () => {
    const { id, driver } = await open();
    const { page, drop, text } = driver;
    // A request is 1 MiB, and an entry 3 KB.
    const entry = `2026-03-05 10:00:00 ERROR failed\n${'x'.repeat(1_500)}\n\tat y${'y'.repeat(1_500)}\n`;
    await drop('app.log', entry.repeat(500));
    await text('500 accepted, 0 rejected');
    await text('All 500 entries have a time of their own.');
    expect(await hoursOf(id, 500)).to.deep.equal([500]);
    await page.close();
  });

  it('is decoded from UTF-16, whether it is text or JSON', async () => {
    const { id, driver } = await open();
    const { page, drop, text } = driver;
    await drop('text.log', Buffer.from(`\ufeff${traces}`, 'utf16le'));
    await text('40 accepted, 0 rejected');
    expect(await hoursOf(id, 40)).to.deep.equal([20, 20]);
    expect((await getMetrics(service, id)).totals.pii.email).to.equal(40);
    await drop('lines.ndjson', Buffer.from('{"message":"Grüße"}\n{"message":"b"}\n', 'utf16le').swap16());
    await text('2 accepted, 0 rejected');
    await drop('list.json', Buffer.from('\ufeff[{"message":"Grüße"},\n{"message":"b"},{"message":"c"}]', 'utf16le'));
    await text('3 accepted, 0 rejected');
    await page.close();
  });
});
