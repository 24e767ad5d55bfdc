import { expect } from 'chai';
import { createAccount, password } from '../support/accounts.ts';
import { inEachBrowser } from '../support/browser.ts';
import { drivePage } from '../support/page-driver.ts';
import { createScenario } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const adminEmail = 'ann@example.com';
const memberEmail = 'joe@example.com';

inEachBrowser('the accounts on the page', (browser) => {
  const service = startTestService();

  /** Opens the page as another person, and signs in. */
  async function openAs(email: string, path: string, url = service.url) {
    const watched = await browser.openPage(`${url}/#${path}`, { isApart: true });
    const driver = drivePage(watched.page);
    await driver.fill('E-mail address', email);
    await driver.fill('Password', password);
    await driver.press('button', 'Sign in');
    return { ...watched, ...driver };
  }

  it('creates, changes, disables and deletes accounts, and transfers what they own', async () => {
    const { headers } = await createAccount(service, adminEmail);
    const { page, press, act, fill, heading, text, expectAccessible, problems, foreignRequests } = await openAs(
      adminEmail,
      '/admin',
    );
    await press('link', 'Accounts');
    await heading('Accounts');
    await text('this is you');
    await fill('E-mail address', memberEmail);
    await press('button', 'Create the account');
    await text(`The link for ${memberEmail}`);
    await text('without a password yet');
    await expectAccessible();

    const link = await page.$eval('.new-key code', (element) => element.textContent ?? '');
    const owner = await browser.openPage(link, { isApart: true });
    const member = drivePage(owner.page);
    await member.heading('Set a password');
    await member.fill('New password', password);
    await member.press('button', 'Set the password');
    await member.heading('Scenarios');
    expect(owner.page.url(), 'the token is not in the address any more').not.to.contain(link.split('/').at(-1));
    expect(await owner.page.$('::-p-aria([name="Accounts"][role="link"])')).to.equal(null);
    await owner.page.goto(`${service.url}/#/admin`);
    await member.text('This is for administrators.');
    await member.expectAccessible();

    const login = await service.request('POST', '/api/v1/auth/login', { body: { email: memberEmail, password } });
    const asMember = { Authorization: `Bearer ${login.body.access_token}` };
    const { id } = await createScenario({
      request: (method, path, options) => service.request(method, path, { ...options, headers: asMember }),
    });
    await act('Transfer', memberEmail);
    await text('get another owner');
    await expectAccessible();
    await press('button', 'Transfer');
    await waitUntil('the new owner', async () => {
      const { body } = await service.request('GET', `/api/v1/scenarios/${id}`, { headers });
      return body.created_by !== login.body.user.id;
    });

    await act('Make admin', memberEmail);
    await press('button', 'Make admin');
    await act('Disable', memberEmail);
    await press('button', 'Disable');
    await text('Disabled');
    expect((await service.request('GET', '/api/v1/auth/me', { headers: asMember })).status).to.equal(401);
    await act('Enable', memberEmail);
    await act('Delete', memberEmail);
    await press('button', 'Delete for good');
    await page.waitForFunction(`document.querySelector('main table')?.innerText.includes('${memberEmail}') === false`);

    expect([problems, foreignRequests]).to.deep.equal([[], []]);
    await owner.page.close();
    await page.close();
  });
});
