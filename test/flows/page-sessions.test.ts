import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAccount, password } from '../support/accounts.ts';
import { inEachBrowser, ownWindow } from '../support/browser.ts';
import { isLongForm } from '../support/long-form.ts';
import { drivePage, type PageDriver } from '../support/page-driver.ts';
import { type HttpProxy, startHttpProxy } from '../support/proxy.ts';
import { createRunningScenario, createScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Entries of 3 lines each, in two hours. */
const traces = Array.from({ length: 40 }, (_, index) => {
  const time = `2026-03-05 ${index < 20 ? '10' : '11'}:00:00,120`;
  return `${time} ERROR [main] order ${index} of jane.doe@example.com failed\r\n\tat com.example.Shop.pay\r\nGrüße\r\n`;
}).join('');
const joinLines = 'Count a message of several lines, such as a stack trace, as one entry';

inEachBrowser('the page beside other people, windows and failures', (browser) => {
  const service = startTestService();
  let proxy: HttpProxy;
  before(async () => {
    proxy = await startHttpProxy(service.url);
  });
  after(() => proxy.stop());

  /** Opens the page at a path, as another person. */
  async function openSignedIn(path: string, email?: string): Promise<PageDriver> {
    const account = email ?? (await createAccount(service)).email;
    const { page } = await browser.openPage(`${proxy.url}/#/account`, { isApart: true });
    const driver = drivePage(page);
    await signIn(driver, account);
    await page.goto(`${proxy.url}/#${path}`);
    return driver;
  }

  async function signIn({ page, fill, press }: PageDriver, email: string): Promise<void> {
    await fill('E-mail address', email);
    await fill('Password', password);
    await press('button', 'Sign in');
    // The heading is there before, above the form.
    await page.waitForSelector('::-p-aria([name="Sign out"][role="button"])');
  }

  it('says that the service is unreachable, keeps what was typed, and goes on by itself', async () => {
    const { id } = await createRunningScenario(service, { name: 'Interrupted' });
    const { page, fill, press, act, text, heading, valueOf } = await openSignedIn(`/scenarios/${id}`);
    await heading('Interrupted');
    await act('Edit', 'Interrupted');
    await fill('Description', 'typed before the interruption');
    await proxy.stop();
    await text('Meterbook is unreachable.');
    await press('button', 'Save');
    await text('Nothing was changed; try again.');
    await proxy.start();
    await page.waitForFunction("!document.body.innerText.includes('Meterbook is unreachable. What is shown')");
    await press('button', 'Save');
    await page.waitForFunction("!document.querySelector('dialog')");
    await text('typed before the interruption');
    // The totals go on moving, too.
    const body = 'one line\n';
    await service.request('POST', `/ingest/${id}`, { headers: { 'Content-Type': 'text/plain' }, body });
    await waitUntil('the entry', async () => (await valueOf('entries')) === '1');
    await page.close();
  });

  it('asks to sign in again in every window when the session has ended, and returns to what was typed', async () => {
    const { id } = await createRunningScenario(service, { name: 'Watched' });
    const watching = await openSignedIn(`/scenarios/${id}`);
    await watching.text('No entries yet.');
    const typing = drivePage(await watching.page.browserContext().newPage(ownWindow));
    await typing.page.goto(`${proxy.url}/#/scenarios/new`);
    await typing.heading('New scenario');
    await typing.fill('Name', 'Typed before the end of the session');
    await service.app.models.session.updateMany({}, { $set: { revokedAt: new Date() } });
    // A poll notices it.
    await watching.text('Your session has ended');
    await typing.press('button', 'Create');
    await typing.text('Your session has ended');
    for (const [typed, shows] of [
      ['a wrong password', "document.body.innerText.includes('The e-mail address or the password is wrong.')"],
      [password, "!document.querySelector('dialog')"],
    ] as const) {
      await typing.fill('Password', typed);
      await typing.page.keyboard.press('Enter');
      await typing.page.waitForFunction(shows);
    }
    await typing.press('button', 'Create');
    await typing.heading('Typed before the end of the session');
    await typing.page.close();
    await watching.page.close();
  });

  it('repeats no request of one account for another', async () => {
    const first = await openSignedIn('/scenarios/new');
    await first.fill('Name', 'Of the first account');
    // Another account signs in, in another window, which ends the session of the first one.
    const { email } = await createAccount(service);
    const second = drivePage(await first.page.browserContext().newPage(ownWindow));
    await second.page.goto(`${proxy.url}/#/sign-in`);
    await second.fill('E-mail address', email);
    await second.fill('Password', password);
    await second.page.keyboard.press('Enter');
    await second.heading('Scenarios');
    const creations = () =>
      proxy.received.filter(({ method, path }) => method === 'POST' && path === '/api/v1/scenarios').length;
    const before = creations();
    await first.press('button', 'Create');
    await first.text(email);
    await first.page.goto(`${proxy.url}/#/scenarios/new`);
    await first.fill('Name', 'Of the second account');
    await first.press('button', 'Create');
    await first.heading('Of the second account');
    // The first one was refused, because its session had ended.
    expect(creations() - before).to.equal(2);
    await second.page.close();
    await first.page.close();
  });

  it('asks the question that was opened when somebody else stops the scenario, and leaves a deleted one', async () => {
    const { id } = await createRunningScenario(service, { name: 'Shared' });
    const { page, press, act, text, heading } = await openSignedIn(`/scenarios/${id}`);
    await act('Stop', 'Shared');
    await text('Stop this scenario?');
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    await page.waitForSelector('h1 .badge::-p-text(Completed)');
    expect(await page.$eval('dialog h2', (element) => element.textContent)).to.equal('Stop this scenario?');
    await press('button', 'Stop for good');
    await text('to stop it, it must be running');
    await service.request('DELETE', `/api/v1/scenarios/${id}`);
    await heading('No such scenario');
    await page.close();
  });

  it('creates, changes, disables and deletes accounts for an admin, and transfers what they own', async () => {
    await service.app.models.user.deleteMany({});
    const { email: adminEmail, headers } = await createAccount(service);
    const memberEmail = 'joe@example.com';
    const { page, press, act, fill, text } = await openSignedIn('/admin', adminEmail);
    await text('this is you');
    await fill('E-mail address', memberEmail);
    await press('button', 'Create the account');
    await text(`The link for ${memberEmail}`);
    await text('without a password yet');
    const link = await page.$eval('.new-secret code', (element) => element.textContent ?? '');
    const { page: memberPage } = await browser.openPage(link, { isApart: true });
    const member = drivePage(memberPage);
    await member.heading('Set a password');
    await member.fill('New password', password);
    await member.press('button', 'Set the password');
    await member.heading('Scenarios');
    expect(memberPage.url(), 'the token is not in the address any more').not.to.contain(link.split('/').at(-1));
    await memberPage.goto(`${proxy.url}/#/admin`);
    await member.text('This is for administrators.');
    await memberPage.close();

    const { body: session } = await service.request('POST', '/api/v1/auth/login', {
      body: { email: memberEmail, password },
    });
    const asMember = { Authorization: `Bearer ${session.access_token}` };
    const { id } = await createScenario({
      request: (method, path, options) => service.request(method, path, { ...options, headers: asMember }),
    });
    await act('Transfer', memberEmail);
    await press('button', 'Transfer');
    await waitUntil('the new owner', async () => {
      const { body } = await service.request('GET', `/api/v1/scenarios/${id}`, { headers });
      return body.created_by !== session.user.id;
    });
    await act('Make admin', memberEmail);
    await press('button', 'Make admin');
    await act('Disable', memberEmail);
    await press('button', 'Disable');
    await text('Disabled');
    expect((await service.request('GET', '/api/v1/auth/me', { headers: asMember })).status).to.equal(401);
    await act('Enable', memberEmail);
    // The menu of an account that is enabled has one action more above "Delete".
    await page.waitForFunction("!document.querySelector('main table').innerText.includes('Disabled')");
    await act('Delete', memberEmail);
    await press('button', 'Delete for good');
    await page.waitForFunction(`document.querySelector('main table')?.innerText.includes('${memberEmail}') === false`);
    await page.close();
  });

  describe('a log file that is dropped on it', () => {
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
      // Requests of 1 MiB, cut where an entry begins, which has 3 KB: more than one of them.
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
});
