import { expect } from 'chai';
import { createApiKey, password } from '../../support/accounts.ts';
import { createSender, type Sender } from '../../support/members.ts';
import { readyReport, requestReport } from '../../support/reports.ts';
import { getMetrics } from '../../support/requests.ts';
import type { TestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { workedAssumptions } from '../../support/worked-pipelines.ts';

/** Facts about a recorded state that the test needs: ids, and responses of that version. */
export interface KnownState {
  admin: { email: string; password: string };
  apiKey: string;
  /** A running scenario with a pipeline and own prices. */
  scenarioId: string;
  /** Its metrics when nothing was queued. */
  metrics: { totals: Record<string, unknown>; cost_breakdown: unknown[] };
  /** Entries that were queued afterwards. */
  queuedEntries: number;
  readyReport: { id: string; sha256: string | null };
  queuedReportId: string;
  deletedScenarioId: string;
  scheduleId: string;
  overrides: unknown[];
}

/** Retained without end, because the age of the state grows. */
export const unlimitedRetention = { LOG_RETENTION_DAYS: '36500', REPORT_RETENTION_DAYS: '36500' };

const lines = (hour: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    message: `GET /carts/${index} of someone@example.com`,
    level: index % 5 === 0 ? 'error' : 'info',
    timestamp: `2026-09-30T${hour}:00:${String(index).padStart(2, '0')}Z`,
    usage: { input_tokens: 50 + index },
  }));

/** Makes data of each kind through HTTP. Afterwards jobs of several queues wait. */
export async function makeKnownState(service: TestService): Promise<KnownState> {
  const sender = await createSender(service);
  const post = async (path: string, body?: object, status = 200) => {
    const response = await sender.send('POST', path, { body });
    expect(response.status, response.text).to.equal(status);
    return response.body;
  };
  const { key: apiKey } = await createApiKey(service, sender);
  const overrides = await setOwnPrices(sender);
  const createScenario = async (name: string, settings: object) => {
    const { id } = await post('/api/v1/scenarios', { name, region: 'us-east-1', ...settings }, 201);
    await post(`/api/v1/scenarios/${id}/start`);
    return id as string;
  };
  const pipeline = { function: { batch_size: 10, window_seconds: 20 }, inference: { prompt_tokens: 500 } };
  const scenarioId = await createScenario('recorded', { assumptions: { ...workedAssumptions, pipeline } });
  const deletedScenarioId = await createScenario('deleted', {});
  const send = async (id: string, entries: object[], query = '') => {
    const response = await sender.send('POST', `/ingest${query}`, { headers: { 'X-Scenario-ID': id }, body: entries });
    expect(response.status, response.text).to.equal(200);
  };
  await send(scenarioId, lines('10', 40));
  await send(scenarioId, lines('11', 7));
  await send(deletedScenarioId, lines('11', 3));
  const recorded = await waitUntil('the entries to count', async () => {
    const metrics = await getMetrics(sender.service, scenarioId);
    return metrics.totals.logs === 47 ? metrics : undefined;
  });
  const ready = await readyReport(sender, scenarioId);
  const schedule = { format: 'csv', cron: '0 7 1 1 *', scenario_id: scenarioId };
  const { id: scheduleId } = await post('/api/v1/report-schedules', schedule, 201);

  await service.stopWorkers();
  await send(scenarioId, lines('12', 9), '?answer=summary');
  await send(scenarioId, lines('13', 4), '?answer=summary');
  const queued = await requestReport(sender, scenarioId);
  expect((await sender.send('DELETE', `/api/v1/scenarios/${deletedScenarioId}`)).status).to.equal(204);
  return {
    admin: { email: sender.email, password },
    apiKey,
    scenarioId,
    metrics: { totals: recorded.totals, cost_breakdown: recorded.cost_breakdown },
    queuedEntries: 13,
    readyReport: { id: ready.id, sha256: ready.sha256 },
    queuedReportId: queued.id,
    deletedScenarioId,
    scheduleId,
    overrides,
  };
}

async function setOwnPrices(sender: Sender): Promise<unknown[]> {
  const override = { service: 'function', discount_percent: '12.5', note: 'a contract', from: '2026-01-01' };
  const response = await sender.send('PUT', '/api/v1/price-overrides', { body: { overrides: [override] } });
  expect(response.status, response.text).to.equal(200);
  return response.body.overrides;
}
