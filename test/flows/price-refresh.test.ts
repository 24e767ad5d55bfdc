import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../shared/config/config.ts';
import { scheduleRefreshes } from '../../workers/cost/refresh-schedule.ts';
import { offerFile, queueProduct } from '../shared/cost/price-sources/offer-files.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { listRecords } from '../support/audit-records.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('a refresh of prices over HTTP', () => {
  let folder = '';
  let admin: Account;
  const service = startTestService({
    environment: async () => {
      folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
      return { PRICE_SOURCES: `vendor=aws:${folder}, none=litellm:${folder}/none.json` };
    },
  });
  before(async () => {
    admin = await createAccount(service);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const offer = (price: string) => {
    const rates = [
      { price, end: '100000000000' },
      { price: '0.0000003000', begin: '100000000000', end: '200000000000' },
      { price: '0.0000002400', begin: '200000000000' },
    ];
    const products = [queueProduct('us-east-1', 'Standard', rates)];
    return writeFile(join(folder, 'sqs.json'), offerFile({ offerCode: 'AWSQueueService', products }));
  };
  const refresh = (source: unknown, { headers }: Pick<Account, 'headers'> = admin) =>
    service.request('POST', '/api/v1/price-books/refresh', { headers, body: { source } });
  const newest = async () => (await service.request('GET', '/api/v1/price-books')).body.items[0].version as string;
  const jobOf = async (requestId: string) => {
    const path = `/api/v1/jobs?queue=refresh-prices&request_id=${requestId}`;
    const { body } = await service.request('GET', path, { headers: admin.headers });
    return body.items[0];
  };
  const ended = async (requestId: string) => {
    await waitUntil('the job to end', async () => ['completed', 'failed'].includes((await jobOf(requestId))?.state));
    return jobOf(requestId);
  };
  const recordOf = async (requestId: string) => {
    const list = () => listRecords(service, admin, `?event_type=PRICE_BOOK_REFRESHED&request_id=${requestId}`);
    await waitUntil('the record', async () => (await list()).length === 1);
    return (await list())[0];
  };

  it('stores a version, which its record names together with the admin, while no entry is lost', async () => {
    const before = await newest();
    const { id } = await createRunningScenario(service);
    await offer('0.0000005000');
    const entries = Array.from({ length: 50 }, (_, at) => ({ message: `entry ${at}` }));
    const sent = Array.from({ length: 10 }, () => ingest(service, id, entries));
    const accepted = await refresh('vendor');
    expect(accepted.status, accepted.text).to.equal(202);
    expect(accepted.body).to.include({ queue: 'refresh-prices', source: 'vendor' });
    const requestId = accepted.headers.get('X-Request-ID') ?? '';
    expect(await ended(requestId)).to.include({ id: accepted.body.job_id, state: 'completed' });
    for (const { status } of await Promise.all(sent)) expect(status).to.be.oneOf([200, 202]);
    await waitUntil('all entries to count', async () => (await getMetrics(service, id)).totals.logs === 500);
    expect((await getMetrics(service, id)).price_book.version).to.equal(before);
    const after = await newest();
    expect(after).not.to.equal(before);
    const record = await recordOf(requestId);
    expect(record?.details).to.deep.equal({ source: 'vendor', price_book: after, changes: 1 });
    expect(record).to.include({ account_id: admin.user.id });
    const { body: diff } = await service.request('GET', `/api/v1/price-books/${before}/diff?to=${after}`);
    expect(diff.items).to.have.length(1);
    expect(diff.items[0]).to.deep.include({ old: '0.4', new: '0.5', percent: '+25.00', as_of: '2026-11-01' });
    expect(diff.items[0].sources[0].publisher).to.equal('Amazon Web Services');
  });

  it('changes nothing if the source is refused or absent: the job and its record say why', async () => {
    const before = await newest();
    await offer('0.0000000000');
    for (const [source, reason] of [
      ['vendor', /the price is zero, the book has 0\.5/],
      ['none', /none\.json/],
    ] as const) {
      const requestId = (await refresh(source)).headers.get('X-Request-ID') ?? '';
      const job = await ended(requestId);
      expect(job).to.include({ state: 'failed' });
      expect(JSON.stringify(job)).to.match(reason);
      const record = await recordOf(requestId);
      expect(record?.details['refused']).to.match(reason);
      expect(record?.details).not.to.have.property('price_book');
      expect(await newest()).to.equal(before);
    }
  });

  it('reads only the sources that are configured, by their names, and only for an admin', async () => {
    for (const source of [
      'other',
      `aws:${folder}`,
      'https://example.com/offers',
      'genai-prices',
      '../vendor',
      7,
      null,
    ]) {
      expectError(await refresh(source), 400, 'VALIDATION_ERROR', ['source']);
    }
    expectError(await refresh('vendor', { headers: {} }), 401, 'AUTH_ERROR');
    expectError(await refresh('vendor', await createAccount(service)), 403, 'FORBIDDEN');
  });

  it('is repeated by a schedule for each source, until the schedule is switched off', async () => {
    const { queues, config } = service.app;
    const schedulers = async () => {
      const found = await queues['refresh-prices'].queue.getJobSchedulers();
      return found.map(({ key, pattern, tz }) => ({ key, pattern, tz })).sort((a, b) => (a.key < b.key ? -1 : 1));
    };
    const withCron = (cron: string) =>
      scheduleRefreshes({ queues, config: readConfig({ ...service.environment, PRICE_REFRESH_CRON: cron }) });
    expect(await schedulers(), 'off by default').to.deep.equal([]);
    await withCron('30 4 * * 1');
    await withCron('30 5 * * 1');
    expect(await schedulers()).to.deep.equal([
      { key: 'refresh none', pattern: '30 5 * * 1', tz: 'UTC' },
      { key: 'refresh vendor', pattern: '30 5 * * 1', tz: 'UTC' },
    ]);
    await scheduleRefreshes({ queues, config });
    expect(await schedulers()).to.deep.equal([]);
  });
});
