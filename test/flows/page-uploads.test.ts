import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { inEachBrowser } from '../support/browser.ts';
import { isLongForm } from '../support/long-form.ts';
import { drivePage } from '../support/page-driver.ts';
import { type HttpProxy, startHttpProxy } from '../support/proxy.ts';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Entries of 3 lines each, in two hours. */
const traces = Array.from({ length: 40 }, (_, index) => {
  const time = `2026-03-05 ${index < 20 ? '10' : '11'}:00:00,120`;
  return `${time} ERROR [main] order ${index} of jane.doe@example.com failed\r\n\tat com.example.Shop.pay\r\nGrüße\r\n`;
}).join('');
const joinLines = 'Count a message of several lines, such as a stack trace, as one entry';

inEachBrowser('a log file that is dropped on the page', (browser) => {
  const service = startTestService();
  let proxy: HttpProxy;
  before(async () => {
    proxy = await startHttpProxy(service.url);
  });
  after(() => proxy.stop());

  async function open() {
    const { id } = await createRunningScenario(service);
    const { page } = await browser.openPage(`${proxy.url}/#/scenarios/${id}/send`);
    return { id, ...drivePage(page) };
  }

  async function hoursOf(id: string, entries: number): Promise<number[]> {
    const { timeseries } = await waitUntil('all entries', async () => {
      const metrics = await getMetrics(service, id, '?interval=hour');
      return metrics.totals.logs === entries ? metrics : undefined;
    });
    return timeseries.map(({ logs }: { logs: number }) => logs);
  }

  it('counts each stack trace once, in its hour, and leads to the overview of its period', async () => {
    const { id, page, press, drop, text, valueOf } = await open();
    await drop('app.log', traces);
    await text('40 accepted, 0 rejected');
    await text('All 40 entries have a time of their own.');
    await drop('app.log', traces);
    await text('Send this file again?');
    await press('button', 'Cancel');
    expect(await hoursOf(id, 40)).to.deep.equal([20, 20]);
    await press('link', 'what it costs');
    await text('Cost by service');
    expect(await valueOf('period')).to.match(/^5 Mar 2026, 10:00\D+12:00 UTC$/);
    expect(await valueOf('entries')).to.equal('40');
    await page.close();
  });

  it('counts each line where the box is not checked, in the zone that is chosen', async () => {
    const { id, page, press, drop, choose, text } = await open();
    await press('checkbox', joinLines);
    await drop('app.log', traces);
    await text('120 accepted, 0 rejected');
    await text(
      '40 of 120 entries have a time of their own; the others have that of the entry before them, or of arrival.',
    );
    expect(await hoursOf(id, 120)).to.deep.equal([60, 60]);
    await choose('Time zone of the lines', 'America/New_York');
    await drop('local.log', '2026-03-05 08:00:00 INFO two\n');
    await text('1 accepted, 0 rejected');
    // New York is five hours behind UTC in March, before the clocks change.
    expect(await hoursOf(id, 121)).to.deep.equal([60, 60, 0, 1]);
    await page.close();
  });

  it('is sent to its end, each entry once, over lost responses and refusals, also beside another part', async () => {
    const { id, page, press, drop, text, valueOf } = await open();
    const isOfEntries = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.startsWith('/ingest/');
    let isRefused = true;
    // A browser repeats a request itself, once, where its connection was used before.
    const faults: ('reset after work' | undefined)[] = Array(3).fill('reset after work');
    proxy.faultFor = (method, path) => {
      if (!isOfEntries({ method, path })) return undefined;
      return isRefused ? { status: 503, headers: { 'Retry-After': '1' } } : faults.shift();
    };
    // More than one request, which are cut where an entry begins: a request is 1 MiB, an entry 3 KB.
    const count = isLongForm ? 5_000 : 500;
    const entry = `2026-03-05 10:00:00 ERROR failed\n${'x'.repeat(1_500)}\n\tat y${'y'.repeat(1_500)}\n`;
    await drop('large.log', entry.repeat(count));
    await text('waiting for Meterbook to take more');
    await press('link', 'Overview');
    await text('No entries yet.');
    isRefused = false;
    await text('Cost by service');
    await press('link', 'Send');
    await text(`${count.toLocaleString('en-US')} accepted, 0 rejected`);
    await text('Everything is sent.');
    expect(await hoursOf(id, count)).to.deep.equal([count]);
    await waitUntil('the totals', async () => (await valueOf('entries')) === count.toLocaleString('en-US'));
    expect(faults).to.deep.equal([]);
    proxy.faultFor = () => undefined;
    await page.close();
  });

  it('is read in each of its forms, or refused with the reason', async () => {
    const { id, page, press, drop, text } = await open();
    for (const [name, content, shows] of [
      ['empty.log', '\n\n', 'empty.log has no lines.'],
      ['array.json', JSON.stringify([{ message: 'one' }, { message: 'two' }], null, 2), '2 accepted, 0 rejected'],
      ['broken.ndjson', '{"message":"good"}\n{"message":\n', '1 accepted, 1 rejected'],
      ['text.log', Buffer.from(`\ufeff${traces}`, 'utf16le'), '40 accepted, 0 rejected'],
      [
        'lines.ndjson',
        Buffer.from('{"message":"Grüße"}\n{"message":"b"}\n{"message":"c"}\n{"message":"d"}\n', 'utf16le').swap16(),
        '4 accepted, 0 rejected',
      ],
      [
        'list.json',
        Buffer.from('\ufeff[{"message":"Grüße"},\n{"message":"b"},{"message":"c"}]', 'utf16le'),
        '3 accepted, 0 rejected',
      ],
      ['packed.log.gz', gzipSync('one\ntwo\nthree\nfour\nfive\n'), '5 accepted, 0 rejected'],
    ] as const) {
      await drop(name, content);
      await text(shows);
    }
    const { totals } = await waitUntil('all entries', async () => {
      const metrics = await getMetrics(service, id);
      return metrics.totals.logs === 55 ? metrics : undefined;
    });
    expect(totals.pii.email).to.equal(40);

    // A compressed file without its end is no sent one.
    const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} ${Math.sin(line)}\n`).join('');
    const packed = gzipSync(lines);
    await drop('cut-off.log.gz', packed.subarray(0, packed.length / 2));
    await text('cut-off.log.gz cannot be read to its end.');
    await press('button', 'Continue');
    await text('cut-off.log.gz cannot be read to its end.');
    expect(await page.evaluate('document.body.innerText')).not.to.include('Everything is sent.');
    await page.close();
  });
});
