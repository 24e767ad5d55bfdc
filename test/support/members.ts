import { type Account, createAccount, createApiKey } from './accounts.ts';
import { createRunningScenario, ingest, successOf } from './requests.ts';
import type { RequestOptions, TestResponse, TestService } from './test-service.ts';

/**
 * An account that sends requests with its access token, or with an API key to notebooks, which
 * accept nothing else.
 */
export interface Sender extends Account {
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** For the functions that create things. */
  service: Pick<TestService, 'request'>;
}

export async function createSender(service: TestService): Promise<Sender> {
  const account = await createAccount(service);
  const { key } = await createApiKey(service, account);
  const send: Sender['send'] = (method, path, options = {}) =>
    service.request(method, path, {
      ...options,
      headers: {
        ...(path.startsWith('/api/v1/notebooks') ? { 'X-API-Key': key } : account.headers),
        ...options.headers,
      },
    });
  return { ...account, send, service: { request: send } };
}

export const scenarioOf = async (owner: Sender) => (await createRunningScenario(owner.service)).id;

async function create(owner: Sender, path: string, body: object): Promise<string> {
  const response = await successOf(owner.send('POST', path, { body }));
  return (response.body.data ?? response.body).id;
}

/** A report schedule, without its scenario. */
export const schedule = { format: 'csv', cron: '0 7 * * *' };

/**
 * Creates a resource of a member, by the segment of the path that precedes its id. @returns the id.
 */
export const resources: Readonly<Record<string, (owner: Sender) => Promise<string>>> = {
  scenarios: scenarioOf,
  ingest: scenarioOf,
  'ingest-jobs': async (owner) => {
    const headers = { Prefer: 'respond-async' };
    const accepted = await ingest(owner.service, await scenarioOf(owner), { message: 'a line' }, { headers });
    return accepted.body.job_id;
  },
  notebooks: (owner) => create(owner, '/api/v1/notebooks', { title: 'a notebook' }),
  reports: async (owner) => create(owner, `/api/v1/scenarios/${await scenarioOf(owner)}/reports`, { format: 'csv' }),
  'report-schedules': async (owner) =>
    create(owner, '/api/v1/report-schedules', { ...schedule, scenario_id: await scenarioOf(owner) }),
  'api-keys': (owner) => create(owner, '/api/v1/api-keys', { name: 'a key' }),
};
