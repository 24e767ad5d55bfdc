import { expect } from 'chai';
import { openSession } from '../../api/accounts/auth.store.ts';
import { createTokens } from '../../api/accounts/tokens.ts';
import { type Account, bearer, createAccount, password, register } from '../support/accounts.ts';
import { captureLog } from '../support/capture-log.ts';
import { expectError } from '../support/requests.ts';
import { sendRequest, startTestService, type TestResponse, withApp } from '../support/test-service.ts';

const auth = '/api/v1/auth';

describe('accounts', () => {
  const service = startTestService({ workers: false, environment: { TRUST_PROXY: '1' } });
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request('POST', auth + path, { body, headers });
  const login = (email: string, sent: string) => post('/login', { email, password: sent });
  const me = (headers: Record<string, string>) => service.request('GET', `${auth}/me`, { headers });
  let admin: Account;

  it('concurrent first registrations create exactly one admin, unless they ask to be a member', async () => {
    const early = await post('/register', { email: 'early@example.com', password, role: 'member' });
    expect([early.status, early.body.user.role]).to.deep.equal([201, 'member']);
    const accounts = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((number) => register(service, { address: `192.0.2.${number}` })),
    );
    const admins = accounts.filter(({ user }) => user.role === 'admin');
    expect(admins).to.have.length(1);
    admin = admins[0]!;
    expect(accounts.filter(({ user }) => user.role === 'member')).to.have.length(5);
    expect((await register(service)).user.role).to.equal('member');
    expect(await service.app.models.user.countDocuments({ role: 'admin' })).to.equal(1);
  });

  it('accounts are created with tokens; neither the password nor its hash is returned', async () => {
    const email = 'Some.One@Example.com';
    const response = await post('/register', { email: ` ${email} `, password });
    expect(response.status).to.equal(201);
    expect(response.body).to.include({ token_type: 'Bearer', expires_in: 900, refresh_expires_in: 2_592_000 });
    expect(response.body.user).to.include({ email, role: 'member' });
    expect(Object.keys(response.body.user)).to.have.members(['id', 'email', 'role', 'created_at', 'updated_at']);
    const stored = await service.app.models.user.findById(response.body.user.id).lean();
    expect(stored?.passwordHash).to.match(/^\$2b\$/);
    const session = await service.app.models.session.findOne({ userId: response.body.user.id }).lean();
    expect(session?.refreshHash).to.match(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(session)).not.to.contain(response.body.refresh_token);
  });

  it('accounts are unique by e-mail address, regardless of its case', async () => {
    const { email } = await register(service);
    const response = await post('/register', { email: email.toUpperCase(), password });
    expectError(response, 409, 'CONFLICT', ['email']);
    const race = await Promise.all([1, 2].map(() => post('/register', { email: 'race@example.com', password })));
    expect(race.map(({ status }) => status)).to.have.members([201, 409]);
  });

  it('passwords have 10 to 72 bytes; a longer one is not truncated', async () => {
    for (const sent of ['x'.repeat(10), 'é'.repeat(36)]) {
      const email = `${sent.length}@example.com`;
      expect((await post('/register', { email, password: sent })).status).to.equal(201);
      expect((await login(email, sent)).status).to.equal(200);
      expectError(await login(email, `${sent}x`), 401, 'AUTH_ERROR');
    }
  });

  it('an account logs in with its e-mail address and password', async () => {
    const { email, user } = await createAccount(service);
    const response = await login(` ${email.toUpperCase()}`, password);
    expect(response.status).to.equal(200);
    const shown = await me(bearer(response.body.access_token));
    expect(shown.body).to.include({ id: user.id, email, role: 'member' });
    const tag = shown.headers.get('ETag') ?? '';
    expect((await me({ ...bearer(response.body.access_token), 'If-None-Match': tag })).status).to.equal(304);
  });

  it('an unknown address and a wrong password get the same response', async () => {
    const { email } = await createAccount(service);
    const responses = [await login(email, 'not the password'), await login('nobody@example.com', 'not the password')];
    for (const response of responses) expectError(response, 401, 'AUTH_ERROR');
    expect(responses[0]?.body.error).to.deep.equal(responses[1]?.body.error);
  });

  describe('with sessions', () => {
    const refresh = (token: string) => post('/refresh', { refresh_token: token });

    it('a session is refreshed once per token; a second use of a token ends it', async () => {
      const { refreshToken, headers } = await createAccount(service);
      const first = await refresh(refreshToken);
      expect(first.status).to.equal(200);
      const second = await refresh(first.body.refresh_token);
      expect(second.status).to.equal(200);
      expect((await me(bearer(second.body.access_token))).status).to.equal(200);

      expectError(await refresh(refreshToken), 401, 'AUTH_ERROR');
      expectError(await refresh(second.body.refresh_token), 401, 'AUTH_ERROR');
      for (const token of [headers, bearer(second.body.access_token)]) expectError(await me(token), 401, 'AUTH_ERROR');
    });

    it('a session is refreshed by one of several concurrent requests', async () => {
      const { refreshToken } = await createAccount(service);
      const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)));
      expect(responses.map(({ status }) => status)).to.have.members([200, 401, 401, 401, 401]);
    });

    it('a session ends immediately at logout', async () => {
      const { headers, refreshToken } = await createAccount(service);
      const response = await post('/logout', undefined, headers);
      expect([response.status, response.text]).to.deep.equal([204, '']);
      const refused = await me(headers);
      expectError(refused, 401, 'AUTH_ERROR');
      expect(refused.headers.get('WWW-Authenticate')).to.match(/^Bearer /);
      expectError(await post('/logout', undefined, headers), 401, 'AUTH_ERROR');
      expectError(await refresh(refreshToken), 401, 'AUTH_ERROR');
    });

    it('sessions end when the password changes, except for the one that changed it', async () => {
      const { email, headers, refreshToken } = await createAccount(service);
      const other = (await login(email, password)).body;
      const next = 'another password';
      const wrong = await post('/password', { current_password: 'not it, no', new_password: next }, headers);
      expectError(wrong, 403, 'FORBIDDEN');
      const changed = await post('/password', { current_password: password, new_password: next }, headers);
      expect(changed.status, changed.text).to.equal(200);
      for (const token of [headers, bearer(other.access_token)]) expectError(await me(token), 401, 'AUTH_ERROR');
      expectError(await refresh(refreshToken), 401, 'AUTH_ERROR');
      expect((await me(bearer(changed.body.access_token))).status).to.equal(200);
      expectError(await login(email, password), 401, 'AUTH_ERROR');
      expect((await login(email, next)).status).to.equal(200);
    });

    it('no session starts if the password changes during the login', async () => {
      const { headers, user } = await createAccount(service);
      const { models, config } = service.app;
      const found = await models.user.findById(user.id).lean().orFail();
      const body = { current_password: password, new_password: 'another password' };
      expect((await post('/password', body, headers)).status).to.equal(200);
      const opened = await openSession(models, createTokens(config.auth.tokenSecret), found).catch(
        ({ code }: { code: string }) => code,
      );
      expect(opened).to.equal('AUTH_ERROR');
      expect(await models.session.countDocuments({ userId: user.id, revokedAt: null })).to.equal(1);
    });

    it('sessions continue if a new password is refused because it is too short or unchanged', async () => {
      const { headers } = await createAccount(service);
      for (const next of ['short', password]) {
        const response = await post('/password', { current_password: password, new_password: next }, headers);
        expectError(response, 400, 'VALIDATION_ERROR', ['new_password']);
        expect(response.text).not.to.contain(password);
      }
      expect((await me(headers)).status).to.equal(200);
    });
  });

  it('log lines and error bodies contain no password, no token and no cookie', async () => {
    const { log, lines } = captureLog();
    // An unexpected error of the database is logged with its details, which could contain secrets.
    const failing = Object.assign(Object.create(service.app.models.session), {
      create: async () => {
        throw new Error('the session cannot be stored');
      },
    });
    const { models } = service.app;
    const responses: TestResponse[] = [];
    const { refreshToken, accessToken } = admin;
    await withApp({ ...service.app, log, models: { ...models, session: failing } }, async (url) => {
      const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
        responses.push(await sendRequest(url, 'POST', auth + path, { body, headers }));
      };
      const cookie = { Cookie: `meterbook-session=${refreshToken}`, 'X-Forwarded-Host': 'localhost' };
      await send('/login', { email: admin.email, password });
      await send('/login', { email: admin.email, password: `${password} wrong` });
      await send('/login', { email: admin.email, password, surplus: password });
      await send('/login', `{"email": "x", "password": "${password}`, { 'Content-Type': 'application/json' });
      await send('/register', { email: 'x', password: `${password}\0` });
      await send('/refresh', { refresh_token: `${refreshToken}x` });
      await send('/refresh', { refresh_token: [refreshToken] });
      await send('/logout', undefined, bearer(`${accessToken}x`));
      await send(`/password?token=${accessToken}`, { new_password: password }, bearer(accessToken));
      await send('/browser-session/refresh', undefined, cookie);
      await send('/browser-session', { email: admin.email, password }, { ...cookie, 'X-Requested-With': 'meterbook' });
    });
    const statuses = [500, 401, 400, 400, 400, 401, 400, 401, 400, 400, 500];
    expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
    expect(lines.filter((line) => line.includes('the session cannot be stored'))).to.have.length(2);
    const written = [...lines, ...responses.map(({ text }) => text)].join('\n');
    for (const secret of [password, refreshToken, accessToken]) expect(written).not.to.contain(secret);
  });
});

