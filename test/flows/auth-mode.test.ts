import { expect } from 'chai';
import { createAccount, createApiKey } from '../support/accounts.ts';
import { expectError } from '../support/requests.ts';
import { dashboardPassword, startTestService } from '../support/test-service.ts';

describe('documented mode', () => {
  const service = startTestService({ workers: false });

  it('reads Authorization as an access token if it contains no API key', async () => {
    const { accessToken } = await createAccount(service);
    const statusWith = async (authorization: string) =>
      (await service.request('GET', '/api/v1/scenarios', { headers: { Authorization: authorization } })).status;
    for (const good of [`Bearer ${accessToken}`, `bearer  ${accessToken}`])
      expect(await statusWith(good)).to.equal(200);
    for (const bad of [
      'Bearer',
      `Bearer ${accessToken} x`,
      `Bearer ${accessToken},`,
      accessToken,
      `Token ${accessToken}`,
    ]) {
      expect(await statusWith(bad), bad.slice(0, 12)).to.equal(401);
    }
  });

  it('accepts an API key in Authorization on every route, as Bearer or as the password of Basic', async () => {
    const account = await createAccount(service);
    const { key } = await createApiKey(service, account);
    const read = (headers: Record<string, string>, path = '/api/v1/scenarios') =>
      service.request('GET', path, { headers });
    const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`;
    for (const Authorization of [`Bearer ${key}`, `bearer ${key}`, basic(key)]) {
      // The query of notebooks is invalid, so that the request waits for no worker.
      for (const [path, status] of [
        ['/api/v1/scenarios', 200],
        ['/api/v1/reports', 200],
        ['/api/v1/notebooks?limit=x', 400],
      ] as const) {
        expect((await read({ Authorization }, path)).status, path).to.equal(status);
      }
      expectError(await read({ Authorization }, '/api/v1/auth/me'), 403, 'FORBIDDEN');
    }
    for (const Authorization of [`Bearer ${key}0`, basic(`${key}0`), basic('a password'), 'Basic !', 'Basic']) {
      const refused = await read({ Authorization });
      expectError(refused, 401, 'AUTH_ERROR');
      expect(refused.body.error.message).to.match(/^An API key is required, and the one that was sent is not valid/);
      // The credentials can be those of a proxy.
      expect((await read({ Authorization, 'X-API-Key': key })).status).to.equal(200);
    }
  });

  it('ignores Basic without a key from pages of the service and from the address bar of a browser', async () => {
    const Authorization = `Basic ${Buffer.from(`admin:${dashboardPassword}`).toString('base64')}`;
    const statusFrom = async (site: string) => {
      const headers = { Authorization, 'Sec-Fetch-Site': site };
      return (await service.request('GET', '/api/v1/scenarios', { headers })).status;
    };
    expect(await statusFrom('same-origin')).to.equal(200);
    expect(await statusFrom('none')).to.equal(200);
    expect(await statusFrom('same-site')).to.equal(401);
    expect(await statusFrom('cross-site')).to.equal(401);
  });
});
