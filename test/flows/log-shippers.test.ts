import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { generateLine } from '../../scripts/shippers/generated-lines.ts';
import { findShippers } from '../../scripts/shippers/shippers.ts';
import { startParticipant } from '../../scripts/shippers/start-participant.ts';
import type { ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import { entriesOf } from '../../shared/ingest/log-entries.ts';
import { createAccount, createApiKey } from '../support/accounts.ts';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const lines = Array.from({ length: 1200 }, (_, index) => generateLine(index));
const hashes = lines.map((line) => createHash('sha256').update(line).digest('hex')).sort();

describe('the configurations of docs/log-shippers.md', () => {
  const service = startTestService({ environment: { AUTH_MODE: 'strict' } });
  const folder = createTemporaryFolder();

  it('curl, winston and pino deliver every line once', async () => {
    const account = await createAccount(service);
    Object.assign(service.headers, account.headers);
    const { key } = await createApiKey(service, account);
    const chosen = await findShippers(['curl', 'winston', 'pino'], undefined);
    expect(chosen.map(({ shipper }) => shipper.name)).to.deep.equal(['curl', 'winston', 'pino']);
    await Promise.all(
      chosen.map(async (one) => {
        const { id } = await createRunningScenario(service);
        const target = { port: Number(new URL(service.url).port), scenarioId: id, key };
        const { running } = await startParticipant(one, target, { lines, seconds: 0.1, directory: folder.path });
        try {
          const areCounted = async () => (await getMetrics(service, id)).totals.logs >= lines.length;
          await waitUntil(`the lines of ${one.shipper.name} to be counted`, areCounted);
        } finally {
          await running.stop();
        }
        const entries = (
          await service.app.models.logBatch.find({ scenarioId: id }).lean<ProcessedLogBatch[]>()
        ).flatMap(entriesOf);
        const counted = entries.map(({ hash }) => hash).sort();
        expect(counted, running.output()).to.deep.equal(hashes);
        const levels = new Set(entries.map(({ level }) => level));
        expect([...levels]).to.deep.equal([one.shipper.name === 'curl' ? undefined : 'info']);
      }),
    );
  });

  it('the service reads the records of the other shippers', async () => {
    const { id } = await createRunningScenario(service);
    // The requests of rsyslog, syslog-ng, journald, Docker and Fluent Bit with these
    // configurations.
    const records = [
      { message: 'a', timestamp: '2026-05-01T12:30:00.123456+02:00', level: 'info', source: 'app', hostname: 'web-1' },
      { message: 'b', timestamp: '2026-05-01T10:31:00+00:00', level: 'notice', source: 'app', hostname: 'web-1' },
      { MESSAGE: [99], PRIORITY: '3', _SYSTEMD_UNIT: 'app.service', __REALTIME_TIMESTAMP: '1777631460000000' },
      { log: 'd\n', stream: 'stderr', time: '2026-05-01T10:32:00.123456789Z' },
      { date: 1777631580.5, log: 'e', kubernetes: { container_name: 'app', labels: { tier: 'web' } } },
    ];
    const response = await service.request('POST', `/ingest/${id}?answer=full`, {
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    });
    expect(response.status, response.text).to.equal(200);
    // All have the same hour.
    const metrics = await getMetrics(service, id);
    expect(metrics.timeseries.map(({ hour, logs }: Record<string, unknown>) => [hour, logs])).to.deep.equal([
      ['2026-05-01T10:00:00.000Z', records.length],
    ]);
    const read = response.body.results.map((result: Record<string, string>) => [
      result['message_preview'],
      result['level'],
      result['source'],
    ]);
    expect(read).to.deep.equal([
      ['a', 'info', 'app'],
      ['b', 'notice', 'app'],
      ['c', 'err', 'app.service'],
      ['d\n', null, 'stderr'],
      ['e', null, 'app'],
    ]);
  });
});
