import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { owned } from '../../api/http/access/ownership.ts';
import { createSchedule } from '../../api/reports/report-schedules.store.ts';
import { createReport } from '../../api/reports/reports.store.ts';
import { findScenario } from '../../api/scenarios/scenarios.store.ts';
import { renderingJobId } from '../../shared/reports/render-report.queue.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { sweepReports } from '../../workers/reports/render-report.processor.ts';
import { isLongForm } from '../support/long-form.ts';
import { createSender, type Sender } from '../support/members.ts';
import { finishedReport, requestReport } from '../support/reports.ts';
import { createScenario, expectError } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

/** The documented limits of an account. */
const maxUnfinished = 20;
const maxSchedules = 100;

describe('the limits of reports', () => {
  const service = startTestService({ workers: false });
  let scenarioId: string;
  before(async () => {
    ({ id: scenarioId } = await createScenario(service));
  });
  const reportModel = () => service.app.models.report;
  const postReport = (sender: Sender) =>
    sender.send('POST', `/api/v1/scenarios/${scenarioId}/reports`, { body: { format: 'csv' } });
  /** Without HTTP. */
  const createScheduleOf = (owner: string) => {
    const { models } = service.app;
    const ownership = { owner, visible: null };
    const deps = {
      schedules: owned<ReportSchedule>(models.reportSchedule, ownership),
      scenarios: owned<Scenario>(models.scenario, ownership),
    };
    const when = { cron: '0 7 * * *', timezone: 'UTC', enabled: true };
    return createSchedule(deps, { scenario_id: scenarioId, format: 'csv', ...when });
  };
  const atOnce = (count: number, post: () => Promise<TestResponse>) => Promise.all(Array.from({ length: count }, post));
  const accepted = (responses: TestResponse[]) => responses.filter(({ status }) => status < 300);

  it('limits hold for reports and schedules that are created at the same moment', async () => {
    const { models } = service.app;
    // Without HTTP, because requests would arrive one after the other.
    const ownership = { owner: randomUUID(), visible: null };
    const scenarios = owned<Scenario>(models.scenario, ownership);
    const scenario = await findScenario(scenarios, scenarioId);
    const reports = owned<Report>(reportModel(), ownership);
    const created = [
      Array.from({ length: isLongForm ? 80 : maxUnfinished + 10 }, () =>
        createReport({ reports, scenarios }, scenario, { format: 'csv' }),
      ),
      Array.from({ length: maxSchedules + (isLongForm ? 20 : 5) }, () => createScheduleOf(ownership.owner)),
    ];
    const outcomes = await Promise.all(created.map((attempts) => Promise.allSettled<unknown>(attempts)));
    const reasons = new Set(
      outcomes.flat().flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : [])),
    );
    expect([...reasons]).to.have.members(['RATE_LIMITED', 'CONFLICT']);
    expect(outcomes.map((all) => all.filter(({ status }) => status === 'fulfilled').length)).to.deep.equal([
      maxUnfinished,
      maxSchedules,
    ]);
    const createdBy = ownership.owner;
    expect(await reportModel().countDocuments({ createdBy })).to.equal(maxUnfinished);
    expect(await models.reportSchedule.countDocuments({ createdBy })).to.equal(maxSchedules);
  });

  it('one report is accepted for each that is deleted or rendered', async () => {
    const [sender, other] = [await createSender(service), await createSender(service)];
    const [first, ...more] = accepted(await atOnce(maxUnfinished, () => postReport(sender)));
    expectError(await postReport(sender), 429, 'RATE_LIMITED');
    expect((await postReport(other)).status, 'of another account').to.equal(202);
    expect((await sender.send('DELETE', `/api/v1/reports/${first?.body.id}`)).status).to.equal(204);
    expect(accepted(await atOnce(10, () => postReport(sender)))).to.have.length(1);
    await service.startWorkers();
    for (const { body } of more) expect((await finishedReport(sender, body.id)).status).to.equal('ready');
    await service.stopWorkers();
    expect(accepted(await atOnce(2 * maxUnfinished, () => postReport(sender))).length).to.be.within(
      maxUnfinished - 1,
      maxUnfinished,
    );
  });
});

describe('the order of reports', () => {
  const service = startTestService({ workers: false });
  let scenarioId: string;
  before(async () => {
    ({ id: scenarioId } = await createScenario(service));
  });
  const pdfs = () => service.app.queues['render-report'].queue;
  /** The owners of the waiting reports, in the order in which workers take them. */
  const waitingOwners = async (queue: 'render-csv' | 'render-report', names: Map<string, string>) => {
    const jobs = await service.app.queues[queue].queue.getPrioritized();
    const reports = await Promise.all(
      jobs.map((job) => service.app.models.report.findById((job.data as { reportId: string }).reportId).lean()),
    );
    return reports.map((report) => names.get(report?.createdBy ?? '')).join('');
  };
  const senders = async () => {
    for (const queue of ['render-csv', 'render-report'] as const)
      await service.app.queues[queue].queue.obliterate({ force: true });
    await service.app.models.report.deleteMany({});
    const [a, b, c] = [await createSender(service), await createSender(service), await createSender(service)];
    const names = new Map(Object.entries({ a, b, c }).map(([name, { user }]) => [user.id, name]));
    return { a, b, c, names };
  };
  const request = (sender: Sender, format: 'csv' | 'pdf') => requestReport(sender, scenarioId, { format });

  it('gives the first reports of two accounts their turn before most of those that a third one requested before', async () => {
    const { a, b, c, names } = await senders();
    await Promise.all(Array.from({ length: 15 }, () => request(a, 'pdf')));
    await Promise.all(Array.from({ length: 5 }, () => request(a, 'csv')));
    await request(b, 'pdf');
    await request(c, 'csv');
    expect(await waitingOwners('render-report', names)).to.match(/^a{0,2}ba+$/);
    expect(await waitingOwners('render-csv', names)).to.match(/^a{0,2}ca+$/);
    // The first account is an admin.
    const { body } = await a.send('GET', '/api/v1/jobs?queue=render-report&state=waiting');
    expect(body.items.map(({ state }: { state: string }) => state)).to.deep.equal(Array(16).fill('waiting'));
  });

  it('gives two accounts turns, however long one of them has waited', async () => {
    const { a, b, names } = await senders();
    const many = [];
    for (let count = 0; count < 8; count += 1) many.push(await request(a, 'pdf'));
    for (const { id } of many.slice(0, 4)) await pdfs().remove(renderingJobId(id));
    for (let count = 0; count < 4; count += 1) await request(b, 'pdf');
    expect(await waitingOwners('render-report', names)).to.equal('abababab');
  });

  it('is the same after Redis has lost the jobs', async () => {
    const { a, b, names } = await senders();
    for (let count = 0; count < 6; count += 1) await request(a, 'pdf');
    for (let count = 0; count < 3; count += 1) await request(b, 'pdf');
    await pdfs().obliterate({ force: true });
    const rows = await service.app.models.report.find().sort({ createdAt: 1 }).lean();
    for (const [index, { _id }] of rows.entries()) {
      await service.app.models.report.updateOne({ _id }, { createdAt: new Date(Date.now() - 120_000 + index) });
    }
    await sweepReports(service.app);
    expect(await waitingOwners('render-report', names)).to.equal('abababaaa');
  });
});
