import { expect } from 'chai';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { createProgramStarter } from '../support/program-starter.ts';
import { type RunningProxy, startTcpProxy } from '../support/proxy.ts';
import { deleteKeys } from '../support/redis-keys.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { builtProgram } from '../support/test-build.ts';
import { dropDatabase } from '../support/test-database.ts';
import { getTestServers } from '../support/test-servers.ts';
import { createTestEnvironment, type RequestOptions, sendRequest } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { waitUntilReady } from '../support/wait-until-ready.ts';

describe('web and worker', () => {
  const startProgram = createProgramStarter();
  let redis: RunningProxy;
  let environment: Record<string, string> = {};
  const url = () => `http://127.0.0.1:${environment['PORT']}`;
  const request = (method: string, path: string, options?: RequestOptions) => sendRequest(url(), method, path, options);

  const start = (name: 'web' | 'worker', changes: Record<string, string> = {}) =>
    startProgram(
      builtProgram(name === 'web' ? 'dist/api/main.js' : 'dist/workers/main.js', { ...environment, ...changes }),
    );

  before(async () => {
    redis = await startTcpProxy(getTestServers().singleRedisUrl);
    environment = {
      ...createTestEnvironment(),
      REDIS_URL: redis.url,
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
      // Longer than the timeout of a test, which fails if a process waits that long.
      SHUTDOWN_GRACE_MS: '600000',
    };
  });
  after(async () => {
    await redis.stop();
    await dropDatabase(environment['MONGODB_URL'] ?? '');
    await deleteKeys(getTestServers().singleRedisUrl, `${environment['REDIS_PREFIX']}:`);
  });

  it('web finishes requests in progress at SIGTERM, and ends with exit code 0, as worker does', async () => {
    const [web, worker] = [start('web'), start('worker')];
    await waitUntilReady(url());
    const { id } = await createRunningScenario({ request });

    // The worker is suspended, so the request is still in progress when web receives SIGTERM.
    worker.child.kill('SIGSTOP');
    const response = ingest({ request }, id, { message: 'the last entry' });
    await waitUntil(
      'the entry to be accepted',
      async () => (await getMetrics({ request }, id)).totals.pending_entries === 1,
    );
    web.child.kill('SIGTERM');
    await waitUntil('new connections to be refused', async () =>
      request('GET', '/health', { headers: { Connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    worker.child.kill('SIGCONT');
    expect((await response).status).to.equal(200);
    expect(await web.ended).to.deep.equal({ code: 0, stderr: '' });
    worker.child.kill('SIGTERM');
    expect(await worker.ended).to.deep.equal({ code: 0, stderr: '' });
  });

  it('web and worker end with exit code 0 at SIGTERM while Redis is unreachable', async () => {
    const running = [start('worker'), start('web')];
    await waitUntilReady(url());
    await redis.stop();
    for (const { child } of running) child.kill('SIGTERM');
    for (const { ended } of running) expect(await ended).to.deep.equal({ code: 0, stderr: '' });
  });

  it('web and worker print in one line why they cannot start', async () => {
    const address = `127.0.0.1:${await findFreePort()}`;
    const cases = [
      [start('worker', { LOG_LEVEL: 'loud' }), /^Configuration: .*LOG_LEVEL.*\.$/],
      [start('web', { REDIS_URL: `redis://user:hidden@${address}` }), /^REDIS_URL: no Redis responds at redis:.*\.$/],
      [
        start('worker', { MONGODB_URL: `mongodb://${address}/x` }),
        /^MONGODB_URL: no database responds at mongodb:.*\.$/,
      ],
    ] as const;
    for (const [{ ended }, sentence] of cases) {
      const { code, stderr } = await ended;
      expect(code).to.equal(1);
      expect(stderr.trim()).to.match(sentence).and.not.to.contain('hidden');
    }
  });
});
