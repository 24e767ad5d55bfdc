import { expect } from 'chai';
import { allRoutes } from '../../../api/all-routes.ts';
import type { Auth } from '../../../api/http/access/access-rules.ts';
import { type Route, routeName } from '../../../api/http/route.ts';
import { scopes } from '../../../shared/accounts/api-key.model.ts';
import { createRouteSettings } from '../../support/route-settings.ts';

const routes = allRoutes(createRouteSettings());
const namesWith = (mode: 'documented' | 'strict', auth: Auth) =>
  routes.filter(({ access }) => access.auth[mode] === auth).map(routeName);

describe('the routes', () => {
  it('credentials are required in strict mode on everything but health, docs, the page, register, login, refresh, password reset and browser sessions', () => {
    const open = [
      ...['/health', '/health/ready', '/', '/page/{file}', '/openapi.json', '/docs', '/docs/{asset}'].map(
        (path) => `GET ${path}`,
      ),
      ...['register', 'login', 'refresh', 'password-reset', 'browser-session', 'browser-session/refresh'].map(
        (name) => `POST /api/v1/auth/${name}`,
      ),
      'DELETE /api/v1/auth/browser-session',
    ];
    expect(namesWith('strict', 'none')).to.have.members(open);
    expect(namesWith('strict', 'optional')).to.deep.equal([]);
  });

  it('credentials are required in documented mode where the reference does, not on scenarios and ingest', () => {
    const expected = (route: Route): Auth => {
      if (route.access.auth.strict === 'none') return 'none';
      if (route.path === '/metrics') return 'metricsToken';
      if (
        /\/api-keys|\/users|\/jobs|\/queues|\/audit-records|\/auth\/|\/price-overrides|\/price-books\/refresh/.test(
          route.path,
        )
      )
        return 'token';
      if (/\/reports|\/report-schedules/.test(route.path)) return 'apiKeyOrToken';
      return route.path.includes('/notebooks') ? 'apiKey' : 'optional';
    };
    for (const route of routes) {
      expect(route.access.auth.documented, routeName(route)).to.equal(expected(route));
    }
  });

  it('notebooks of variant 0.2.0 require no key and have no limit', () => {
    const notebooks = (variant: string) =>
      allRoutes(createRouteSettings({ NOTEBOOK_API_VARIANT: variant })).filter(({ path }) =>
        path.includes('notebooks'),
      );
    expect(notebooks('0.1.0').map(({ limit }) => limit?.name)).to.deep.equal(Array(5).fill('notebooks'));
    for (const { access, limit } of notebooks('0.2.0')) {
      expect(access.auth).to.deep.equal({ documented: 'optional', strict: 'apiKeyOrToken' });
      expect(limit).to.equal(null);
    }
  });

  it('routes name a scope wherever they accept an API key', () => {
    for (const { access, ...route } of routes) {
      if (!['optional', 'apiKey', 'apiKeyOrToken'].includes(access.auth.strict)) continue;
      expect(scopes, routeName(route)).to.include(access.scope);
    }
  });

  it('only responses to reads that contain no secrets and belong to no account are compressed', () => {
    const compressed = routes.filter((route) => route.compressed);
    expect(compressed).to.have.length.greaterThan(10);
    for (const { access, operationId } of compressed) expect(access.reach, operationId).to.match(/^(service|owned)$/);
  });
});
