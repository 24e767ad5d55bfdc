import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { day } from '../../shared/durations.ts';
import { type Account, bearer, createAccount, createApiKey, password } from '../support/accounts.ts';
import { expectError, successOf } from '../support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const users = '/api/v1/users';
const auth = '/api/v1/auth';
const newPassword = 'a new long password';

/** Sends requests of one account. */
const sendAs =
  (service: TestService, account: Account) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, path, { headers: { ...account.headers, ...headers }, body });

describe('/api/v1/users', () => {
  const service = startTestService({ workers: false, environment: { REGISTRATION: 'closed' } });
  let admin: Account;
  const asAdmin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    sendAs(service, admin)(method, path, body, headers);
  const reset = (token: unknown, sent: unknown = newPassword, headers: Record<string, string> = {}) =>
    service.request('POST', `${auth}/password-reset`, { body: { token, password: sent }, headers });
  const login = (email: string, sent: string) =>
    service.request('POST', `${auth}/login`, { body: { email, password: sent } });
  const me = (headers: Record<string, string>) => service.request('GET', `${auth}/me`, { headers });
  const newEmail = () => `${randomUUID()}@example.com`;
  const createUser = async (body: object = {}) =>
    (await successOf(asAdmin('POST', users, { email: newEmail(), ...body }))).body as {
      id: string;
      email: string;
      password_link: { token: string; expires_at: string };
    };
  before(async () => {
    admin = await createAccount(service);
  });

  it('creates an account without a password, and a link to set it', async () => {
    const email = newEmail();
    const response = await asAdmin('POST', users, { email: ` ${email}` });
    expect(response.status, response.text).to.equal(201);
    expect(response.body).to.include({ email, role: 'member', disabled: false, has_password: false });
    const { id, password_link: link } = response.body;
    expect(response.headers.get('Location')).to.equal(`${users}/${id}`);
    expect(Date.parse(link.expires_at)).to.be.closeTo(Date.now() + 3 * day, 60_000);
    const stored = await service.app.models.user.findById(id).lean();
    expect(stored?.passwordLink?.hash).to.match(/^[\da-f]{64}$/);
    expect(JSON.stringify(stored)).not.to.contain(link.token);
    expectError(await login(email, ''), 400, 'VALIDATION_ERROR');
    expectError(await login(email, newPassword), 401, 'AUTH_ERROR');

    const set = await reset(link.token);
    expect(set.status, set.text).to.equal(200);
    expect((await me(bearer(set.body.access_token))).body.id).to.equal(id);
    expect((await login(email, newPassword)).status).to.equal(200);
    const shown = await asAdmin('GET', `${users}/${id}`);
    expect(shown.body).to.include({ id, has_password: true });
    expect(shown.body).not.to.have.property('password_link');
    const tag = { 'If-None-Match': shown.headers.get('ETag') ?? '' };
    expect((await asAdmin('GET', `${users}/${id}`, undefined, tag)).status).to.equal(304);
  });

  it('lists accounts in pages', async () => {
    await createUser();
    const first = await asAdmin('GET', `${users}?page_size=1`);
    const second = await asAdmin('GET', `${users}?page=2&page_size=1`);
    expect(first.body.total).to.be.greaterThan(1);
    expect(first.body.items[0].id).to.equal(admin.user.id);
    expect(second.body.items[0].id).not.to.equal(admin.user.id);
    expect(JSON.stringify(first.body)).not.to.match(/hash/i);
  });

  it('responds with 404 for an unknown id, and 400 for a malformed one', async () => {
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', { role: 'member' }],
      ['DELETE', ''],
      ['POST', '/password-link'],
      ['POST', '/transfer', { to: admin.user.id }],
    ] as const) {
      expectError(await asAdmin(method, `${users}/${randomUUID()}${suffix}`, body), 404, 'NOT_FOUND');
      expectError(await asAdmin(method, `${users}/x${suffix}`, body), 400, 'VALIDATION_ERROR', ['id']);
    }
  });

  it('refuses to transfer what an account owns to nobody, to itself and to a disabled account', async () => {
    const { id } = await createUser();
    const { id: disabled } = await createUser();
    await asAdmin('PATCH', `${users}/${disabled}`, { disabled: true });
    const transfer = (body: object) => asAdmin('POST', `${users}/${id}/transfer`, body);
    for (const to of [randomUUID(), id, disabled, 'x', null, { $ne: '' }, undefined]) {
      expectError(await transfer({ to }), 400, 'VALIDATION_ERROR', ['to']);
    }
    expectError(await transfer({ to: admin.user.id, all: true }), 400, 'VALIDATION_ERROR', ['all']);
  });

  it('applies a new role to the next request of open sessions and of keys', async () => {
    const member = await createAccount(service);
    expect((await asAdmin('PATCH', `${users}/${member.user.id}`, { role: 'admin' })).body.role).to.equal('admin');
    expect((await sendAs(service, member)('GET', users)).status).to.equal(200);
    const { key } = await createApiKey(service, member, { scopes: ['admin'] });
    const withKey = () => service.request('GET', '/api/v1/scenarios', { headers: { 'X-API-Key': key } });
    expect((await withKey()).status).to.equal(200);
    await asAdmin('PATCH', `${users}/${member.user.id}`, { role: 'member' });
    expectError(await sendAs(service, member)('GET', users), 403, 'FORBIDDEN');
    expectError(await withKey(), 403, 'FORBIDDEN');
  });

  describe('with disabled accounts', () => {
    it('ends sessions and keys at once, and does not revive them', async () => {
      const member = await createAccount(service);
      const { key } = await createApiKey(service, member);
      const headers = [member.headers, { 'X-API-Key': key }];
      const read = (sent: Record<string, string>) => service.request('GET', '/api/v1/scenarios', { headers: sent });
      for (const sent of headers) expect((await read(sent)).status).to.equal(200);
      const path = `${users}/${member.user.id}`;
      expect((await asAdmin('PATCH', path, { disabled: true })).body.disabled).to.equal(true);
      const refresh = () =>
        service.request('POST', `${auth}/refresh`, { body: { refresh_token: member.refreshToken } });
      for (const sent of headers) expectError(await read(sent), 401, 'AUTH_ERROR');
      expectError(await refresh(), 401, 'AUTH_ERROR');
      expectError(await login(member.email, password), 401, 'AUTH_ERROR');

      expect((await asAdmin('PATCH', path, { disabled: false })).body.disabled).to.equal(false);
      for (const sent of headers) expectError(await read(sent), 401, 'AUTH_ERROR');
      expectError(await refresh(), 401, 'AUTH_ERROR');
      expect((await login(member.email, password)).status).to.equal(200);
    });

    it('accepts and creates no link', async () => {
      const { id, password_link: link } = await createUser();
      await asAdmin('PATCH', `${users}/${id}`, { disabled: true });
      expectError(await reset(link.token), 401, 'AUTH_ERROR');
      expectError(await asAdmin('POST', `${users}/${id}/password-link`), 409, 'CONFLICT');
    });

    it("refuses to disable or delete the caller's own account", async () => {
      const other = await createAccount(service);
      await asAdmin('PATCH', `${users}/${other.user.id}`, { role: 'admin' });
      expectError(await asAdmin('PATCH', `${users}/${admin.user.id}`, { disabled: true }), 409, 'CONFLICT');
      expectError(await asAdmin('DELETE', `${users}/${admin.user.id}`), 409, 'CONFLICT');
      expect((await me(admin.headers)).status).to.equal(200);
      await asAdmin('PATCH', `${users}/${other.user.id}`, { role: 'member' });
    });
  });

  it('ends sessions, keys and links, and frees the e-mail address', async () => {
    const member = await createAccount(service);
    const { key } = await createApiKey(service, member);
    const response = await asAdmin('DELETE', `${users}/${member.user.id}`);
    expect([response.status, response.text]).to.deep.equal([204, '']);
    for (const sent of [member.headers, { 'X-API-Key': key }]) {
      expectError(await service.request('GET', '/api/v1/scenarios', { headers: sent }), 401, 'AUTH_ERROR');
    }
    expectError(await login(member.email, password), 401, 'AUTH_ERROR');
    expectError(await asAdmin('GET', `${users}/${member.user.id}`), 404, 'NOT_FOUND');
    expectError(await asAdmin('DELETE', `${users}/${member.user.id}`), 404, 'NOT_FOUND');
    expect(await service.app.models.apiKey.countDocuments({ ownerId: member.user.id })).to.equal(0);
    expect((await createUser({ email: member.email })).email).to.equal(member.email);
  });

  describe('with password links', () => {
    it('accepts a token once, also of concurrent requests', async () => {
      const { email, password_link: link } = await createUser();
      const responses = await Promise.all([1, 2].map((number) => reset(link.token, `the password number ${number}`)));
      expect(responses.map(({ status }) => status)).to.have.members([200, 401]);
      expectError(await reset(link.token), 401, 'AUTH_ERROR');
      const winner = responses.findIndex(({ status }) => status === 200) + 1;
      expect((await login(email, `the password number ${winner}`)).status).to.equal(200);
    });

    it('refuses expired and garbled tokens', async () => {
      const { id, password_link: link } = await createUser();
      const garbled = `${link.token.slice(0, -1)}${link.token.endsWith('A') ? 'E' : 'A'}`;
      const refused = [await reset(garbled), await reset('x'), await reset(`${link.token}\u00e9`)];
      await service.app.models.user.updateOne(
        { _id: id },
        { $set: { 'passwordLink.expiresAt': new Date(Date.now() - 1) } },
      );
      refused.push(await reset(link.token));
      for (const response of refused) {
        expectError(response, 401, 'AUTH_ERROR');
        expect(response.body.error.message).to.equal(refused[0]?.body.error.message);
      }
    });

    it('replaces the earlier link; the password stays until the new one is used, which ends all sessions', async () => {
      const member = await createAccount(service);
      const path = `${users}/${member.user.id}/password-link`;
      const [first, second] = [await asAdmin('POST', path), await asAdmin('POST', path)];
      expect([first.status, second.status]).to.deep.equal([201, 201]);
      expectError(await reset(first.body.token), 401, 'AUTH_ERROR');
      expect((await login(member.email, password)).status).to.equal(200);
      expect((await reset(second.body.token)).status).to.equal(200);
      expectError(await me(member.headers), 401, 'AUTH_ERROR');
      expectError(await login(member.email, password), 401, 'AUTH_ERROR');
      expect((await login(member.email, newPassword)).status).to.equal(200);
    });

    it('ends with a change of the password by its owner', async () => {
      const member = await createAccount(service);
      const link = await asAdmin('POST', `${users}/${member.user.id}/password-link`);
      const body = { current_password: password, new_password: newPassword };
      expect((await sendAs(service, member)('POST', `${auth}/password`, body)).status).to.equal(200);
      expectError(await reset(link.body.token, password), 401, 'AUTH_ERROR');
    });
  });

  it('the last admin is not replaced by an admin that is disabled or has no password', async () => {
    const other = await createAccount(service);
    const patch = (id: string, body: object) => asAdmin('PATCH', `${users}/${id}`, body);
    expect((await patch(other.user.id, { role: 'admin' })).status).to.equal(200);
    await patch(other.user.id, { disabled: true });
    await createUser({ role: 'admin' });
    expectError(await patch(admin.user.id, { role: 'member' }), 409, 'CONFLICT');
  });
});