describe('closed registration', () => {
  const service = startTestService({ workers: false, environment: { REGISTRATION: 'closed', TRUST_PROXY: '1' } });

  it('accepts the first of concurrent registrations, and none afterwards', async () => {
    const member = { email: 'member@example.com', password, role: 'member' };
    expectError(await service.request('POST', `${auth}/register`, { body: member }), 403, 'FORBIDDEN');
    const register = (number: number) =>
      service.request('POST', `${auth}/register`, {
        body: { email: `${number}@example.com`, password },
        headers: { 'X-Forwarded-For': `192.0.2.${number}` },
      });
    const responses = await Promise.all([1, 2, 3].map(register));
    expect(responses.map(({ status }) => status)).to.have.members([201, 403, 403]);
    expectError(await register(4), 403, 'FORBIDDEN');
    expect(await service.app.models.user.countDocuments()).to.equal(1);
  });
});

describe('failed logins', () => {
  const service = startTestService({ workers: false, environment: { RATE_LIMIT_LOGIN: '4', TRUST_PROXY: '1' } });
  const login = (email: string, sent: string, address: string, path = '/login') =>
    service.request('POST', auth + path, {
      body: { email, password: sent },
      headers: { 'X-Forwarded-For': address, 'X-Requested-With': 'meterbook' },
    });

  it('failed logins are refused above the limit, also if they are concurrent, together with those of pages', async () => {
    const { email } = await createAccount(service);
    const responses: TestResponse[] = [];
    for (let pair = 0; pair < 10; pair += 1) {
      const attempts = ['/login', '/browser-session'].map((path) =>
        login(email, 'not the password', '192.0.2.1', path),
      );
      responses.push(...(await Promise.all(attempts)));
    }
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length(4);
    expect(statuses.filter((status) => status === 429)).to.have.length(16);
    const refused = responses.find(({ status }) => status === 429)!;
    expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('Retry-After')).to.equal(String(refused.body.error.details[0].retry_after));

    // The address is blocked, the account is not.
    expect((await login(email, password, '192.0.2.1')).status).to.equal(429);
    expect((await login(email, password, '192.0.2.2')).status).to.equal(200);
  });

  it('failed logins are counted per address over all accounts; successful logins are not counted', async () => {
    const { email } = await createAccount(service);
    const logInCorrectly = async () => {
      const { status, headers } = await login(email, password, '192.0.2.3');
      return [status, headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')];
    };
    for (let count = 0; count < 6; count += 1) expect(await logInCorrectly()).to.deep.equal([200, '4', '4']);
    for (let count = 0; count < 4; count += 1) {
      expect((await login(`${count}@example.com`, 'not the password', '192.0.2.3')).status).to.equal(401);
    }
    expect((await logInCorrectly())[0]).to.equal(429);
  });

  it('failed logins are counted per account over all addresses, ten times as many, and other accounts are not affected', async () => {
    const [{ email }, { email: other }] = [await createAccount(service), await createAccount(service)];
    for (let count = 0; count < 40; count += 1) {
      expectError(await login(email, 'not the password', `198.51.100.${count}`), 401, 'AUTH_ERROR');
    }
    expectError(await login(email, password, '198.51.100.40'), 429, 'RATE_LIMITED');
    expect((await login(other, password, '198.51.100.40')).status).to.equal(200);
  });
});
