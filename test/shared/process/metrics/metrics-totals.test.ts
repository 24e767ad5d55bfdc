import { expect } from 'chai';
import { createMetrics, createMetricsTotals } from '../../../../shared/process/metrics.ts';
import { startTestService } from '../../../support/test-service.ts';

describe('the totals of metrics', () => {
  const service = startTestService({ workers: false });
  const startProcess = () => {
    const metrics = createMetrics();
    const { redis } = service.app;
    const totals = createMetricsTotals(metrics, { redis, prefix: `${service.config.redisPrefix}:x`, process: 'web' });
    return { metrics, totals };
  };
  const read = async ({ totals }: ReturnType<typeof startProcess>, name: string) => {
    const metric = (await totals.read()).find((candidate) => candidate.name === name);
    return metric?.values ?? [];
  };

  it('totals are the sums over all processes, also after a process has ended', async () => {
    const [web, worker] = [startProcess(), startProcess()];
    web.metrics.ingestEntries.inc(2);
    worker.metrics.ingestEntries.inc(40);
    await worker.totals.publish();
    expect((await read(web, 'ingest_entries_total'))[0]?.value).to.equal(42);
    worker.metrics.ingestEntries.inc(1);
    // Concurrent publishing counts nothing twice.
    await Promise.all([worker.totals.publish(), worker.totals.publish(), read(worker, 'ingest_entries_total')]);
    expect((await read(startProcess(), 'ingest_entries_total'))[0]?.value).to.equal(43);
  });

  it('totals keep the buckets of a histogram in order, and labels with any characters', async () => {
    const [one, other] = [startProcess(), startProcess()];
    one.metrics.jobDuration.observe({ queue: 'a "b" \\c\n' }, 0.3);
    other.metrics.jobDuration.observe({ queue: 'a "b" \\c\n' }, 20);
    await other.totals.publish();
    const values = await read(one, 'job_duration_seconds');
    const buckets = values.filter(({ metricName }) => metricName === 'job_duration_seconds_bucket');
    const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 120, '+Inf'];
    expect(buckets.map(({ labels }) => String(labels['le']))).to.deep.equal(bounds.map(String));
    expect(buckets.map(({ value }) => value)).to.deep.equal([0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2]);
    expect(values.map(({ labels }) => labels['queue'])).to.deep.equal(values.map(() => 'a "b" \\c\n'));
  });

  it('totals leave out processes that have ended', async () => {
    const key = `${service.config.redisPrefix}:x:process-metrics`;
    const value = (pid: string) => ({ labels: { pid }, value: 1 });
    const published = (at: number, pid: string) =>
      JSON.stringify({ at, metrics: [{ name: 'process_of_test', help: 'x', type: 'gauge', values: [value(pid)] }] });
    const processes = { ended: published(Date.now() - 120_000, '1'), present: published(Date.now(), '2') };
    await service.app.redis.hset(key, processes);
    expect(await read(startProcess(), 'process_of_test')).to.deep.equal([value('2')]);
    expect(await service.app.redis.hexists(key, 'ended')).to.equal(0);
  });

  it('counts that could not be published are published later', async () => {
    const { metrics } = startProcess();
    const { redis } = service.app;
    let isReachable = false;
    const unreliable = new Proxy(redis, {
      get: (target, name) =>
        name === 'eval' && !isReachable
          ? () => Promise.reject(new Error('Connection is closed.'))
          : Reflect.get(target, name).bind(target),
    });
    const prefix = `${service.config.redisPrefix}:y`;
    const totals = createMetricsTotals(metrics, { redis: unreliable, prefix, process: 'web' });
    metrics.ingestBytes.inc(10);
    expect(await totals.publish().catch(() => 'failed')).to.equal('failed');
    isReachable = true;
    expect((await totals.read()).find(({ name }) => name === 'ingest_bytes_total')?.values[0]?.value).to.equal(10);
  });
});
