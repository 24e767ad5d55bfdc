import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import { openRedis } from '../../shared/connections/redis.ts';
import { day, minute } from '../../shared/durations.ts';
import { runProcessor } from '../../workers/jobs/run-processor.ts';
import { sweepReports } from '../../workers/reports/render-report.processor.ts';
import { runReportScheduleProcessor, sweepSchedules } from '../../workers/reports/run-report-schedule.processor.ts';
import { createSender, type Sender, scenarioOf } from '../support/members.ts';
import { finishedReport, requestReport } from '../support/reports.ts';
import { createScenario, expectError, successOf } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const schedules = '/api/v1/report-schedules';

/** The documented limits of an account. */
const maxUnfinished = 20;
const maxSchedules = 100;

describe('report schedules', () => {
  const service = startTestService({ workers: false, environment: { ACCESS: 'own' } });
  let sender: Sender;
  let scenarioId: string;
  before(async () => {
    sender = await createSender(service);
    ({ id: scenarioId } = await createScenario(service));
  });
  const create = async (overrides: object = {}, as = sender) => {
    const body = { scenario_id: scenarioId, format: 'csv', cron: '0 7 * * *', timezone: 'Europe/Vienna', ...overrides };
    return (await successOf(as.send('POST', schedules, { body }))).body;
  };
  const read = async (id: string, query = '') => (await sender.send('GET', `${schedules}/${id}${query}`)).body;
  const reportsOf = (scheduleId: string) => service.app.models.report.find({ scheduleId }).lean();
  const makeDue = (id: string, ago: number) =>
    service.app.models.reportSchedule.updateOne({ _id: id }, { nextRunAt: new Date(Date.now() - ago) });
  const queue = () => service.app.queues['run-report-schedule'];

  it('schedules are created, read, listed, changed and deleted', async () => {
    const created = await create({ detail: 'entries', dialect: 'excel' });
    expect(created).to.include({
      enabled: true,
      detail: 'entries',
      dialect: 'excel',
      last_run_at: null,
      last_report_id: null,
    });
    const next = new Date(created.next_run_at);
    expect(next.getTime()).to.be.within(Date.now(), Date.now() + day + 60 * minute);
    expect(await queue().isRepeated(created.id)).to.equal(true);
    const { next_runs: runs, ...rest } = await read(created.id, '?runs=5');
    expect(rest).to.deep.equal(created);
    expect(runs.length).to.equal(5);
    expect(runs[0]).to.equal(created.next_run_at);
    expect(runs).to.deep.equal(runs.toSorted());
    const { body: list } = await sender.send('GET', `${schedules}?scenario_id=${scenarioId}&enabled=true`);
    expect(list.items.map(({ id }: { id: string }) => id)).to.include(created.id);

    const patch = (body: object) => sender.send('PATCH', `${schedules}/${created.id}`, { body });
    const disabled = (await patch({ enabled: false })).body;
    expect(disabled).to.include({ enabled: false, next_run_at: null });
    expect(await queue().isRepeated(created.id)).to.equal(false);
    expect((await read(created.id, '?runs=2')).next_runs).to.deep.equal([]);
    const changed = (await patch({ enabled: true, cron: '0 0 8 * * *', format: 'pdf' })).body;
    expect(changed).to.include({ enabled: true, cron: '0 0 8 * * *', format: 'pdf', detail: null, dialect: null });
    expect(await queue().isRepeated(created.id)).to.equal(true);
    expect((await sender.send('DELETE', `${schedules}/${created.id}`)).status).to.equal(204);
    expectError(await sender.send('GET', `${schedules}/${created.id}`), 404, 'NOT_FOUND');
    expect(await queue().isRepeated(created.id)).to.equal(false);
  });

  it('the record and the scheduler of BullMQ have the same runs where clocks change', async () => {
    const { id, next_run_at: next } = await create({ cron: '0 1 4 4 *', timezone: 'Australia/Lord_Howe' });
    const { next_runs: runs } = await read(id, '?runs=3');
    expect(runs[0]).to.equal(next);
    expect(runs.length).to.equal(3);
    const nextOfScheduler = async () => (await queue().queue.getJobScheduler(id))?.next;
    expect(await nextOfScheduler()).to.equal(Date.parse(next));
    // The worker that takes the job of a run adds that of the following run.
    const jobs = await queue().queue.getDelayed();
    await jobs.find(({ repeatJobKey }) => repeatJobKey === id)?.promote();
    await service.startWorkers();
    await waitUntil('the following run', async () => (await nextOfScheduler()) === Date.parse(runs[1]));
    await service.stopWorkers();
    expect(await reportsOf(id), 'reports of a run that is not due').to.deep.equal([]);
  });

  it('schedules of a deleted scenario are deleted', async () => {
    const { id: doomed } = await createScenario(service);
    const { id } = await create({ scenario_id: doomed });
    await service.request('DELETE', `/api/v1/scenarios/${doomed}`);
    await service.startWorkers();
    await waitUntil(
      'the scenario to be removed',
      async () => !(await service.app.models.scenario.exists({ _id: doomed })),
    );
    await service.stopWorkers();
    expectError(await sender.send('GET', `${schedules}/${id}`), 404, 'NOT_FOUND');
    expect(await queue().isRepeated(id)).to.equal(false);
  });

  describe('with three workers', () => {
    let workers: Worker[] = [];
    const start = async () => {
      const { app, config } = service;
      const redis = await openRedis(config.redisUrl, 'worker', app.log);
      const run = runProcessor(runReportScheduleProcessor, app as never);
      const name = 'run-report-schedule';
      const worker = new Worker(name, run, { connection: redis, prefix: config.redisPrefix });
      worker.on('closed', () => redis.disconnect());
      workers.push(worker);
    };
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      workers = [];
    });

    it('a schedule runs once for all runs that were missed while no worker was running, and not again', async () => {
      const { id } = await create({ dialect: 'excel' });
      await makeDue(id, 3 * day);
      // Like the scheduler of the schedule, but so often that several jobs of one run meet.
      await queue().repeat(id, { every: 50 }, { scheduleId: id, requestId: randomUUID() });
      await Promise.all([start(), start(), start()]);
      const { last_report_id: reportId, next_run_at: next } = await waitUntil('the run', async () => {
        const schedule = await read(id);
        return schedule.last_run_at === null ? undefined : schedule;
      });
      expect(new Date(next).getTime()).to.be.greaterThan(Date.now());
      const finished = async () => (await queue().queue.getJobCounts('completed'))['completed'] ?? 0;
      const before = await finished();
      await waitUntil('further jobs', async () => (await finished()) > before + 3);
      expect((await reportsOf(id)).map(({ _id }) => _id)).to.deep.equal([reportId]);
      expect((await sender.send('GET', `/api/v1/reports/${reportId}`)).body).to.include({
        schedule_id: id,
        dialect: 'excel',
        status: 'queued',
        created_by: sender.user.id,
      });
      expect(await service.app.queues['render-csv'].queue.getJob(`report-${reportId}`)).not.to.equal(undefined);
    });

    it('a schedule requests no report of a scenario that its owner does not see', async () => {
      const [owner, reader] = [await createSender(service), await createSender(service)];
      const { id } = await create({ scenario_id: await scenarioOf(owner) }, owner);
      await service.app.models.reportSchedule.updateOne({ _id: id }, { createdBy: reader.user.id });
      await makeDue(id, 2 * minute);
      await sweepSchedules(service.app);
      await start();
      const next = async () => (await service.app.models.reportSchedule.findById(id).lean())?.nextRunAt ?? 0;
      await waitUntil('the end of the run', async () => Number(await next()) > Date.now());
      expect(await reportsOf(id)).to.deep.equal([]);
    });

    it('the sweep runs a schedule if Redis has lost the scheduler', async () => {
      const { id } = await create();
      await queue().stopRepeating(id);
      await makeDue(id, 2 * minute);
      await Promise.all([sweepSchedules(service.app), sweepSchedules(service.app)]);
      await Promise.all([start(), start(), start()]);
      await waitUntil('the run', async () => (await read(id)).last_run_at !== null);
      expect((await reportsOf(id)).length).to.equal(1);
      expect(await queue().isRepeated(id)).to.equal(true);
    });
  });

  describe('the limits of reports', () => {
    const reportModel = () => service.app.models.report;
    const postReport = (sender: Sender) =>
      sender.send('POST', `/api/v1/scenarios/${scenarioId}/reports`, { body: { format: 'csv' } });
    const accepted = async (count: number, post: () => Promise<TestResponse>) =>
      (await Promise.all(Array.from({ length: count }, post))).filter(({ status }) => status < 300);

    it('an account has 100 schedules, also if they are created at the same moment', async () => {
      const sender = await createSender(service);
      const body = { scenario_id: scenarioId, format: 'csv', cron: '0 7 * * *' };
      const create = () => sender.send('POST', '/api/v1/report-schedules', { body });
      // In groups: each waits for the one before it, and a request that waits too long is a 503.
      for (let known = 0; known < maxSchedules - 10; known += 10) expect(await accepted(10, create)).to.have.length(10);
      expect(await accepted(15, create)).to.have.length(10);
      expectError(await create(), 409, 'CONFLICT');
    });

    it('an account has 20 unfinished reports, and one more for each that is deleted or rendered', async () => {
      const [sender, other] = [await createSender(service), await createSender(service)];
      const [first, ...more] = await accepted(maxUnfinished + 5, () => postReport(sender));
      expect(more).to.have.length(maxUnfinished - 1);
      expectError(await postReport(sender), 429, 'RATE_LIMITED');
      expect((await postReport(other)).status, 'of another account').to.equal(202);
      expect((await sender.send('DELETE', `/api/v1/reports/${first?.body.id}`)).status).to.equal(204);
      expect(await accepted(10, () => postReport(sender))).to.have.length(1);
      await service.startWorkers();
      for (const { body } of more) expect((await finishedReport(sender, body.id)).status).to.equal('ready');
      await service.stopWorkers();
      const renewed = await accepted(2 * maxUnfinished, () => postReport(sender));
      expect(renewed.length).to.be.within(maxUnfinished - 1, maxUnfinished);
    });

    it('the first reports of two accounts come before most of those of a third one, also after Redis has lost them', async () => {
      await reportModel().deleteMany({});
      const senders = [await createSender(service), await createSender(service), await createSender(service)] as const;
      const names = new Map(senders.map(({ user }, index) => [user.id, 'abc'[index]]));
      const { queue } = service.app.queues['render-report'];
      await queue.obliterate({ force: true });
      const [a, b, c] = senders;
      const request = (sender: Sender) => requestReport(sender, scenarioId, { format: 'pdf' });
      await Promise.all(Array.from({ length: 10 }, () => request(a)));
      for (const sender of [b, c, b]) await request(sender);
      /** The owners of the waiting reports, in the order in which workers take them. */
      const waitingOwners = async () => {
        const reports = await Promise.all(
          (await queue.getPrioritized()).map(({ data }) => reportModel().findById(data.reportId).lean()),
        );
        return reports.map((report) => names.get(report?.createdBy ?? '')).join('');
      };
      const order = await waitingOwners();
      expect(order.indexOf('b'), order).to.be.below(4);
      expect(order.indexOf('c'), order).to.be.below(5);

      await queue.obliterate({ force: true });
      const rows = await reportModel().find().sort({ createdAt: 1 }).lean();
      for (const [index, { _id }] of rows.entries()) {
        await reportModel().updateOne({ _id }, { createdAt: new Date(Date.now() - 120_000 + index) });
      }
      await sweepReports(service.app);
      expect(await waitingOwners()).to.equal('abcabaaaaaaaa');
    });
  });
});
