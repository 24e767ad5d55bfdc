import { expect } from 'chai';
import { allRoutes } from '../../api/all-routes.ts';
import { openApiDocument } from '../../api/http/openapi-document.ts';
import { type OpenApiDocument, type Operation, operationsOf } from '../../scripts/fuzz/operations.ts';
import { type Account, createAccount, createApiKey, password } from '../support/accounts.ts';
import { type RunningBackend, startHttpBackend } from '../support/notebook-backends.ts';
import { createScenario, ingest } from '../support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

/** The ids of scenarios in the examples. */
const documentedIds = ['6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11', '0c2f7a9e-3b41-4f6d-8f52-91d6a4e7b320'];

describe('the request examples of the OpenAPI document', () => {
  let backend: RunningBackend;
  const service = startTestService({
    environment: async () => {
      backend = await startHttpBackend();
      const { url, token } = backend;
      return {
        NOTEBOOK_BACKEND: 'http',
        NOTEBOOK_BACKEND_URL: url,
        NOTEBOOK_BACKEND_TOKEN: token,
      };
    },
  });
  after(() => backend.close());
  let admin: Account;
  let key: string;
  /** Two scenarios with entries in the period of the examples. */
  let running: string[];
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, path, { body, headers: { ...admin.headers, 'X-API-Key': key, ...headers } });
  before(async () => {
    admin = await createAccount(service);
    ({ key } = await createApiKey(service, admin, { scopes: ['admin'] }));
    running = [await scenarioAfter('start'), await scenarioAfter('start')];
    for (const id of running) await ingest(service, id, { message: 'a', timestamp: '2026-05-20T12:00:00Z' });
  });

  /** Creates a scenario and takes the steps of its lifecycle. */
  const scenarioAfter = async (...steps: string[]) => {
    const request: TestService['request'] = (method, path, options) => send(method, path, options?.body);
    const { id } = await createScenario({ request });
    for (const step of steps) await send('POST', `/api/v1/scenarios/${id}/${step}`);
    return id;
  };

  const createdId = async (path: string, body: object) => {
    const response = await send('POST', path, body);
    expect(response.status, response.text).to.equal(201);
    return (response.body.data ?? response.body).id as string;
  };
  const newEmail = (operationId: string) => `${operationId.toLowerCase()}@example.com`;

  /** The id in the path of an operation. */
  const idFor = async ({ operationId, path }: Operation): Promise<string> => {
    if (operationId === 'stopScenario') return scenarioAfter('start');
    if (operationId === 'archiveScenario') return scenarioAfter('start', 'stop');
    if (/\}\/(?:metrics)/.test(path)) return running[0] ?? '';
    if (path.includes('/scenarios/')) return scenarioAfter();
    if (path.includes('/notebooks/')) return createdId('/api/v1/notebooks', { title: 'A book' });
    if (path.includes('/api-keys/')) return createdId('/api/v1/api-keys', { name: 'a key' });
    if (path.includes('/users/')) return createdId('/api/v1/users', { email: newEmail(operationId) });
    if (path.includes('/report-schedules/')) {
      const schedule = { scenario_id: running[0], format: 'csv', cron: '0 6 * * *', timezone: 'UTC' };
      return createdId('/api/v1/report-schedules', schedule);
    }
    const accepted = await ingest(
      service,
      running[0] ?? '',
      { message: 'a' },
      { headers: { Prefer: 'respond-async' } },
    );
    return accepted.body.job_id;
  };

  /**
   * Values that an example cannot contain: tokens of this service, and resources that are not used
   * later.
   */
  const replacements: Record<string, () => Promise<{ body?: object; headers?: Record<string, string> }>> = {
    refreshTokens: async () => ({ body: { refresh_token: (await createAccount(service)).refreshToken } }),
    refreshBrowserSession: async () => {
      const { refreshToken } = await createAccount(service);
      return { headers: { Cookie: `meterbook-session-${new URL(service.url).port}=${refreshToken}` } };
    },
    bulkDeleteScenariosV2: async () => ({ body: [await scenarioAfter()] }),
    changePassword: async () => ({ headers: (await createAccount(service)).headers }),
    logOut: async () => ({ headers: (await createAccount(service)).headers }),
    transferUserResources: async () => ({ body: { to: admin.user.id } }),
    resetPassword: async () => {
      const { body } = await send('POST', '/api/v1/users', { email: newEmail('resetPassword') });
      return { body: { token: body.password_link.token, password } };
    },
  };

  /** Sends the examples of all parameters, with the example of a body. */
  async function sendExample(operation: Operation, type: string, body: unknown) {
    const { operationId, method, parameters } = operation;
    const withRealIds = (text: string) =>
      documentedIds.reduce((now, id, at) => now.replace(id, running[at] ?? ''), text);
    const headers: Record<string, string> = { 'Content-Type': type };
    const query = new URLSearchParams();
    let { path } = operation;
    for (const { name, in: place, example, schema } of parameters) {
      const [only = ''] = (schema['enum'] as string[] | undefined) ?? [];
      const value = withRealIds(example ?? (place === 'path' ? only : ''));
      if (place === 'path') path = path.replace(`{${name}}`, value === '' ? await idFor(operation) : value);
      else if (value !== '' && place === 'query') query.set(name, value);
      else if (value !== '') headers[name] = value;
    }
    const replaced = await replacements[operationId]?.();
    const text = typeof body === 'string' ? body : JSON.stringify(replaced?.body ?? body);
    const sent = body === undefined ? undefined : withRealIds(text);
    return send(method, `${path}?${query.toString()}`, sent, { ...headers, ...replaced?.headers });
  }

  it('the request examples are accepted', async () => {
    const document = JSON.parse(JSON.stringify(openApiDocument(allRoutes(service.app), service.config)));
    let bodies = 0;
    for (const operation of operationsOf(document as OpenApiDocument)) {
      if (!operation.body && operation.parameters.every(({ example }) => example === undefined)) continue;
      for (const [type, { example }] of Object.entries(operation.body ?? { 'text/plain': { example: undefined } })) {
        const response = await sendExample(operation, type, example);
        expect(response.status, `${operation.operationId} ${type} ${response.text}`).to.be.within(200, 302);
        if (operation.body) bodies += 1;
      }
    }
    expect(bodies).to.be.greaterThan(15);
  });
});
