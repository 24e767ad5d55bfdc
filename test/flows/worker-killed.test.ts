import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { seededRandom } from '../../shared/seeded-random.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestProcesses } from '../support/test-processes.ts';
import { waitUntil } from '../support/wait-until.ts';

const batches = 40;
const linesPerBatch = 20;
const clients = 8;

describe('a killed and restarted process', () => {
  const service = startTestProcesses({ INGEST_WAIT_MS: '300', INGEST_CONCURRENCY: '4' });

  it('a killed worker loses no accepted entry, and counts none twice', async () => {
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
    const killer = async () => {
      await delay(random() * 400);
      service.kill('worker');
    };
    await Promise.all([killer(), ...Array.from({ length: clients }, client)]);
    await waitUntil('the end of all jobs', async () => (await service.request('POST', '/flush')).status === 200);
    expect(service.printed.join('\n')).to.contain('worker stopped (killed by SIGKILL)');
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
});
