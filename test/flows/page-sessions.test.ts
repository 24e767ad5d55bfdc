import { expect } from 'chai';
import { createAccount, password } from '../support/accounts.ts';
import { inEachBrowser, ownWindow } from '../support/browser.ts';
import { drivePage, type PageDriver } from '../support/page-driver.ts';
import { type HttpProxy, startHttpProxy } from '../support/proxy.ts';
import { createRunningScenario, createScenario } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

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
});
