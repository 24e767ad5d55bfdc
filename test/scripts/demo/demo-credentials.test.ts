import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createAccount, createApiKey } from '../../support/accounts.ts';
import { startTestService } from '../../support/test-service.ts';

const program = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));

interface DemoRun {
  code: number;
  stdout: string;
  stderr: string;
}

async function demo(url: string, key = '', ...args: string[]): Promise<DemoRun> {
  const env = { ...process.env, METERBOOK_API_KEY: key };
  return promisify(execFile)(process.execPath, [program, '--url', url, '--lines', '20', ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: DemoRun) => ({ code, stdout, stderr }),
  );
}

describe('the demo of a service that requires credentials', () => {
  const service = startTestService({ environment: { AUTH_MODE: 'strict' } });
  const newKey = async (scopes: string[]) =>
    (await createApiKey(service, await createAccount(service), { scopes })).key;

  it('registers a member, and prints the sentence, a table of services and one of designs', async () => {
    const { code, stdout, stderr } = await demo(service.url);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^\$\d.* for these 20 entries; about \$[\d.,]+ a month at their rate/m);
    expect(stdout).to.contain('│ inference').and.to.contain('Batch of 50').and.to.contain('/#/scenarios/');
    const [, email, password] = /^Registered an account for the demo: (\S+), password (\S+)$/m.exec(stdout) ?? [];
    const login = await service.request('POST', '/api/v1/auth/login', { body: { email, password } });
    expect([login.status, login.body.user?.role], login.text).to.deep.equal([200, 'member']);
  });

  it('uses an API key from the environment, does not print it, and names a missing scope', async () => {
    const key = await newKey(['scenarios:read', 'scenarios:write', 'ingest']);
    const { code, stdout, stderr } = await demo(service.url, key);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain('for these 20 entries').and.not.to.contain(key);
    const refused = await demo(service.url, await newKey(['scenarios:read']));
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/failed with 403: .*scenarios:write.*\n$/);
  });

  it('says in one sentence which file and which service it cannot reach', async () => {
    const { stderr } = await demo('http://127.0.0.1:1');
    expect(stderr).to.equal(
      'The service is unreachable at http://127.0.0.1:1: start it with npm start, or set --url.\n',
    );
    const { stderr: unreadable } = await demo(service.url, '', '--file', '/absent.log');
    expect(unreadable).to.equal('--file /absent.log cannot be read.\n');
  });
});

describe('the demo of a service with closed registration', () => {
  const service = startTestService({ environment: { REGISTRATION: 'closed', AUTH_MODE: 'strict' } });

  before(async () => {
    await createAccount(service);
  });

  it('names the variable of the key', async () => {
    const { code, stdout, stderr } = await demo(service.url);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^Registration is closed: the demo continues without an account/);
    expect(stderr).to.match(/failed with 401: .* Set an API key in METERBOOK_API_KEY\.\n$/);
  });
});
