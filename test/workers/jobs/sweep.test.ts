import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { minute } from '../../../shared/durations.ts';
import { renderingJobId } from '../../../shared/reports/render-report.queue.ts';
import { startSweep } from '../../../workers/jobs/sweep.ts';
import { createSender } from '../../support/members.ts';
import { requestReport } from '../../support/reports.ts';
import { createScenario } from '../../support/requests.ts';
import { buildStoredBatch } from '../../support/stored-batches.ts';
import { deleteKeys } from '../../support/test-servers.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the sweep', () => {
  const service = startTestService();

  it('removes no data of a scenario that is not marked as deleted', async () => {
    const { id } = await createScenario(service);
    const { queues, models } = service.app;
    await queues['delete-scenario'].add({ scenarioId: id, requestId: id }, { jobId: 'by-mistake' });
    const done = async () => (await queues['delete-scenario'].queue.getJob('by-mistake'))?.returnvalue;
    const result = await waitUntil('the job to be done', async () => (await done()) ?? undefined);
    expect(result).to.deep.equal({ removed: 0 });
    expect(await models.scenario.exists({ _id: id })).not.to.equal(null);
  });
});

describe('the start of the sweeps', () => {
  const service = startTestService({ workers: false });

  it('adds what each kind of row needs, after Redis has lost everything', async () => {
    const { models, queues } = service.app;
    const sender = await createSender(service);
    const [{ id }, { id: deleted }] = [await createScenario(service), await createScenario(service)];
    expect((await service.request('DELETE', `/api/v1/scenarios/${deleted}`)).status).to.equal(204);
    const report = await requestReport(sender, id);
    const body = { scenario_id: id, format: 'csv', cron: '0 7 * * *' };
    const { body: schedule } = await sender.send('POST', '/api/v1/report-schedules', { body });
    const before = new Date(Date.now() - 2 * minute);
    await models.report.updateOne({ _id: report.id }, { createdAt: before });
    await models.reportSchedule.updateOne({ _id: schedule.id }, { nextRunAt: before });
    const batchId = randomUUID();
    const row = { _id: batchId, scenarioId: id, requestId: randomUUID(), count: 1, counted: false };
    await models.logBatch.collection.insertOne({ ...row, state: 'failed', failedAt: before } as never);
    const stored = buildStoredBatch(id, [], { receivedAt: before });
    await models.logBatch.collection.insertOne(stored as never);
    await deleteKeys(service.config.redisUrl, `${service.config.redisPrefix}:`);

    const end = startSweep(service.app);
    try {
      const missing = async () => {
        const found = {
          deletion: (await queues['delete-scenario'].queue.getWaiting()).some(
            ({ data }) => data.scenarioId === deleted,
          ),
          audit: (await queues['append-audit-records'].queue.getWaitingCount()) > 0,
          report: (await queues['render-csv'].queue.getJob(renderingJobId(report.id))) !== undefined,
          schedule: await queues['run-report-schedule'].isRepeated(schedule.id),
          purge: await queues.purge.isRepeated('purge'),
          rollUp: (await queues['roll-up-usage'].queue.getJobs()).some(({ data }) => data.scenarioId === id),
          failed: (await queues['ingest-entries'].queue.getJob(batchId)) !== undefined,
        };
        return Object.entries(found).flatMap(([name, isFound]) => (isFound ? [] : [name]));
      };
      let left: string[] = [];
      await waitUntil('all jobs', async () => {
        left = await missing();
        return left.length === 0;
      }).catch(() => expect.fail(`missing: ${left.join(', ')}`));
    } finally {
      end();
    }
  });
});
