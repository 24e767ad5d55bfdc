import { expect } from 'chai';
import { sweepReports } from '../../workers/reports/render-report.processor.ts';
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
