import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { expect } from 'chai';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { allRoutes } from '../../api/all-routes.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { allQueues } from '../../shared/all-queues.ts';
import { createRunningScenario, createScenario, expectError, ingest } from '../support/requests.ts';
import { sendRequest, startTestService, type TestService, withApp } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Values by series, as they are written: `name{label="value"}`. */
type Samples = ReadonlyMap<string, number>;

const sampleLine = /^(?<series>[a-z_]+(?:\{(?:[a-z]+="[^"\\\n]*",?)*\})?) (?<value>\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** Checks the format by a library and, more strictly, line by line. */
function readSamples(text: string): Samples {
  const families = parsePrometheusTextFormat(text);
  expect(families.map(({ name }) => name)).to.have.length(new Set(families.map(({ name }) => name)).size);
  for (const { name, type, help } of families) {
    expect(type, name).to.be.oneOf(['COUNTER', 'GAUGE', 'HISTOGRAM']);
    expect(help, name).not.to.equal('');
  }
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const { series = '', value } = sampleLine.exec(line)?.groups ?? {};
    expect(value, line).to.be.a('string');
    expect(samples.has(series), series).to.equal(false);
    samples.set(series, Number(value));
  }
  return samples;
}

/** The samples, once a scrape satisfies the condition. */
async function scrape(service: TestService, what: string, isComplete: (samples: Samples) => boolean): Promise<Samples> {
  return waitUntil(what, async () => {
    const { status, text, headers } = await service.request('GET', '/metrics');
    expect(status, text).to.equal(200);
    expect(headers.get('Content-Type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const samples = readSamples(text);
    return isComplete(samples) ? samples : undefined;
  });
}

describe('/metrics', () => {
  const service = startTestService();

  it('has the counters of web and worker, the queues and the breaker, in the text format of Prometheus', async () => {
    const { id } = await createRunningScenario(service);
    await createScenario(service, { region: 'us-east-1' });
    await ingest(service, id, [{ message: 'mail from jane@example.com' }, { message: 'x'.repeat(100) }]);
    await service.request('GET', `/api/v1/scenarios/${id}`);
    await service.request('GET', `/api/v1/scenarios/${randomUUID()}`);
    await service.request('GET', `/unknown/${randomUUID()}`);
    await service.request('PROPFIND', '/health');

    const samples = await scrape(service, 'the job', (found) => found.get('ingest_entries_total') === 2);
    const route = '/api/v1/scenarios/{id}';
    const expected: Record<string, number> = {
      [`http_requests_total{method="GET",route="${route}",status="200"}`]: 1,
      [`http_requests_total{method="GET",route="${route}",status="404"}`]: 1,
      'http_requests_total{method="GET",route="unmatched",status="404"}': 1,
      'http_requests_total{method="other",route="unmatched",status="405"}': 1,
      [`http_request_duration_seconds_count{method="GET",route="${route}"}`]: 2,
      [`http_request_duration_seconds_bucket{le="+Inf",method="GET",route="${route}"}`]: 2,
      'pii_findings_total{type="email"}': 1,
      'job_attempts_total{outcome="completed",queue="ingest-entries"}': 1,
      'job_attempts_total{outcome="failed",queue="ingest-entries"}': 0,
      'job_duration_seconds_count{queue="ingest-entries"}': 1,
      'scenarios_created_total{region="us-east-1",status="draft"}': 1,
    };
    for (const [series, value] of Object.entries(expected)) expect(samples.get(series), series).to.equal(value);
    expect(samples.get('ingest_bytes_total')).to.be.greaterThan(100);
    // There is no backend, which the first probe finds out.
    expect(samples.get('notebook_breaker_open')).to.be.oneOf([0, 1]);
    // Neither ids nor raw paths are in labels.
    const known = new Set([...allRoutes(service.app).map(({ path }) => path), 'unmatched', '/admin/queues']);
    for (const series of samples.keys()) {
      expect(series).not.to.match(/[0-9a-f]{8}-/);
      const { route: named } = /route="(?<route>[^"]*)"/.exec(series)?.groups ?? {};
      if (named !== undefined) expect(known.has(named), named).to.equal(true);
    }
    for (const queue of Object.keys(allQueues)) {
      expect(samples.get(`queue_jobs{queue="${queue}",state="failed"}`), queue).to.equal(0);
      expect(samples.get(`queue_oldest_job_age_seconds{queue="${queue}"}`), queue).to.be.a('number');
    }
  });

  it('counts entries that are rejected or skipped, whichever way they were sent', async () => {
    const { id } = await createRunningScenario(service);
    const long = 'x'.repeat(300_000);
    const lines = `one\n \n${long}\ntwo\n\n`;
    const headers = { 'Content-Type': 'text/plain' };
    const { body: summary } = await service.request('POST', `/ingest/${id}`, { headers, body: lines });
    expect(summary).to.include({ rejected: 1 });
    expect(summary.skipped).to.be.greaterThan(0);
    const partial = [{ message: 'three' }, { message: 5 }, { message: '' }];
    const inPart = { 'X-Scenario-ID': id };
    expect((await service.request('POST', '/ingest?partial=true', { headers: inPart, body: partial })).status).to.equal(
      207,
    );
    // A request that is refused as a whole has no rejected entries.
    expect((await service.request('POST', '/ingest', { headers: inPart, body: partial })).status).to.equal(400);
    const logRecords = [{ body: { stringValue: 'four' } }, { body: { stringValue: long } }, {}];
    const otlp = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
    expect((await service.request('POST', `/ingest/${id}/v1/logs`, { body: otlp })).status).to.equal(200);
    const samples = await scrape(
      service,
      'the rejected entries',
      (found) => found.get('ingest_rejected_entries_total') === 4,
    );
    expect(samples.get('ingest_skipped_entries_total')).to.equal(summary.skipped + 1);
  });

  it('names the version, and shows memory, processor time and start of each process', async () => {
    const samples = await scrape(service, 'a scrape', () => true);
    const labels = `host="${hostname()}",pid="${process.pid}",process="web"`;
    expect(samples.get(`process_resident_memory_bytes{${labels}}`)).to.be.greaterThan(10_000_000);
    expect(samples.get(`process_cpu_seconds_total{${labels}}`)).to.be.greaterThan(0);
    expect(samples.get(`process_start_time_seconds{${labels}}`)).to.be.within(
      Date.now() / 1000 - 10_000,
      Date.now() / 1000,
    );
    const build = [...samples.keys()].find((series) => series.startsWith('meterbook_build_info'));
    expect(build).to.contain(`version="${packageJson.version}"`).and.to.contain(`node="${process.versions.node}"`);
  });

  it('shows the depth of a queue, the age of its oldest job, and failed attempts', async () => {
    await service.stopWorkers();
    await service.app.queues['roll-up-usage'].add({ scenarioId: randomUUID(), requestId: randomUUID() });
    const age = 'queue_oldest_job_age_seconds';
    const waiting = 'queue_jobs{queue="roll-up-usage",state="wait"}';
    // The roll-up of an earlier test can still wait there.
    const samples = await scrape(service, 'the job', (found) => (found.get(waiting) ?? 0) >= 1);
    expect(samples.get(`${age}{queue="roll-up-usage"}`)).to.be.greaterThan(0);
    expect(samples.get(`${age}{queue="notebook-calls"}`)).to.equal(0);
    await service.app.queues['delete-scenario'].queue.add('another name', { scenarioId: 'x' });
    await service.startWorkers();
    const failures = 'job_attempts_total{outcome="failed",queue="delete-scenario"}';
    await scrape(service, 'the failure', (found) => found.get(failures) === 1);
  });

  it('is not available without METRICS_TOKEN in strict mode, nor in production', async () => {
    const { auth, ...others } = service.config;
    for (const changes of [{ auth: { ...auth, mode: 'strict' } }, { environment: 'production' }] as const) {
      const config = { ...others, auth, ...changes };
      await withApp({ ...service.app, config }, async (url) => {
        const refused = await sendRequest(url, 'GET', '/metrics');
        expectError(refused, 401, 'AUTH_ERROR');
        expect(refused.body.error.message).to.contain('METRICS_TOKEN');
      });
    }
  });
});

describe('/metrics with METRICS_TOKEN', () => {
  const token = 'a token of Prometheus';
  const service = startTestService({ workers: false, environment: { METRICS_TOKEN: token, RATE_LIMIT_FREE: '1' } });
  const read = (headers = {}) => service.request('GET', '/metrics', { headers });

  it('metrics require the token, and count the refusals of a limit by its name', async () => {
    for (const wrong of [{}, { Authorization: 'Bearer wrong' }, { Authorization: token }, { 'X-API-Key': token }]) {
      const refused = await read(wrong);
      expectError(refused, 401, 'AUTH_ERROR');
      expect(refused.headers.get('WWW-Authenticate')).to.match(/^Bearer/);
    }
    const body = { token: 'x', password: 'a long password' };
    for (let sent = 0; sent < 3; sent += 1) await service.request('POST', '/api/v1/auth/password-reset', { body });
    await waitUntil('the refusals', async () => {
      const { status, text } = await read({ Authorization: `Bearer ${token}` });
      expect(status).to.equal(200);
      return text.includes('rate_limit_refusals_total{limit="free"} 2\n');
    });
  });
});
