import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { AppError } from '../../shared/errors.ts';
import { encodeFailure } from '../../shared/queues/job-failure.ts';
import { createAccount, password } from '../support/accounts.ts';
import { inEachBrowser } from '../support/browser.ts';
import { drivePage } from '../support/page-driver.ts';
import { startHttpProxy } from '../support/proxy.ts';
import { createScenario } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const adminEmail = 'ann@example.com';
const memberEmail = 'joe@example.com';

inEachBrowser('the administration on the page', (browser) => {
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

  it('creates, changes, disables and deletes users, and transfers what they own', async () => {
    const { headers } = await createAccount(service, adminEmail);
    const { page, press, fill, choose, heading, text, expectAccessible, problems, foreignRequests } = await openAs(
      adminEmail,
      '/admin',
    );
    await press('link', 'Admin');
    await heading('Administration');
    await text('this is you');
    await fill('E-mail address', memberEmail);
    await press('button', 'Create the user');
    await text(`The link for ${memberEmail}`);
    await text('has no password yet');
    await expectAccessible();

    const link = await page.$eval('.new-key code', (element) => element.textContent ?? '');
    const owner = await browser.openPage(link, { isApart: true });
    const member = drivePage(owner.page);
    await member.heading('Set a password');
    await member.fill('New password', password);
    await member.press('button', 'Set the password');
    await member.heading('Scenarios');
    expect(owner.page.url(), 'the token is not in the address any more').not.to.contain(link.split('/').at(-1));
    expect(await owner.page.$('::-p-aria([name="Admin"][role="link"])')).to.equal(null);
    await owner.page.goto(`${service.url}/#/admin/users`);
    await member.text(`This is for administrators, and ${memberEmail} is a member.`);
    await member.expectAccessible();

    const login = await service.request('POST', '/api/v1/auth/login', { body: { email: memberEmail, password } });
    const asMember = { Authorization: `Bearer ${login.body.access_token}` };
    const { id } = await createScenario({
      request: (method, path, options) => service.request(method, path, { ...options, headers: asMember }),
    });
    await press('button', `Transfer: ${memberEmail}`);
    await text('get another owner');
    await expectAccessible();
    await press('button', 'Transfer');
    await waitUntil('the new owner', async () => {
      const { body } = await service.request('GET', `/api/v1/scenarios/${id}`, { headers });
      return body.created_by !== login.body.user.id;
    });

    await press('button', `Make admin: ${memberEmail}`);
    await press('button', 'Make an administrator');
    await press('button', `Disable: ${memberEmail}`);
    await press('button', 'Disable');
    await text('Disabled');
    expect((await service.request('GET', '/api/v1/auth/me', { headers: asMember })).status).to.equal(401);
    await press('button', `Enable: ${memberEmail}`);
    await press('button', `Delete: ${memberEmail}`);
    await press('button', 'Delete for good');
    await page.waitForFunction(`document.querySelector('main table')?.innerText.includes('${memberEmail}') === false`);

    await press('link', 'Audit records');
    await text('User deleted');
    await choose('Change', 'USER_UPDATED');
    await page.waitForFunction("document.querySelector('main table')?.innerText.includes('User deleted') === false");
    await page.waitForFunction("location.hash.endsWith('/audit?event_type=USER_UPDATED')");
    await page.reload();
    await text('the owner of its resources');
    await page.waitForFunction("document.querySelector('main table')?.innerText.includes('User deleted') === false");
    await press('button', 'Verify all records');
    await text('records are intact');
    await expectAccessible();
    // Further than the API goes: the last page shows.
    await page.goto(`${service.url}/#/admin/audit?page=20000`);
    await page.waitForFunction("location.hash.endsWith('/audit')");
    await text('User deleted');
    expect([problems, foreignRequests]).to.deep.equal([[], []]);
    await owner.page.close();
    await page.close();
  });

  it('finds failed jobs by their request and retries them, and shows what the queues have to do', async () => {
    const { queue } = service.app.queues['delete-scenario'];
    const requestId = randomUUID();
    const jobId = randomUUID();
    await queue.add('delete scenario', { scenarioId: randomUUID(), requestId }, { jobId, delay: 3_600_000 });
    await service.app.redis.zrem(queue.toKey('delayed'), jobId);
    const reason = encodeFailure(new AppError('SERVICE_UNAVAILABLE', 'The database was unreachable.'));
    await service.app.redis.hset(queue.toKey(jobId), 'failedReason', reason);
    await service.app.redis.zadd(queue.toKey('failed'), Date.now(), jobId);

    const { page, press, fill, heading, text, expectAccessible, problems } = await openAs(adminEmail, '/admin/health');
    await heading('Administration');
    await text('removes what belongs to deleted scenarios');
    await text('Notebook backend');
    await expectAccessible();
    const dashboard = await page.$eval('main tbody a[href^="admin/queues"]', (link) => link.getAttribute('href'));
    expect(dashboard).to.equal('admin/queues/queue/append-audit-records');
    expect(await page.$('footer a[href="admin/queues"]')).not.to.equal(null);

    await press('link', 'Failed jobs');
    await text('The database was unreachable.');
    await fill('Request', randomUUID());
    await text('No failed job.');
    await fill('Request', requestId);
    await text('The database was unreachable.');
    await page.waitForFunction(`location.hash.endsWith('/jobs?request_id=${requestId}')`);
    await expectAccessible();
    await press('button', 'Retry: delete scenario');
    await text('No failed job.');
    await waitUntil('the job', async () => (await (await queue.getJob(jobId))?.getState()) === 'completed');
    expect(problems).to.deep.equal([]);
    // An address can have a queue that is no choice, and a place in the list, which has no field.
    await page.goto(`${service.url}/#/admin/jobs?queue=old&cursor=old`);
    await page.waitForFunction("document.querySelector('[name=queue]')?.value === 'old'");
    await press('button', 'Show all');
    await page.waitForFunction("location.hash.endsWith('/jobs?state=')");
    await text('delete scenario');
    expect(problems.map((problem) => problem.split('?')[0])).to.deep.equal(['400 GET /api/v1/jobs']);
    await page.close();
  });

  it('returns to a link with its filter after signing in, and leaves the filter to nobody else', async () => {
    const address = '#/admin/jobs?state=active';
    const { page } = await browser.openPage(`${service.url}/${address}`, { isApart: true });
    const { press, fill, choose, text, heading } = drivePage(page);
    await text('This needs an account.');
    await press('link', 'Register');
    await heading('Register');
    await press('link', 'Sign in');
    await heading('Sign in');
    await fill('E-mail address', adminEmail);
    await fill('Password', password);
    await press('button', 'Sign in');
    await heading('Administration');
    await page.waitForFunction(`location.hash === '${address}'`);
    await page.waitForFunction("document.querySelector('[name=state]')?.value === 'active'");

    await service.app.models.session.updateMany({}, { $set: { revokedAt: new Date() } });
    await choose('State', 'completed');
    await text('Your session has ended');
    await press('button', 'Go on signed out');
    await text('This needs an account.');
    expect(await page.evaluate('location.hash')).to.equal('#/admin/jobs');
    await page.close();
  });

  it('shows a part that is down while the service is not ready', async () => {
    const { body } = await service.request('GET', '/health/ready');
    const proxy = await startHttpProxy(service.url);
    const { page } = await openAs(adminEmail, '/admin/health', proxy.url);
    const shows = (state: string) =>
      page.waitForFunction(
        `[...document.querySelectorAll('tr')].some(({ innerText }) => /^Redis[^]*${state}/.test(innerText))`,
      );
    await shows('Up');
    const notReady = { ...body, status: 'not_ready', checks: { ...body.checks, redis: 'down' } };
    proxy.faultFor = (_method, path) =>
      path.startsWith('/health/ready') ? { status: 503, body: JSON.stringify(notReady) } : undefined;
    await shows('Down');
    await page.close();
    await proxy.stop();
  });
});
