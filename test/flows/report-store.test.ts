import { expect } from 'chai';
import { readConfig } from '../../shared/config/config.ts';
import type { S3Target } from '../../shared/config/report-store.ts';
import { day } from '../../shared/durations.ts';
import { openFileStores } from '../../shared/files/file-stores.ts';
import { createS3Client } from '../../shared/files/s3-client.ts';
import { createModels } from '../../shared/models.ts';
import { StartError } from '../../shared/process/start-error.ts';
import { purge } from '../../workers/purge/purge.ts';
import { createSender, type Sender } from '../support/members.ts';
import { finishedReport, readyReport, requestReport } from '../support/reports.ts';
import { createRunningScenario, expectError } from '../support/requests.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('reports in an object store', () => {
  let server: S3Server;
  // Before the service, which is started by a hook too.
  before(async () => {
    server = await startS3Server();
  });
  const service = startTestService({
    environment: async () => ({ ...server.environment, MONGODB_TIMEOUT_MS: '5000' }),
  });
  let sender: Sender;
  let scenarioId: string;
  before(async () => {
    sender = await createSender(service);
    ({ id: scenarioId } = await createRunningScenario(service));
  });
  after(() => server.close());

  const download = (id: string, headers = {}) =>
    sender.send('GET', `/api/v1/reports/${id}/download`, { headers: { 'Accept-Encoding': 'identity', ...headers } });
  const keys = () => server.proxy.received.filter(({ method }) => method === 'PUT').map(({ path }) => path);

  it('reports are written, downloaded whole and in ranges, and removed', async () => {
    const { id, size_bytes: size } = await readyReport(sender, scenarioId);
    expect(keys().at(-1)).to.match(/^\/files\/meterbook\/reports\/[0-9a-f]{24}$/);
    const whole = await download(id);
    expect(whole.status).to.equal(200);
    expect(whole.bytes).to.have.length(size ?? 0);
    const part = await download(id, { Range: 'bytes=2-5' });
    expect(part.status).to.equal(206);
    expect(part.text).to.equal(whole.text.slice(2, 6));
    expect(await service.app.mongo.collection('report_files.files').countDocuments()).to.equal(0);

    await service.app.models.report.updateOne({ _id: id }, { createdAt: new Date(Date.now() - 31 * day) });
    expect(await purge(service.app)).to.include({ 'files of expired reports': 1 });
    const files = [];
    for await (const fileId of service.app.files.reports.listIds()) files.push(fileId);
    expect(files).to.deep.equal([]);
  });

  it('reports that the store has lost respond with 410', async () => {
    const { id } = await readyReport(sender, scenarioId);
    const { fileId } = (await service.app.models.report.findById(id).lean()) ?? {};
    if (fileId) await service.app.files.reports.remove(fileId);
    expectError(await download(id), 410, 'GONE');
  });

  it('reports wait for a store that is unreachable, whose files are 503 in the meantime', async () => {
    const { id } = await readyReport(sender, scenarioId);
    await server.proxy.stop();
    const refused = await download(id);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    const { id: waiting } = await requestReport(sender, scenarioId);
    const job = async () => {
      const found = await service.app.queues['render-csv'].queue.getJobs();
      return found.find(({ data }) => data.reportId === waiting);
    };
    await waitUntil('two attempts', async () => ((await job())?.attemptsMade ?? 0) >= 2);
    expect(await service.app.models.report.findById(waiting).lean()).to.include({ status: 'rendering' });
    await server.proxy.start();
    expect((await finishedReport(sender, waiting)).status).to.equal('ready');
    expect(await service.app.models.report.findById(waiting).lean()).to.include({ attempts: 1 });
    expect((await download(id)).status).to.equal(200);
  });

  it('readiness names the store while its prefix belongs to another installation', async () => {
    const client = await createS3Client(service.config.files as S3Target, 5_000);
    const own = (await client('GET', 'meterbook/owner')).body.toString();
    await client('PUT', 'meterbook/owner', { body: 'another installation' });
    const ready = await service.request('GET', '/health/ready?for=all');
    await client('PUT', 'meterbook/owner', { body: own });
    expectError(ready, 503, 'SERVICE_UNAVAILABLE');
    expect(ready.body.error.details).to.deep.include({
      field: 'report_store',
      error: 'belongs to another installation',
    });
  });

  it('the start fails with one sentence if the bucket, the credentials or the owner of the prefix are wrong', async () => {
    const { log, mongo, models } = service.app;
    /** The sentence that a process prints before it ends; undefined if it starts. */
    const startErrorOf = async (environment: Record<string, string>, { installation } = models) => {
      const config = readConfig({ ...service.environment, ...environment });
      const opened = openFileStores(config, { mongo, installation, role: 'request', log, claims: true });
      const error = await opened.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) expect(error).to.be.instanceOf(StartError);
      return (error as StartError | undefined)?.message;
    };
    expect(await startErrorOf({ REPORT_STORE: 's3://nothing' })).to.equal(
      'REPORT_STORE: the bucket nothing does not exist; create it or correct the variable.',
    );
    expect(await startErrorOf({ AWS_ACCESS_KEY_ID: 'somebody' })).to.match(
      /^REPORT_STORE: the store refuses access to the bucket files \(InvalidAccessKeyId\)/,
    );
    const other = mongo.useDb(`${mongo.name}_other`);
    expect(await startErrorOf({}, createModels(other))).to.match(
      /^REPORT_STORE: s3:\/\/files\/meterbook\/ belongs to the installation /,
    );
    await other.dropDatabase();
    const unreachable = { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' };
    expect(await startErrorOf(unreachable), 'an outage prevents no start').to.equal(undefined);
  });
});
