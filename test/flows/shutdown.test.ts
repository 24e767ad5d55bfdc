import { expect } from 'chai';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { isLongForm } from '../support/long-form.ts';
import { createProgramStarter } from '../support/program-starter.ts';
import { startRedisProxy } from '../support/proxy.ts';
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
  const start = {
    web: (environment: Record<string, string>) => startProgram(builtProgram('dist/api/main.js', environment)),
    worker: (environment: Record<string, string>) => startProgram(builtProgram('dist/workers/main.js', environment)),
  };

  describe('at SIGTERM', () => {
    let environment: Record<string, string> = {};
    const url = () => `http://127.0.0.1:${environment['PORT']}`;
    const request = (method: string, path: string, options?: RequestOptions) =>
      sendRequest(url(), method, path, options);

    before(async () => {
      environment = {
        ...createTestEnvironment(),
        HOST: '127.0.0.1',
        PORT: String(await findFreePort()),
        SHUTDOWN_GRACE_MS: '60000',
      };
    });
    after(async () => {
      await dropDatabase(environment['MONGODB_URL'] ?? '');
      await deleteKeys(environment['REDIS_URL'] ?? '', `${environment['REDIS_PREFIX']}:`);
    });

    it('web finishes requests in progress, and ends with exit code 0, as worker does', async () => {
      const web = start.web(environment);
      const worker = start.worker(environment);
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

      // In the short form, the 200 says that the entry counts. SIGINT has the handler of SIGTERM.
      if (!isLongForm) return;
      const again = start.web(environment);
      await waitUntil(
        'web to respond',
        async () => (await request('GET', '/health').catch(() => undefined))?.status === 200,
      );
      expect((await getMetrics({ request }, id)).totals.logs).to.equal(1);
      again.child.kill('SIGINT');
      expect((await again.ended).code).to.equal(0);
    });
  });

  it('web and worker end with exit code 0 at SIGTERM while Redis is unreachable', async () => {
    const own = createTestEnvironment();
    const { singleRedisUrl } = getTestServers();
    const redis = await startRedisProxy(singleRedisUrl);
    try {
      const environment = {
        ...own,
        REDIS_URL: redis.url,
        HOST: '127.0.0.1',
        PORT: String(await findFreePort()),
        // Longer than the timeout of this test: it fails if a process waits that long.
        SHUTDOWN_GRACE_MS: '600000',
      };
      const running = [start.worker(environment), start.web(environment)];
      await waitUntilReady(`http://127.0.0.1:${environment.PORT}`);
      await redis.stop();
      for (const { child } of running) child.kill('SIGTERM');
      for (const { ended } of running) expect(await ended).to.deep.equal({ code: 0, stderr: '' });
    } finally {
      await redis.stop();
      await dropDatabase(own['MONGODB_URL'] ?? '');
      await deleteKeys(singleRedisUrl, `${own['REDIS_PREFIX']}:`);
    }
  });

  describe('that cannot start', () => {
    const complete = async () => ({
      ...createTestEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
    });

    for (const name of ['web', 'worker'] as const) {
      it(`${name} prints in one sentence why it cannot start`, async () => {
        const environment = await complete();
        const unusedPort = await findFreePort();
        const cases: [Record<string, string>, RegExp][] = [
          [{ SERVICE_SECRET: 'short', LOG_LEVEL: 'loud' }, /^Configuration: .*LOG_LEVEL.*SERVICE_SECRET.*\.$/],
          [
            { REDIS_URL: `redis://user:hidden@127.0.0.1:${unusedPort}` },
            /^REDIS_URL: no Redis responds at redis:\/\/127.*\.$/,
          ],
          [
            { MONGODB_URL: `mongodb://127.0.0.1:${unusedPort}/x` },
            /^MONGODB_URL: no database responds at mongodb:\/\/127.*\.$/,
          ],
        ];
        // The processes share the functions that read the configuration and connect, and that
        // print why these fail. The short form tests Redis in web, and MongoDB in worker.
        const shown = isLongForm ? cases : name === 'web' ? cases.slice(1, 2) : cases.slice(2);
        const check = async ([changes, sentence]: (typeof cases)[number]) => {
          const { code, stderr } = await start[name]({ ...environment, ...changes }).ended;
          expect(code).to.equal(1);
          expect(stderr.trim()).to.match(sentence);
          expect(stderr.trim().split('\n')).to.have.length(1);
          expect(stderr).not.to.contain('hidden');
        };
        await Promise.all(shown.map(check));
      });
    }
  });
});
