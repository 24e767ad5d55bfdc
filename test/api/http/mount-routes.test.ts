import { expect } from 'chai';
import { Type } from 'typebox';
import { createRouteDeps } from '../../../api/app.ts';
import { openAccess, publicAccess } from '../../../api/http/access/access-rules.ts';
import { mountRoutes } from '../../../api/http/mount-routes.ts';
import { empty, json, reply } from '../../../api/http/response.ts';
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
const thing = Type.Object({ name: Type.String(), size: Type.Optional(Type.Number()) });

describe('the definition of a route', () => {
  it('is checked against its responses by the compiler', () => {
    const responses = { 200: json(thing, { headers: ['ETag'], optionalHeaders: ['Location'] }), 204: empty() };
    const routes: Route[] = [
      defineRoute({
        ...base,
        responses,
        handle: async ({ requestId }) =>
          requestId === '' ? reply(204) : reply(200, { name: 'a' }, { ETag: '"1"', Location: '/things/1' }),
      }),
      // @ts-expect-error 201 is not among the responses
      defineRoute({ ...base, responses, handle: async () => reply(201, { name: 'a' }, { ETag: '"1"' }) }),
      // @ts-expect-error the body of 200 has another shape
      defineRoute({ ...base, responses, handle: async () => reply(200, { name: 1 }, { ETag: '"1"' }) }),
      // @ts-expect-error 200 has a body
      defineRoute({ ...base, responses: { 200: json(thing) }, handle: async () => reply(200) }),
      // @ts-expect-error 200 carries an ETag
      defineRoute({ ...base, responses, handle: async () => reply(200, { name: 'a' }) }),
      defineRoute({
        ...base,
        responses,
        // @ts-expect-error 200 carries no Retry-After
        handle: async () => reply(200, { name: 'a' }, { ETag: '"1"', 'Retry-After': '1' }),
      }),
    ];
    const { access: _access, ...withoutAccess } = base;
    // @ts-expect-error a route must have access rules
    routes.push(defineRoute({ ...withoutAccess, responses, handle: async () => reply(204) }));
    // @ts-expect-error access by API key requires a scope
    openAccess();
    expect(routes.length).to.equal(7);
  });
});

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
