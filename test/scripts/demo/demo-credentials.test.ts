import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createAccount, createApiKey } from '../../support/accounts.ts';
import { isLongForm } from '../../support/long-form.ts';
import { startTestService } from '../../support/test-service.ts';

const program = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));

interface DemoRun {
  code: number;
  stdout: string;
  stderr: string;
  /** The contents of the files whose paths it has printed. */
  reports: string[];
}

async function demo(url: string, environment: Record<string, string>, ...args: string[]): Promise<DemoRun> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
  const given = ['--url', url, '--lines', '20', '--out', folder, ...args];
  const env = { ...process.env, METERBOOK_API_KEY: '', ...environment };
  const run = await promisify(execFile)(process.execPath, [program, ...given], { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
  const paths = [...run.stdout.matchAll(/^ {2}(\S+\.(?:pdf|csv))$/gm)].map(([, path = '']) => path);
  const reports = await Promise.all(paths.map((path) => readFile(path, 'latin1')));
  await rm(folder, { recursive: true });
  return { ...run, reports };
}

const noReports = 'No reports were saved: they need an API key with the scopes reports:read and reports:write.';

describe('the demo of a service that requires credentials', () => {
  const service = startTestService({ environment: { AUTH_MODE: 'strict' } });
  const newKey = async (scopes: string[]) =>
    (await createApiKey(service, await createAccount(service), { scopes })).key;

  it('registers an account with a key, which is a member even if it is the first, and prints costs', async () => {
    const { code, stdout, stderr, reports } = await demo(service.url, {});
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^20 lines sent and counted in /m);
    expect(stdout).to.contain('By hour');
    expect(stdout).to.match(/ is stopped\. /);
    const [pdf, csv] = reports;
    expect(pdf).to.match(/^%PDF-/);
    const logs = [...(csv ?? '').matchAll(/,"queue",(\d+),/g)].map(([, count]) => Number(count));
    expect(logs.reduce((sum, count) => sum + count, 0)).to.equal(20);
    const [, email, password] = /^Registered an account for the demo: (\S+), password (\S+)$/m.exec(stdout) ?? [];
    const login = await service.request('POST', '/api/v1/auth/login', { body: { email, password } });
    expect([login.status, login.body.user?.role], login.text).to.deep.equal([200, 'member']);
    const [, key = '', path = ''] = /curl -H "X-API-Key: (\S+)" http:\/\/[^/]+(\S+)$/m.exec(stdout) ?? [];
    const metrics = await service.request('GET', path, { headers: { 'X-API-Key': key } });
    expect(metrics.body.totals.logs, metrics.text).to.equal(20);
  });

  it('uses an API key from the arguments or the environment, and does not print it', async () => {
    const key = await newKey(['scenarios:read', 'scenarios:write', 'ingest']);
    const runs = [
      { shown: '<your key>', environment: { METERBOOK_API_KEY: 'mb_another' }, args: ['--api-key', key] },
      // demo-arguments.test.ts shows that its arguments are the same.
      ...(isLongForm ? [{ shown: '$METERBOOK_API_KEY', environment: { METERBOOK_API_KEY: key }, args: [] }] : []),
    ];
    for (const { shown, environment, args } of runs) {
      const { code, stdout, stderr } = await demo(service.url, environment, ...args);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^20 lines sent and counted in /m);
      expect(stdout).to.contain(`curl -H "X-API-Key: ${shown}" http`);
      expect(stdout).not.to.contain(key);
      expect(stdout).to.contain(noReports);
    }
  });

  it('names the missing scope of a key', async () => {
    const { code, stderr } = await demo(service.url, { METERBOOK_API_KEY: await newKey(['scenarios:read']) });
    expect(code).to.equal(1);
    expect(stderr).to.match(/failed with 403, .*scenarios:write.*\n$/);
  });
});

// The tests of the banner show that the service of the first mode takes requests without a key.
for (const mode of isLongForm ? (['documented', 'strict'] as const) : (['strict'] as const)) {
  describe(`the demo of a service with closed registration (AUTH_MODE=${mode})`, () => {
    const service = startTestService({ environment: { REGISTRATION: 'closed', AUTH_MODE: mode } });

    before(async () => {
      await createAccount(service);
    });

    it(mode === 'strict' ? 'requires a key' : 'continues without credentials', async () => {
      const { code, stdout, stderr } = await demo(service.url, {});
      expect(stdout).to.match(/^Registration is closed: the demo continues without an account/);
      if (mode === 'strict') {
        expect(code).to.equal(1);
        expect(stderr).to.match(/^POST \/api\/v1\/scenarios failed with 401, .*--api-key.*METERBOOK_API_KEY.*\n$/);
      } else {
        expect(code, stderr).to.equal(0);
        expect(stdout).to.match(/^20 lines sent and counted in /m);
        const [, path = ''] = /^ {2}curl http:\/\/[^/]+(\S+)$/m.exec(stdout) ?? [];
        const metrics = await service.request('GET', path);
        expect(metrics.body.totals.logs, metrics.text).to.equal(20);
        expect(stdout).to.contain(noReports);
      }
    });
  });
}
