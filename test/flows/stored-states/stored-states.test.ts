import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Sender } from '../../support/members.ts';
import { finishedReport } from '../../support/reports.ts';
import { createTestEnvironment, startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { makeKnownState, unlimitedRetention } from './known-state.ts';
import { readState, restoreState, type StoredState, storedVersions, writeState } from './stored-state.ts';

const { RECORD_STATE } = process.env;

if (RECORD_STATE !== undefined) {
  describe(`the state of version ${RECORD_STATE}`, () => {
    const service = startTestService({ environment: { ...unlimitedRetention, AUTH_MODE: 'strict' } });

    it('is recorded', async () => {
      await writeState(service, RECORD_STATE, await makeKnownState(service));
    });
  });
}

for (const version of storedVersions()) {
  describe(`what version ${version} has stored`, () => {
    let state: StoredState;
    const service = startTestService({
      workers: false,
      environment: async () => {
        state = await readState(version);
        const environment = createTestEnvironment();
        await restoreState(state, environment);
        return { ...environment, ...unlimitedRetention, AUTH_MODE: 'strict' };
      },
    });
    let admin: Pick<Sender, 'send'>;
    const get = async (path: string) => {
      const response = await admin.send('GET', path);
      expect(response.status, response.text).to.equal(200);
      return response;
    };
    const metrics = async () => (await get(`/api/v1/scenarios/${state.known.scenarioId}/metrics`)).body;

    before(async () => {
      const login = await service.request('POST', '/api/v1/auth/login', { body: state.known.admin });
      expect(login.status, login.text).to.equal(200);
      const headers = { Authorization: `Bearer ${login.body.access_token}` };
      admin = { send: (method, path, options) => service.request(method, path, { ...options, headers }) };
    });

    it('lets an account and an API key in', async () => {
      const response = await service.request('GET', '/api/v1/scenarios', {
        headers: { 'X-API-Key': state.known.apiKey },
      });
      expect(response.status, response.text).to.equal(200);
      expect(response.body.items.map(({ id }: { id: string }) => id)).to.deep.equal([state.known.scenarioId]);
    });

    it('has the same usage, at the same prices', async () => {
      const { totals, cost_breakdown: costs } = await metrics();
      expect(totals).to.deep.include(state.known.metrics.totals);
      expect(costs).to.deep.equal(state.known.metrics.cost_breakdown);
      expect((await get('/api/v1/price-overrides')).body.overrides).to.deep.equal(state.known.overrides);
    });

    it('has a chain of audit records that is whole', async () => {
      const { body } = await get('/api/v1/audit-records/verify');
      expect(body).to.deep.include({ valid: true });
      expect(body.checked).to.be.greaterThan(5);
    });

    it('has the file of a report, and a schedule', async () => {
      const { id, sha256 } = state.known.readyReport;
      const { bytes } = await get(`/api/v1/reports/${id}/download`);
      expect(createHash('sha256').update(bytes).digest('hex')).to.equal(sha256);
      expect((await get(`/api/v1/report-schedules/${state.known.scheduleId}`)).body.cron).to.equal('0 7 1 1 *');
    });

    it('has jobs that the workers carry out', async () => {
      const { known } = state;
      const logs = Number(known.metrics.totals['logs']) + known.queuedEntries;
      await service.startWorkers();
      await waitUntil('the queued entries to count', async () => (await metrics()).totals.logs === logs);
      expect((await finishedReport(admin, known.queuedReportId)).status).to.equal('ready');
      expect((await admin.send('GET', `/api/v1/scenarios/${known.deletedScenarioId}`)).status).to.equal(404);
      const failed = await Promise.all(
        Object.values(service.app.queues).map(async (each) => ('queue' in each ? each.queue.getFailedCount() : 0)),
      );
      expect(Math.max(...failed), 'failed jobs').to.equal(0);
    });
  });
}
