import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { seededRandom } from '../../shared/seeded-random.ts';
import { register } from '../support/accounts.ts';
import { isLongForm } from '../support/long-form.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestProcesses } from '../support/test-processes.ts';
import { waitUntil } from '../support/wait-until.ts';

const batches = isLongForm ? 200 : 40;
const linesPerBatch = 20;
const clients = 8;
const kills = isLongForm ? 6 : 1;

describe('killed and restarted processes', () => {
  const service = startTestProcesses({ INGEST_WAIT_MS: '300', INGEST_CONCURRENCY: '4' });

  const waitUntilProcessed = () =>
    waitUntil('everything to be processed', async () => (await service.request('POST', '/flush')).status === 200);

  it('killed workers lose no accepted entry, and count none twice', async () => {
    const { id } = await createRunningScenario(service);
    const random = seededRandom(20_261_121);
    const accepted: string[] = [];
    let sent = 0;

    const client = async () => {
      for (;;) {
        const batch = sent;
        sent += 1;
        if (batch >= batches) return;
        const lines = Array.from({ length: linesPerBatch }, (_, line) => ({ message: `batch ${batch} line ${line}` }));
        const { status, body, text } = await ingest(service, id, lines);
        expect([200, 202], text).to.include(status);
        if (status === 202) accepted.push(body.status_url);
        // Spreads the requests, so that jobs are in progress at every kill.
        await delay(random() * 150);
      }
    };
    const deaths = () => service.printed.filter((line) => line.startsWith('worker stopped (killed by SIGKILL)')).length;
    const killer = async () => {
      for (let killed = 0; killed < kills; ) {
        await delay(random() * 400);
        if (!service.kill('worker')) continue;
        killed += 1;
        // Before the supervisor has noticed the exit, a second kill would hit the same process.
        await waitUntil('the supervisor to notice the exit', () => deaths() === killed);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: clients }, client)]);
    await waitUntilProcessed();
    for (const statusUrl of accepted) {
      const { body } = await service.request('GET', statusUrl);
      expect(body.status, statusUrl).to.equal('completed');
      expect(body.results).to.have.length(linesPerBatch);
    }
    const { totals, timeseries } = await getMetrics(service, id);
    expect(totals.logs).to.equal(batches * linesPerBatch);
    const inHours = timeseries.reduce((sum: number, { logs }: { logs: number }) => sum + logs, 0);
    expect(inHours).to.equal(batches * linesPerBatch);
  });

  // The run of torture also kills processes and checks audit records, and the tests of the local
  // stack stop and start both processes.
  if (isLongForm) {
    it('killed workers lose no audit record, and write none twice', async () => {
      const admin = await register(service);
      const random = seededRandom(20_261_122);
      let accepted = 0;
      const over = new AbortController();
      const client = async () => {
        while (!over.signal.aborted) {
          const body = { name: `scenario ${randomUUID()}`, region: 'eu-west-1' };
          const created = await service.request('POST', '/api/v2/scenarios', { body }).catch(() => undefined);
          if (created?.status === 201) accepted += 1;
          await delay(random() * 50);
        }
      };
      const restarts = () => service.printed.filter((line) => line.includes('killed by SIGKILL')).length;
      const killer = async () => {
        for (const name of ['worker', 'web'] as const) {
          const [writes, before] = [accepted, restarts()];
          await waitUntil('further writes', () => accepted > writes + 20);
          await waitUntil('the process to be killed', () => service.kill(name));
          await waitUntil('the supervisor to notice the exit', () => restarts() > before);
        }
        over.abort();
      };
      await Promise.all([killer(), ...Array.from({ length: 4 }, client)]);

      const get = async (path: string) => {
        const response = await service.request('GET', path, { headers: admin.headers }).catch(() => undefined);
        return response?.status === 200 ? response.body : undefined;
      };
      // A killed `web` can have left events without a job; the job of any later write, or the
      // sweep, finds them.
      const last = await waitUntil('a last write', async () => {
        const body = { name: `scenario ${randomUUID()}`, region: 'eu-west-1' };
        const response = await service.request('POST', '/api/v2/scenarios', { body }).catch(() => undefined);
        return response?.status === 201 && response.body.id;
      });
      const recordsPath = '/api/v1/audit-records?event_type=SCENARIO_CREATED';
      await waitUntil('the last record', async () => (await get(`${recordsPath}&scenario_id=${last}`))?.total === 1);
      const { total: stored } = await get('/api/v2/scenarios');
      expect((await get(recordsPath)).total).to.equal(stored);
      expect(stored).to.be.greaterThan(accepted);
      const { total: records } = await get('/api/v1/audit-records');
      const verified = await get('/api/v1/audit-records/verify?limit=2000');
      expect(verified).to.include({ valid: true, checked: records });
    });

    it('restarted processes have all data after a stop and a start', async () => {
      const { id } = await createRunningScenario(service);
      const before = await ingest(service, id, [{ message: 'before the stop' }]);
      expect([200, 202], before.text).to.include(before.status);
      await service.stop();
      await service.start();
      // A batch that got 202 before the stop is processed now.
      await waitUntilProcessed();
      expect((await getMetrics(service, id)).totals.logs).to.equal(1);
      const again = await ingest(service, id, [{ message: 'after the start' }]);
      expect([200, 202], again.text).to.include(again.status);
      await waitUntilProcessed();
      expect((await getMetrics(service, id)).totals.logs).to.equal(2);
    });
  }
});
