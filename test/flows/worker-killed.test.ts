import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestProcesses } from '../support/test-processes.ts';
import { waitUntil } from '../support/wait-until.ts';

const batches = 200;
const linesPerBatch = 20;
const clients = 8;
const kills = 6;

describe('a worker that is killed', () => {
  const service = startTestProcesses({ INGEST_WAIT_MS: '300', INGEST_CONCURRENCY: '4' });

  const untilProcessed = () =>
    waitUntil(
      'everything to be processed',
      async () => (await service.request('POST', '/flush')).status === 200,
      60_000,
    );

  it('loses no accepted line and counts none twice', async function () {
    this.timeout(150_000);
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
        // Spread over the kills, so that jobs are under way at each of them.
        await delay(random() * 150);
      }
    };
    const deaths = () => service.printed.filter((line) => line.startsWith('worker stopped (killed by SIGKILL)')).length;
    const killer = async () => {
      for (let killed = 0; killed < kills; ) {
        await delay(random() * 400);
        if (!service.kill('worker')) continue;
        killed += 1;
        // Until its end has been noticed, a second kill would meet the same process.
        await waitUntil('its end to be noticed', () => deaths() === killed, 30_000);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: clients }, client)]);
    await untilProcessed();
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

  it('finds all data again after everything was stopped and started', async function () {
    this.timeout(150_000);
    const { id } = await createRunningScenario(service);
    const before = await ingest(service, id, [{ message: 'before the stop' }]);
    expect([200, 202], before.text).to.include(before.status);
    await service.stop();
    await service.start();
    // What was slow to be processed before the stop was accepted all the same.
    await untilProcessed();
    expect((await getMetrics(service, id)).totals.logs).to.equal(1);
    const again = await ingest(service, id, [{ message: 'after the start' }]);
    expect([200, 202], again.text).to.include(again.status);
    await untilProcessed();
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
  });
});
