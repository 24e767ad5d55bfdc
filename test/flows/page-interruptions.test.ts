import { expect } from 'chai';
import { createAccount, password } from '../support/accounts.ts';
import { inEachBrowser, ownWindow } from '../support/browser.ts';
import { isLongForm } from '../support/long-form.ts';
import { drivePage, type PageDriver } from '../support/page-driver.ts';
import { type HttpProxy, startHttpProxy } from '../support/proxy.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

inEachBrowser('the page, when something is in the way', (browser) => {
  // Streams check the session of their caller every ten seconds, which a test would wait for.
  const service = startTestService();
  let proxy: HttpProxy;
  before(async () => {
    proxy = await startHttpProxy(service.url);
  });
  after(() => proxy.stop());

  async function openSignedIn(): Promise<PageDriver> {
    const { email } = await createAccount(service);
    const { page } = await browser.openPage(`${proxy.url}/`, { isApart: true });
    const driver = drivePage(page);
    await driver.press('link', 'Sign in');
    await driver.fill('E-mail address', email);
    await driver.fill('Password', password);
    await driver.press('button', 'Sign in');
    await driver.heading('Scenarios');
    return driver;
  }

  async function startScenario(name: string): Promise<string> {
    const { body } = await service.request('POST', '/api/v1/scenarios', { body: { name, region: 'eu-west-1' } });
    await service.request('POST', `/api/v1/scenarios/${body.id}/start`);
    return body.id;
  }

  it('says that the service is away, keeps what was typed, and goes on by itself', async () => {
    const { page, fill, press, act, text, heading, valueOf } = await openSignedIn();
    const id = await startScenario('Interrupted');
    await page.goto(`${proxy.url}/#/scenarios/${id}`);
    await heading('Interrupted');
    await text('Live');
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

    // The stream goes on, too.
    await text('Live');
    await service.request('POST', `/ingest/${id}`, {
      headers: { 'Content-Type': 'text/plain' },
      body: 'one line\n',
    });
    await waitUntil('the entry', async () => (await valueOf('entries')) === '1');
    await page.close();
  });

  it('asks to sign in when the session has ended, and returns to what was typed', async () => {
    const { page, fill, press, text, heading } = await openSignedIn();
    await press('link', 'New scenario');
    await heading('New scenario');
    await fill('Name', 'Typed before the end of the session');
    await service.app.models.session.updateMany({}, { $set: { revokedAt: new Date() } });
    await press('button', 'Create');
    await text('Your session has ended');
    expect(await page.evaluate("document.querySelector('[name=name]').value")).to.equal(
      'Typed before the end of the session',
    );
    await fill('Password', 'a wrong password');
    await page.keyboard.press('Enter');
    await text('The e-mail address or the password is wrong.');
    await fill('Password', password);
    await page.keyboard.press('Enter');
    await page.waitForFunction("!document.querySelector('dialog')");
    await press('button', 'Create');
    await heading('Typed before the end of the session');
    await page.close();
  });

  it('sends a file to its end, each line once, over lost responses and refusals', async () => {
    const { page, drop, text, heading, valueOf } = await openSignedIn();
    const id = await startScenario('Lost responses');
    await page.goto(`${proxy.url}/#/scenarios/${id}/send`);
    await heading('Lost responses');
    const faults = ['reset after work', { status: 503, headers: { 'Retry-After': '1' } }] as const;
    const remaining = [...faults];
    const isOfEntries = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.startsWith('/ingest/');
    proxy.received.length = 0;
    proxy.faultFor = (method, path) => (isOfEntries({ method, path }) ? remaining.shift() : undefined);
    // More than one request: more than a mebibyte, where a line counts at least 64 bytes.
    const [lines, width] = isLongForm ? [20_000, 0] : [2_500, 500];
    const large = Array.from({ length: lines }, (_, line) => `${`line ${line} of a log`.padEnd(width, '.')}\n`);
    const count = lines.toLocaleString('en-US');
    await drop('large.log', large.join(''));
    await text(`${count} accepted, 0 rejected`);
    await text('Everything is sent.');
    await waitUntil('the totals', async () => (await valueOf('entries')) === count);
    expect(proxy.received.filter(isOfEntries)).to.have.length.above(faults.length + 1);
    expect(remaining).to.deep.equal([]);
    proxy.faultFor = () => undefined;

    await drop('empty.log', '\n\n');
    await text('empty.log has no lines.');
    await drop('array.json', JSON.stringify([{ message: 'one' }, { message: 'two' }], null, 2));
    await text('2 accepted, 0 rejected');
    await drop('broken.ndjson', '{"message":"good"}\n{"message":\n');
    await text('1 accepted, 1 rejected');
    await page.close();
  });

  it('sends a file on while another part of the scenario is shown', async () => {
    const { page, press, drop, text, heading } = await openSignedIn();
    const id = await startScenario('Another part');
    await page.goto(`${proxy.url}/#/scenarios/${id}/send`);
    await heading('Another part');
    let isHeld = true;
    proxy.faultFor = (method, path) =>
      isHeld && method === 'POST' && path.startsWith('/ingest/')
        ? { status: 503, headers: { 'Retry-After': '1' } }
        : undefined;
    await drop('app.log', 'one line\nanother line\n');
    await text('waiting for Meterbook to take more');
    await press('link', 'Overview');
    await text('No entries yet.');
    isHeld = false;
    await text('Cost by service');
    await press('link', 'Send');
    await text('2 accepted, 0 rejected');
    await text('Everything is sent.');
    proxy.faultFor = () => undefined;
    await page.close();
  });

  it('does not take a file that cannot be read to its end for a sent one', async () => {
    const { page, press, text, heading } = await openSignedIn();
    const id = await startScenario('Cut off');
    await page.goto(`${proxy.url}/#/scenarios/${id}/send`);
    await heading('Cut off');
    await page.waitForSelector('.drop button:not(:disabled)');
    // A compressed file without its end.
    await page.evaluate(`(async () => {
      const lines = Array.from({ length: 25_000 }, (_, line) => 'line ' + line + ' ' + crypto.randomUUID() + '\\n');
      const compressed = new Blob(lines).stream().pipeThrough(new CompressionStream('gzip'));
      const blob = await new Response(compressed).blob();
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([blob.slice(0, blob.size / 2)], 'cut-off.log.gz'));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await text('cut-off.log.gz cannot be read to its end.');
    await press('button', 'Continue');
    await text('cut-off.log.gz cannot be read to its end.');
    expect(await page.evaluate('document.body.innerText')).not.to.include('Everything is sent.');
    await page.close();
  });

  it('asks to sign in again in every window, also where only a poll notices the end of the session', async () => {
    const id = await startScenario('Watched');
    const watching = await openSignedIn();
    await watching.page.goto(`${proxy.url}/#/scenarios/${id}`);
    await watching.heading('Watched');
    await watching.text('Live');
    const typing = drivePage(await watching.page.browserContext().newPage(ownWindow));
    await typing.page.goto(`${proxy.url}/#/scenarios/new`);
    await typing.heading('New scenario');
    await typing.fill('Name', 'Typed in another window');
    await service.app.models.session.updateMany({}, { $set: { revokedAt: new Date() } });

    await watching.text('Your session has ended');
    await typing.press('button', 'Create');
    await typing.text('Your session has ended');
    await typing.fill('Password', password);
    await typing.page.keyboard.press('Enter');
    await typing.page.waitForFunction("!document.querySelector('dialog')");
    await typing.press('button', 'Create');
    await typing.heading('Typed in another window');
    await typing.page.close();
    await watching.page.close();
  });

  it('repeats no request of one account for another', async () => {
    const first = await openSignedIn();
    await first.press('link', 'New scenario');
    await first.heading('New scenario');
    await first.fill('Name', 'Of the first account');
    // Another account signs in, in another window, which ends the session of the first one.
    const { email } = await createAccount(service);
    const second = drivePage(await first.page.browserContext().newPage(ownWindow));
    await second.page.goto(`${proxy.url}/#/sign-in`);
    await second.heading('Sign in');
    await second.fill('E-mail address', email);
    await second.fill('Password', password);
    await second.page.keyboard.press('Enter');
    await second.heading('Scenarios');

    const isCreation = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === '/api/v1/scenarios';
    const creations = () => proxy.received.filter(isCreation).length;
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

  it('leaves the scenario when somebody deletes it', async () => {
    const { page, text, heading } = await openSignedIn();
    const id = await startScenario('Soon gone');
    await page.goto(`${proxy.url}/#/scenarios/${id}`);
    await heading('Soon gone');
    await text('Live');
    await service.request('DELETE', `/api/v1/scenarios/${id}`);
    await heading('No such scenario');
    await page.close();
  });

  it('asks the question that was opened, also when somebody else changes the scenario', async () => {
    const { page, press, act, text, heading } = await openSignedIn();
    const id = await startScenario('Stopped by another');
    await page.goto(`${proxy.url}/#/scenarios/${id}`);
    await heading('Stopped by another');
    await text('Live');
    await act('Stop', 'Stopped by another');
    await text('Stop this scenario?');
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    await page.waitForSelector('h1 .badge::-p-text(Completed)');
    expect(await page.$eval('dialog h2', (element) => element.textContent)).to.equal('Stop this scenario?');
    await press('button', 'Stop for good');
    await text('to stop it, it must be running');
    const { body } = await service.request('GET', `/api/v1/scenarios/${id}`);
    expect(body.status).to.equal('completed');
    await page.close();
  });

  it('keeps no session where its cookie is missing', async () => {
    const { page } = await openSignedIn();
    await page.deleteCookie(...(await page.cookies()));
    await page.reload();
    await page.waitForSelector('::-p-aria([name="Sign in"][role="link"])');
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).to.equal('{}');
    await page.close();
  });
});
