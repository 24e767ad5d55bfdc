import { expect } from 'chai';
import { mongo } from 'mongoose';
import { day, hour } from '../../../shared/durations.ts';
import { ensurePurges, purge } from '../../../workers/purge/purge.processor.ts';
import { createSender, type Sender } from '../../support/members.ts';
import { createProgramStarter } from '../../support/program-starter.ts';
import { readyReport } from '../../support/reports.ts';
import { createScenario, expectError } from '../../support/requests.ts';
import { builtProgram } from '../../support/test-build.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('a purge', () => {
  const service = startTestService();
  const startProgram = createProgramStarter();
  let sender: Sender;
  let scenarioId: string;
  before(async () => {
    sender = await createSender(service);
    ({ id: scenarioId } = await createScenario(service));
  });
  const chunks = () => service.app.mongo.collection('report_files.chunks');
  const age = (id: string, days: number, change: object = {}) =>
    service.app.models.report.updateOne({ _id: id }, { createdAt: new Date(Date.now() - days * day), ...change });
  const read = async (id: string) => (await sender.send('GET', `/api/v1/reports/${id}`)).body;
  const forecast = async () => {
    const found = await purge(service.app, { isDryRun: true });
    return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
  };

  it('removes the files of old reports, and no others', async () => {
    const ready = () => readyReport(sender, scenarioId);
    const [old, recent, interrupted, ancient] = [await ready(), await ready(), await ready(), await ready()];
    const fileIdOf = async (id: string) => (await service.app.models.report.findById(id).lean())?.fileId;
    const files = await Promise.all([old, recent, interrupted].map(({ id }) => fileIdOf(id)));
    await age(old.id, 31);
    await age(recent.id, 29);
    await age(interrupted.id, 31, { status: 'expired' });
    await age(ancient.id, 400, { status: 'failed', fileId: undefined });
    const before = await forecast();
    expect(before).to.deep.include({ 'files of expired reports': 2, 'records of old reports': 1 });
    expect(await purge(service.app)).to.deep.include({ 'files of expired reports': 2, 'records of old reports': 1 });
    expect(await Promise.all(files.map((id) => chunks().countDocuments({ files_id: id })))).to.deep.equal([0, 1, 0]);
    for (const { id } of [old, interrupted]) {
      expect((await read(id)).status).to.equal('expired');
      expectError(await sender.send('GET', `/api/v1/reports/${id}/download`), 410, 'GONE');
    }
    expect((await read(recent.id)).status).to.equal('ready');
    expect((await sender.send('GET', `/api/v1/reports/${recent.id}/download`)).status).to.equal(200);
    expectError(await sender.send('GET', `/api/v1/reports/${ancient.id}`), 404, 'NOT_FOUND');
    const after = await forecast();
    expect(after).not.to.have.any.keys('files of expired reports', 'records of old reports');
  });

  it('removes files and parts of files that no report names', async () => {
    await purge(service.app);
    const { id } = await readyReport(sender, scenarioId);
    const kept = await chunks().countDocuments();
    const [whole, part] = [new mongo.ObjectId(), new mongo.ObjectId()];
    const signal = new AbortController().signal;
    const bytes = async function* () {
      yield Buffer.alloc(300_000);
    };
    for (const fileId of [whole, part]) await service.app.reportFiles.put(fileId, bytes(), signal);
    await service.app.mongo.collection('report_files.files').deleteOne({ _id: part });
    expect(await forecast()).to.include({ 'files without a report': 2 });
    expect(await chunks().countDocuments()).to.equal(kept + 4);
    expect(await purge(service.app)).to.include({ 'files without a report': 2 });
    expect(await chunks().countDocuments()).to.equal(kept);
    expect((await sender.send('GET', `/api/v1/reports/${id}/download`)).status).to.equal(200);
  });

  it('is run by a command, which only counts with --dry-run', async () => {
    const { id } = await readyReport(sender, scenarioId);
    await age(id, 31);
    const run = async (...args: string[]) => {
      const program = builtProgram('dist/workers/purge/main.js', service.environment);
      const { stdout, ended } = startProgram({ ...program, args: [...program.args, ...args] });
      const { code, stderr } = await ended;
      return { code, output: stdout() + stderr };
    };
    const forecast = await run('--dry-run');
    expect(forecast.code, forecast.output).to.equal(0);
    expect(forecast.output).to.match(/would remove:[^]*files of expired reports +1\n/);
    expect((await read(id)).status).to.equal('ready');
    expect((await run()).output).to.match(/Removed:[^]*files of expired reports +1\n/);
    expect((await read(id)).status).to.equal('expired');
    const mistaken = await run('--dryrun');
    expect([mistaken.code, mistaken.output]).to.deep.equal([
      1,
      "Unknown option '--dryrun'. purge: removes what is past its end; with --dry-run, only counts it.\n",
    ]);
  });

  it('runs every hour, also when it was scheduled before the workers were started', async () => {
    const { id } = await readyReport(sender, scenarioId);
    await service.stopWorkers();
    await age(id, 31);
    await Promise.all([ensurePurges(service.app), ensurePurges(service.app), ensurePurges(service.app)]);
    const { queue } = service.app.queues.purge;
    expect(await queue.getJobScheduler('purge')).to.include({ every: hour });
    await service.startWorkers();
    await waitUntil('the purge', async () => (await read(id)).status === 'expired');
  });
});
