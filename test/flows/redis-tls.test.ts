import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { readConfig } from '../../shared/config/config.ts';
import { StartError } from '../../shared/errors.ts';
import { createLog } from '../../shared/process/log.ts';
import { connectRedis } from '../../shared/start.ts';
import { askRedis, createOwnFolder, durableNode, type RunningRedis, startRedisNode } from '../support/own-redis.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { useServiceProcesses } from '../support/service-processes.ts';
import { dashboardPassword } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The rules of the user that docs/deploying.md gives, with this password. */
async function documentedUser(password: string): Promise<string> {
  const text = await readFile(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
  const line = /^user meterbook on .*$/m.exec(text)?.[0] ?? '';
  expect(line).to.contain('>password ');
  return line.replace('>password ', `>${password} `);
}

const password = 'p@ss/word';

describe('with TLS and a user of an ACL in Redis', () => {
  let redis: RunningRedis;
  /** Without TLS. */
  let adminUrl = '';
  const service = useServiceProcesses(async () => {
    const folder = await createOwnFolder();
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=redis of a test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const files = ['-newkey', 'rsa:2048', '-keyout', key, '-out', certificate];
    await promisify(execFile)('openssl', ['req', '-x509', '-nodes', ...files, ...subject]);
    const [port, tlsPort] = [await findFreePort(), await findFreePort()];
    adminUrl = `redis://:admin@127.0.0.1:${port}`;
    redis = await startRedisNode(adminUrl, [
      `port ${port}`,
      `tls-port ${tlsPort}`,
      ...durableNode('admin'),
      `tls-cert-file ${certificate}`,
      `tls-key-file ${key}`,
      `tls-ca-cert-file ${certificate}`,
      'tls-auth-clients no',
      await documentedUser(password),
    ]);
    return {
      REDIS_URL: `rediss://meterbook:${encodeURIComponent(password)}@127.0.0.1:${tlsPort}`,
      REDIS_PREFIX: 'meterbook',
      NODE_EXTRA_CA_CERTS: certificate,
    };
  });
  after(() => redis.close());

  it('takes and counts entries, runs jobs, and uses no command and no key that the documented rules forbid', async () => {
    const { request } = service;
    const programs = Object.values(await service.startBoth());
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'full' })).status).to.equal(200);
    const summary = await request('POST', `/ingest/${id}?answer=summary`, { body: [{ message: 'summary' }] });
    expect(summary.status).to.equal(200);
    expect((await request('POST', '/flush')).status).to.equal(200);
    await waitUntil('the usage', async () => (await getMetrics(service, id)).totals.logs === 2);
    const headers = { Authorization: `Basic ${Buffer.from(`admin:${dashboardPassword}`).toString('base64')}` };
    expect((await request('GET', '/admin/queues/api/queues', { headers })).status).to.equal(200);
    for (const path of ['/metrics', '/api/v1/scenarios']) expect((await request('GET', path)).status).to.equal(200);
    expect((await request('DELETE', `/api/v1/scenarios/${id}`)).status).to.equal(204);
    for (const { child } of programs) child.kill('SIGTERM');
    for (const { ended } of programs) expect((await ended).stderr).to.equal('');
    expect(await askRedis(adminUrl, (admin) => admin.call('ACL', 'LOG'))).to.deep.equal([]);
  });

  it('does not start if the certificate is not trusted', async () => {
    // This process trusts no other certificates than Node does.
    const log = createLog({ level: 'error', process: 'web', silent: true });
    const error = await connectRedis(readConfig(service.environment), 'request', log).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(StartError);
    expect(String(error)).to.match(/REDIS_URL: no Redis responds at rediss\S+ \(self-signed certificate\)/);
  });
});
