import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { parseSetCookie } from 'cookie';
import { type Account, bearer, createAccount, password } from '../support/accounts.ts';
import { expectError } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

const path = '/api/v1/auth/browser-session';
const ownPage = { 'X-Requested-With': 'meterbook' };
const corsOrigin = 'https://app.example.com';
const thirtyDays = 2_592_000;

describe('the session of a page in a browser', () => {
  const service = startTestService({
    workers: false,
    environment: { TRUST_PROXY: '1', CORS_ORIGINS: corsOrigin },
  });
  type Headers = Record<string, string>;

  const open = ({ email }: Account, headers: Headers = {}) =>
    service.request('POST', path, { body: { email, password }, headers: { ...ownPage, ...headers } });
  const refresh = (cookie: string | null, headers: Headers = {}) =>
    service.request('POST', `${path}/refresh`, { headers: { ...ownPage, ...sent(cookie), ...headers } });
  const end = (cookie: string | null, query = '', headers: Headers = {}) =>
    service.request('DELETE', path + query, { headers: { ...ownPage, ...sent(cookie), ...headers } });
  const me = (token: string) => service.request('GET', '/api/v1/auth/me', { headers: bearer(token) });
  const sent = (cookie: string | null): Headers => (cookie === null ? {} : { Cookie: cookie });

  /** The cookies that a browser sends after the response. */
  function cookieIn(response: TestResponse): string {
    expect(response.status, response.text).to.be.oneOf([200, 201]);
    const { name, value } = setCookieIn(response);
    return `${name}=${value}`;
  }

  function setCookieIn({ headers }: TestResponse) {
    const [only = '', ...rest] = headers.getSetCookie();
    expect(rest).to.deep.equal([]);
    return parseSetCookie(only);
  }

  function expectRemoval(response: TestResponse): void {
    const { value, maxAge, path: cookiePath } = setCookieIn(response);
    expect({ value, maxAge, cookiePath }).to.deep.equal({ value: '', maxAge: 0, cookiePath: '/' });
  }

  function expectEnded(response: TestResponse): void {
    expectError(response, 401, 'AUTH_ERROR');
    expectRemoval(response);
  }

  let account: Account;
  before(async () => {
    account = await createAccount(service);
  });
  const port = () => new URL(service.url).port;

  it('has its refresh token in a cookie that scripts cannot read, and not in the body', async () => {
    const response = await open(account);
    expect(response.status, response.text).to.equal(201);
    expect(Object.keys(response.body)).to.deep.equal(['access_token', 'token_type', 'expires_in', 'user']);
    expect(response.body).to.include({ token_type: 'Bearer', expires_in: 900 });
    expect(response.body.user).to.include({ id: account.user.id, email: account.email });
    expect((await me(response.body.access_token)).status).to.equal(200);
    const { value = '', ...attributes } = setCookieIn(response);
    expect(attributes).to.deep.equal({
      name: `meterbook-session-${port()}`,
      maxAge: thirtyDays,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
    });
    expect(response.text).not.to.contain(value);
    const again = setCookieIn(await refresh(`${attributes.name}=${value}`));
    expect(again).to.deep.include(attributes);
    expect(again.value).not.to.equal(value);
  });

  it('has a cookie of this host over HTTPS only, if a trusted proxy received the request by HTTPS', async () => {
    const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'meterbook.example.com' };
    const { value, ...attributes } = setCookieIn(await open(account, proxied));
    expect(attributes).to.deep.equal({
      name: '__Host-meterbook-session',
      maxAge: thirtyDays,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure: true,
    });
    const cookie = `${attributes.name}=${value}`;
    expectEnded(await refresh(cookie));
    const next = cookieIn(await refresh(cookie, proxied));
    const ended = await end(next, '', proxied);
    expect(ended.status).to.equal(204);
    expectRemoval(ended);
    expect(ended.headers.get('Set-Cookie')).to.match(/^__Host-meterbook-session=;.*Secure/);
  });

  it('has a cookie for each port of a host', async () => {
    const at = (host: string) => ({ 'X-Forwarded-Host': host });
    const one = cookieIn(await open(account, at('localhost:3000')));
    const other = cookieIn(await open(account, { ...at('localhost:3001'), ...sent(one) }));
    expect(one).to.match(/^meterbook-session-3000=/);
    expect(other).to.match(/^meterbook-session-3001=/);
    for (const host of ['localhost:3000', 'localhost:3001']) {
      expect(cookieIn(await refresh(`theme=dark; ${one}; ${other}`, at(host)))).to.contain(host.slice(-4));
    }
    expect(cookieIn(await open(account, at('[::1]')))).to.match(/^meterbook-session=/);
    expect(cookieIn(await open(account, at('[::1]:3000')))).to.match(/^meterbook-session-3000=/);
  });

  it('ends when a new login replaces its cookie, and not when a login fails', async () => {
    const first = await open(account);
    const body = { email: account.email, password: 'wrong' };
    const wrong = await service.request('POST', path, { body, headers: { ...ownPage, ...sent(cookieIn(first)) } });
    expectError(wrong, 401, 'AUTH_ERROR');
    expect(wrong.headers.getSetCookie()).to.deep.equal([]);
    expect((await me(first.body.access_token)).status).to.equal(200);
    const second = await open(account, sent(cookieIn(first)));
    expectError(await me(first.body.access_token), 401, 'AUTH_ERROR');
    expect((await me(second.body.access_token)).status).to.equal(200);
  });

  it('is not refreshed without a valid cookie', async () => {
    const name = `meterbook-session-${port()}`;
    const expired = cookieIn(await open(account));
    for (const cookie of [
      null,
      'theme=dark',
      `${name}=`,
      `${name}=x.y.z`,
      `${name}=%E0%A4%A`,
      `${name}="`,
      `${name}=${account.accessToken}`,
      `${expired}x`,
      expired.replace(name, 'meterbook-session'),
    ]) {
      expectEnded(await refresh(cookie));
    }
    const tooLong = await refresh(expired, { 'Idempotency-Key': 'x'.repeat(256) });
    expectError(tooLong, 400, 'VALIDATION_ERROR', ['Idempotency-Key']);
    expect((await refresh(expired)).status).to.equal(200);
  });

  describe('at logout', () => {
    it('a session ends at logout, and the others of the account stay', async () => {
      const [one, other] = [await open(account), await open(account)];
      const ended = await end(cookieIn(one));
      expect([ended.status, ended.text]).to.deep.equal([204, '']);
      expectRemoval(ended);
      expectError(await me(one.body.access_token), 401, 'AUTH_ERROR');
      expect((await me(other.body.access_token)).status).to.equal(200);
      expectEnded(await refresh(cookieIn(one)));
    });

    it('all sessions of an account end at once, and other accounts are not affected', async () => {
      const owner = await createAccount(service);
      const [one, other, stranger] = [await open(owner), await open(owner), await open(account)];
      const ended = await end(cookieIn(one), '?everywhere=true');
      expect(ended.status, ended.text).to.equal(204);
      expectRemoval(ended);
      for (const token of [one.body.access_token, other.body.access_token, owner.accessToken]) {
        expectError(await me(token), 401, 'AUTH_ERROR');
      }
      expectEnded(await refresh(cookieIn(other)));
      expect((await me(stranger.body.access_token)).status).to.equal(200);
    });

    it('a cookie that was used before ends only its own session', async () => {
      const [one, other] = [await open(account), await open(account)];
      const used = cookieIn(one);
      const next = await refresh(used);
      expectEnded(await end(used, '?everywhere=true'));
      expectError(await me(next.body.access_token), 401, 'AUTH_ERROR');
      expect((await me(other.body.access_token)).status).to.equal(200);
      expectEnded(await end(cookieIn(next), '?everywhere=true'));
      expect((await me(other.body.access_token)).status).to.equal(200);
    });

    it('removes the cookie also if there is no session', async () => {
      const closed = cookieIn(await open(account));
      await end(closed);
      for (const cookie of [null, `meterbook-session-${port()}=x`, closed]) {
        const response = await end(cookie);
        expect(response.status, response.text).to.equal(204);
        expectRemoval(response);
        expectEnded(await end(cookie, '?everywhere=true'));
      }
    });
  });

  describe('with an Idempotency-Key', () => {
    const once = () => ({ 'Idempotency-Key': randomUUID() });

    it('survives lost responses of a refresh that is repeated with its key', async () => {
      const cookie = cookieIn(await open(account));
      const key = once();
      const first = await refresh(cookie, key);
      const second = await refresh(cookie, key);
      const third = await refresh(cookie, key);
      expect(new Set([first, second, third].map(cookieIn)).size).to.equal(3);
      expect((await me(third.body.access_token)).status).to.equal(200);
      // The browser stored the cookie, but the page did not get the body.
      const fourth = await refresh(cookieIn(third), key);
      expect((await me(fourth.body.access_token)).status).to.equal(200);
      expect((await refresh(cookieIn(fourth), once())).status).to.equal(200);
    });

    it('ends at the use of an old cookie with another key, without a key, or after a later refresh', async () => {
      for (const later of [{}, once()]) {
        const cookie = cookieIn(await open(account));
        await refresh(cookie, once());
        expectEnded(await refresh(cookie, later));
      }
      for (const withKey of [true, false]) {
        const [cookie, key] = [cookieIn(await open(account)), once()];
        const next = cookieIn(await refresh(cookie, key));
        const last = cookieIn(await refresh(next, withKey ? key : {}));
        expectEnded(await refresh(cookie, key));
        expectEnded(await refresh(last, key));
      }
    });

    it('is refreshed by one of several concurrent requests at a time', async () => {
      const [cookie, key] = [cookieIn(await open(account)), once()];
      const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(cookie, key)));
      expect(responses.map(({ status }) => status)).to.include(200);
      for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 409, 'CONFLICT');
      expect((await refresh(cookie, key)).status).to.equal(200);
    });
  });

  it('is protected against forged requests', async () => {
    const opened = await open(account);
    const expectRefusals = async (method: string, to: string) => {
      const body = to === path && method === 'POST' ? { body: { email: account.email, password } } : {};
      const send = (headers: Headers) =>
        service.request(method, to, { ...body, headers: { Cookie: cookieIn(opened), ...headers } });
      const withoutHeader = [{}, { 'X-Requested-With': '' }, { 'X-Requested-With': 'XMLHttpRequest' }];
      const sites = ['cross-site', 'same-site', 'none', 'same-origin, cross-site'];
      const fromElsewhere = sites.map((site) => ({ ...ownPage, 'Sec-Fetch-Site': site, Origin: corsOrigin }));
      for (const headers of withoutHeader) {
        const response = await send(headers);
        expectError(response, 400, 'VALIDATION_ERROR', ['X-Requested-With']);
        expect(response.headers.getSetCookie()).to.deep.equal([]);
      }
      for (const headers of fromElsewhere) {
        const response = await send(headers);
        expectError(response, 403, 'FORBIDDEN');
        expect([...response.headers.keys()].join()).not.to.match(/set-cookie|access-control/);
      }
      // The router does not distinguish upper and lower case.
      for (const address of [to, to.toUpperCase()]) {
        const headers = { Origin: corsOrigin, 'Access-Control-Request-Method': method };
        const preflight = await service.request('OPTIONS', address, { headers });
        expect([...preflight.headers.keys()].join()).not.to.contain('access-control');
      }
      expect((await me(opened.body.access_token)).status, 'the session is still open').to.equal(200);
    };
    await expectRefusals('POST', path);
    await expectRefusals('POST', `${path}/refresh`);
    await expectRefusals('DELETE', path);
    await expectRefusals('DELETE', `${path}?everywhere=true`);
    const own = await open(account, { 'Sec-Fetch-Site': 'same-origin', Origin: service.url });
    expect((await refresh(cookieIn(own), { 'Sec-Fetch-Site': 'same-origin' })).status).to.equal(200);
  });
});
