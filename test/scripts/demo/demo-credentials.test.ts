import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createApiKey, register } from '../../support/accounts.ts';
import { testService } from '../../support/test-service.ts';

const program = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));

describe('the demo before a service that asks for credentials', function () {
  this.timeout(30_000);
  const service = testService({ environment: { AUTH_MODE: 'strict' } });
  const demo = async (environment: Record<string, string>, ...args: string[]) => {
    const given = ['--url', service.url, '--lines', '20', ...args];
    const env = { ...process.env, API_KEY: '', ...environment };
    return promisify(execFile)(process.execPath, [program, ...given], { env }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };
  const newKey = async (scopes: string[]) => (await createApiKey(service, await register(service), { scopes })).key;

  it('takes an API key, by argument or from the environment', async () => {
    const key = await newKey(['scenarios:read', 'scenarios:write', 'ingest']);
    const runs = [await demo({ API_KEY: 'mb_another' }, '--api-key', key), await demo({ API_KEY: key })];
    for (const { code, stdout, stderr } of runs) {
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^20 lines sent and counted in /m);
      expect(stdout).not.to.contain(key);
    }
  });

  it('says what it lacks without one', async () => {
    const { code, stderr } = await demo({});
    expect(code).to.equal(1);
    expect(stderr).to.match(/^POST \/api\/v1\/scenarios was answered with 401, .*--api-key.*API_KEY.*\n$/);
    const refused = await demo({ API_KEY: await newKey(['scenarios:read']) });
    expect(refused.stderr).to.match(/answered with 403, .*scenarios:write.*\n$/);
  });
});
