import { expect } from 'chai';
import { createRouteDeps } from '../../../api/app.ts';
import { publicAccess } from '../../../api/http/access/access-rules.ts';
import { mountRoutes } from '../../../api/http/mount-routes.ts';
import { empty, reply } from '../../../api/http/response.ts';
import { defineRoute, type Route } from '../../../api/http/route.ts';
import { startTestService } from '../../support/test-service.ts';

const base = {
  method: 'GET',
  path: '/things',
  operationId: 'listThings',
  tag: { name: 'things', description: 'Things.' },
  summary: 'List things',
  access: publicAccess,
} as const;
describe('routes that contradict each other', () => {
  const service = startTestService({ workers: false });
  const mount = (...routes: Route[]) =>
    mountRoutes(
      routes,
      createRouteDeps(service.app, () => ({})),
    );
  const listThings = defineRoute({ ...base, responses: { 204: empty() }, handle: async () => reply(204) });

  it('routes that contradict each other prevent the start of the service', () => {
    expect(() => mount(listThings, { ...listThings, operationId: 'listMore' })).to.throw(
      'GET /things is defined twice',
    );
    expect(() => mount(listThings, { ...listThings, path: '/more' })).to.throw('listThings is defined twice');
    expect(() => mount({ ...listThings, path: '/things/{id}' })).to.throw('different parameters');
  });
});
