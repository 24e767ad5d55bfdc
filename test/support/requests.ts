import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { TestResponse, TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

type Overrides = Record<string, unknown>;

/** Creates a scenario with a unique name. */
export async function createScenario(service: Pick<TestService, 'request'>, overrides: Overrides = {}) {
  const body = { name: `scenario ${randomUUID()}`, region: 'eu-west-1', ...overrides };
  const response = await successOf(service.request('POST', '/api/v1/scenarios', { body }));
  return response.body as { id: string; name: string; status: string } & Overrides;
}

export async function createRunningScenario(service: Pick<TestService, 'request'>, overrides: Overrides = {}) {
  const scenario = await createScenario(service, overrides);
  await successOf(service.request('POST', `/api/v1/scenarios/${scenario.id}/start`));
  return scenario;
}

/** Sends log entries. `body` is sent as JSON unless it is text or bytes. */
export function ingest(
  service: Pick<TestService, 'request'>,
  scenarioId: string,
  body: unknown,
  options: { headers?: Record<string, string>; query?: string } = {},
): Promise<TestResponse> {
  return service.request('POST', `/ingest${options.query ?? ''}`, {
    headers: {
      'X-Scenario-ID': scenarioId,
      ...(typeof body === 'string' || body instanceof Uint8Array ? { 'Content-Type': 'application/json' } : {}),
      ...options.headers,
    },
    body,
  });
}

export async function getMetrics(service: Pick<TestService, 'request'>, scenarioId: string, query = '') {
  return (await successOf(service.request('GET', `/api/v1/scenarios/${scenarioId}/metrics${query}`))).body;
}

/**
 * Checks that the response is the error envelope with this code, and with errors of exactly these
 * fields.
 */
export function expectError(response: TestResponse, status: number, code: string, fields?: string[]): void {
  expect(response.status, response.text).to.equal(status);
  const { success, error, meta } = response.body;
  expect(success).to.equal(false);
  expect(error.code).to.equal(code);
  expect(error.message).to.be.a('string').and.not.equal('');
  if (fields) expect(error.details.map(({ field }: { field: string }) => field)).to.deep.equal(fields);
  expect(meta.request_id).to.equal(response.headers.get('X-Request-ID'));
  expect(new Date(meta.timestamp).toISOString()).to.equal(meta.timestamp);
}

/** The response, which has a status below 300. */
export async function successOf(sent: Promise<TestResponse>): Promise<TestResponse> {
  const response = await sent;
  expect(response.status, response.text).to.be.below(300);
  return response;
}

/** Processes the accepted entries of a scenario. */
export const flush = (service: Pick<TestService, 'request'>, scenarioId: string): Promise<TestResponse> =>
  successOf(service.request('POST', '/flush', { headers: { 'X-Scenario-ID': scenarioId } }));

/** Waits until all accepted entries are processed. */
export async function flushAll(service: Pick<TestService, 'request'>): Promise<void> {
  await waitUntil('everything to be processed', async () => (await service.request('POST', '/flush')).status === 200);
}

/** Processes all accepted entries by workers that run only for this. */
export async function processAll(service: TestService): Promise<void> {
  await service.startWorkers();
  try {
    await flushAll(service);
  } finally {
    await service.stopWorkers();
  }
}
