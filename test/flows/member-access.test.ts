import { expect } from 'chai';
import { allRoutes } from '../../api/all-routes.ts';
import type { Access } from '../../api/http/access/access-rules.ts';
import { type Route, routeName } from '../../api/http/route.ts';
import { createSender, resources, type Sender, scenarioOf, schedule } from '../support/members.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { createRouteSettings } from '../support/route-settings.ts';
import type { TestResponse } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Walks every route with two members. docs/access.md has the reach of each route. */

/** The resources that a member reaches by a route; null for a route without any. */
function memberReach(reach: Access['reach'], access: 'team' | 'own') {
  if (reach === 'service') return null;
  if (reach === 'admin') return 'none';
  if (reach === 'account') return 'account';
  return access === 'team' ? 'all' : 'own';
}

/** A route responds with 404, or as it does for the owner. */
function isReached(response: TestResponse): boolean {
  expect(response.status, response.text).to.be.oneOf([200, 201, 202, 204, 304, 404, 409]);
  return response.status !== 404;
}

type Probe = (caller: Sender, owner: Sender) => Promise<boolean>;

/** By operation id: the routes whose resource is not in their path. */
const probes: Record<string, Probe> = {
  compareScenarios: async (caller, owner) => {
    const ids = [await scenarioOf(caller), await scenarioOf(owner)];
    return isReached(await caller.send('GET', `/api/v1/scenarios/compare?ids=${ids.join()}`));
  },
  createReportSchedule: async (caller, owner) => {
    const body = { ...schedule, scenario_id: await scenarioOf(owner) };
    return isReached(await caller.send('POST', '/api/v1/report-schedules', { body }));
  },
  createReport: async (caller, owner) => {
    const path = `/api/v1/scenarios/${await scenarioOf(owner)}/reports`;
    return isReached(await caller.send('POST', path, { body: { format: 'csv' } }));
  },
  bulkDeleteScenariosV2: async (caller, owner) => {
    const id = await scenarioOf(owner);
    // A caller has one request per second.
    const { body } = await waitUntil('the limit to admit a request', async () => {
      const response = await caller.send('POST', '/api/v2/scenarios/bulk/delete', { body: [id] });
      return response.status !== 429 && response;
    });
    expect(body.failed).to.deep.equal(body.total_deleted === 1 ? [] : [{ id, reason: 'Not found' }]);
    return body.total_deleted === 1;
  },
};

/** They create something, or are about the account of the caller, so nothing of another one is named. */
const withoutTarget = new Set([
  'createScenario',
  'createScenarioV2',
  'createNotebook',
  'createApiKey',
  'getAccount',
  'changePassword',
  'logOut',
]);

/** Sends a request with the id of a resource of the owner: in the path, else in X-Scenario-ID. */
async function reachesById({ method, path, body }: Route, caller: Sender, owner: Sender): Promise<boolean> {
  const [, collection = 'scenarios'] = /\/([\w-]+)\/\{/.exec(path) ?? [];
  const id = await resources[collection]!(owner);
  const filled = path.replace('{kind}', 'cost-by-service').replace(/\{\w+\}/, id);
  const { example } = body === undefined || 'schema' in body ? (body ?? {}) : body.streamed['application/json']!;
  const headers = {
    ...(!path.includes('{') && { 'X-Scenario-ID': id }),
    ...(method === 'GET' && { 'If-None-Match': '*' }),
  };
  // The second response of the owner can come from a cache, and so can that of another member.
  if (method === 'GET') for (const _ of ['stored', 'cached']) await owner.send(method, filled);
  return isReached(await caller.send(method, filled, { body: example, headers }));
}

/** Reads a list twice, because the second response can come from a cache. */
async function isListed({ path }: Route, caller: Sender, owner: Sender): Promise<boolean> {
  const id = await resources[path.split('/').at(-1) ?? '']!(owner);
  const size = path.endsWith('notebooks') ? 'limit=100' : 'page_size=100';
  const lists = [await caller.send('GET', `${path}?${size}`), await caller.send('GET', `${path}?${size}`)];
  const [first, second] = lists.map(({ body }) => {
    const items: { id: string }[] = (body.data ?? body).items;
    return items.some((item) => item.id === id);
  });
  expect(second).to.equal(first);
  return first === true;
}

function probeOf(route: Route): Probe {
  const { operationId, method, path } = route;
  const isList = method === 'GET' && !path.includes('{');
  return (
    probes[operationId] ??
    ((caller, owner) => (isList ? isListed(route, caller, owner) : reachesById(route, caller, owner)))
  );
}

for (const access of ['team', 'own'] as const) {
  describe(`a member, with ACCESS=${access}, reaches`, () => {
    const service = startServiceWithNotebooks({ ACCESS: access });
    let [admin, own, other]: Sender[] = [];
    before(async () => {
      [admin, own, other] = [await createSender(service), await createSender(service), await createSender(service)];
    });

    for (const route of allRoutes(createRouteSettings())) {
      const { reach } = route.access;
      const expected = memberReach(reach, access);
      // Routes that do not depend on the setting are shown with one of its values.
      if (expected === null || withoutTarget.has(route.operationId)) continue;
      if (access === 'team' && expected === memberReach(reach, 'own')) continue;

      it(`${expected} by ${routeName(route)}`, async () => {
        if (reach === 'admin') {
          const { status } = await own!.send(route.method, route.path.replaceAll(/\{\w+\}/g, other!.user.id));
          expect(status).to.equal(403);
          return;
        }
        const probe = probeOf(route);
        expect(await probe(own!, other!), 'a member reaches what is of another one').to.equal(expected === 'all');
        if (access === 'team') return;
        expect(await probe(own!, own!), 'a member reaches its own').to.equal(true);
        if (reach === 'owned') expect(await probe(admin!, other!), 'an admin reaches all').to.equal(true);
      });
    }
  });
}
