import Router from '@koa/router';
import { expect } from 'chai';
import { access, namesOfRoutes } from '../../api/middleware/access.ts';
import { routeNames, ruleOf } from '../../api/route-rules.ts';
import { allRoutes } from '../../api/routes/index.ts';
import { scopes } from '../../shared/models/api-key.model.ts';
import { testService } from '../support/test-service.ts';

describe('the table of route rules', () => {
  const service = testService({ workers: false });
  const routes = () => allRoutes(service.app).flatMap(namesOfRoutes);

  it('has a row for every route, and for nothing else', () => {
    expect(routes().length).to.be.greaterThan(20);
    expect(routeNames()).to.have.members(routes());
  });

  it('keeps an app with a route that has none from starting', () => {
    const router = new Router();
    router.get('/api/v1/secrets/:id', () => {});
    expect(() => access(router, service.app)).to.throw('GET /api/v1/secrets/{id} has no row');
  });

  it('asks for credentials in strict mode on everything but health, docs, register, login and refresh', () => {
    const open = routes().filter((route) => ruleOf(route).asks.strict === 'nothing');
    expect(open).to.have.members([
      'GET /health',
      'GET /health/ready',
      'GET /',
      'GET /openapi.json',
      'GET /docs',
      'GET /docs/{asset}',
      'POST /api/v1/auth/register',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/refresh',
    ]);
    expect(routes().filter((route) => ruleOf(route).asks.strict === 'optional')).to.deep.equal([]);
  });

  it('asks for credentials in documented mode where the reference does, not on scenarios and ingest', () => {
    for (const route of routes()) {
      const asked = ruleOf(route).asks.documented;
      if (/\/api-keys|\/auth\/(?:me|logout|password)/.test(route)) expect(asked, route).to.equal('token');
      else if (/notebooks/.test(route)) expect(asked, route).to.equal('key');
      else if (/scenarios|ingest|flush|pii-kinds/.test(route)) expect(asked, route).to.equal('optional');
      else expect(asked, route).to.equal('nothing');
    }
  });

  it('asks for no key and counts no request of notebooks in variant 0.2.0', () => {
    for (const route of routes().filter((name) => name.includes('notebooks'))) {
      expect(ruleOf(route, '0.1.0').limit, route).to.deep.equal({ name: 'notebooks' });
      const { asks, limit } = ruleOf(route, '0.2.0');
      expect(asks, route).to.deep.equal({ documented: 'optional', strict: 'key or token' });
      expect(limit, route).to.equal(undefined);
    }
  });

  it('names a scope wherever a key may come', () => {
    for (const route of routes()) {
      const { asks, scope } = ruleOf(route);
      if (['optional', 'key', 'key or token'].includes(asks.strict)) expect(scopes, route).to.include(scope);
    }
  });
});
