import { expect } from 'chai';
import { readMetricsTag } from '../../api/cost/metrics.routes.ts';
import { minute } from '../../shared/durations.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { createRunningScenario, ingest } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

const sums = ['usage_hours', 'usage_days'];

describe('a page that polls metrics', () => {
  const { service, proxy } = startServiceBehindProxy({}, { workers: true });

  const poll = (id: string, tag: string | null = null, query = '') =>
    service.request('GET', `/api/v1/scenarios/${id}/metrics${query}`, {
      headers: tag === null ? {} : { 'If-None-Match': tag },
    });
  /** Metrics that have a tag: none is being counted, unless something else arrives. */
  const readTagged = (id: string, query = '') =>
    waitUntil('a tag', async () => {
      const { body, headers } = await poll(id, null, query);
      const tag = headers.get('ETag');
      return tag !== null && { tag, body };
    });
  const send = async (id: string) => expect((await ingest(service, id, { message: 'a' })).status).to.equal(200);
  const isCounted = async (id: string) => (await service.app.models.usagePlan.findOne({ _id: id }))?.seq === 1;

  it('gets 304 while nothing changes, for which no hours are read', async () => {
    const { id } = await createRunningScenario(service);
    await send(id);
    await waitUntil('the roll-up', () => isCounted(id));
    const { tag } = await readTagged(id);
    proxy.commands.length = 0;
    const { status, text, headers } = await poll(id, tag);
    expect({ status, text }).to.deep.equal({ status: 304, text: '' });
    expect(headers.get('ETag')).to.equal(tag);
    const read = proxy.commands.map(({ collection }) => collection);
    expect(read).to.include('log_batches');
    expect(read.filter((collection) => sums.includes(collection))).to.deep.equal([]);
    await poll(id);
    expect(proxy.commands.some(({ collection }) => sums.includes(collection))).to.equal(true);
  });

  it('gets another tag after each change of the metrics or of the scenario, and for another query', async () => {
    const { id } = await createRunningScenario(service);
    const seen = new Set<string>();
    const expectAnother = async (query = '') => {
      const { tag } = await readTagged(id, query);
      expect(seen).not.to.include(tag);
      seen.add(tag);
    };
    await expectAnother();
    for (const query of ['?from=2026-05-01', '?to=2026-05-01', '?limit=1', '?interval=day']) await expectAnother(query);
    await send(id);
    await expectAnother();
    await service.stopWorkers();
    await ingest(service, id, { message: 'b' }, { headers: { Prefer: 'respond-async' } });
    await expectAnother();
    await service.app.models.logBatch.updateOne({ scenarioId: id, state: 'queued' }, { state: 'failed' });
    await expectAnother();
    await service.startWorkers();
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    await expectAnother();
  });

  it('sees each entry in the first poll after the response, while roll-ups count them', async () => {
    const { id } = await createRunningScenario(service);
    let known = { tag: null as string | null, logs: 0 };
    let unchanged = 0;
    for (let sent = 0; sent < 30; sent += 1) {
      if (sent % 3 === 0) await send(id);
      const { status, body, headers } = await poll(id, known.tag);
      if (status === 304) unchanged += 1;
      else known = { tag: headers.get('ETag'), logs: body.totals.logs };
      expect(known.logs).to.equal(Math.floor(sent / 3) + 1);
    }
    expect(unchanged).to.be.greaterThan(3);
  });

  it('gets another tag every minute while a pipeline polls its queue', async () => {
    const { app } = service;
    const tagAt = async (scenario: Scenario, now: number) =>
      readMetricsTag(app, scenario, app.priceBooks.newest, { limit: 1 }, now);
    for (const [pollers, changes] of [
      [5, true],
      [0, false],
    ] as const) {
      const { id } = await createRunningScenario(service, { assumptions: { pipeline: { queue: { pollers } } } });
      const scenario = (await app.models.scenario.findOne({ _id: id }).lean()) as Scenario;
      const first = await tagAt(scenario, 10 * minute);
      expect(await tagAt(scenario, 11 * minute - 1)).to.equal(first);
      expect((await tagAt(scenario, 11 * minute)) !== first).to.equal(changes);
    }
  });
});
