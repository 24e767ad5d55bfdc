import { execFile, spawnSync } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { renderBanner, tryOutLines } from '../../../scripts/local-stack/banner.ts';
import { startTestService } from '../../support/test-service.ts';

for (const mode of ['documented', 'strict'] as const) {
  describe(`the commands of the banner (AUTH_MODE=${mode})`, () => {
    const service = startTestService({ environment: { AUTH_MODE: mode } });

    it('the commands work unchanged, on a machine with curl', async function () {
      // Only these commands require curl, the project does not.
      if (spawnSync('curl', ['--version']).error !== undefined) this.skip();
      const lines = tryOutLines(service.url, mode === 'strict');
      const { stdout } = await promisify(execFile)('sh', ['-c', lines.join('\n')]);
      expect(stdout).to.match(/"status":"running".*\n.*"has_pii":true.*\n$/);
      if (mode === 'strict') {
        const [, email, password] = /^(\S+), password ([0-9a-f]{24})\n/.exec(stdout) ?? [];
        const login = await service.request('POST', '/api/v1/auth/login', { body: { email, password } });
        expect(login.status, login.text).to.equal(200);
      }
    });
  });
}

describe('the banner', () => {
  const secrets = {
    SERVICE_SECRET: '',
    TOKEN_SECRET: '',
    DASHBOARD_PASSWORD: 'of-the-dashboard',
    LOCAL_ADMIN_PASSWORD: 'of-the-admin',
  };
  const banner = ({ host = '127.0.0.1', port = 3000, hasAdmin = true } = {}) => {
    const settings = { dataDirectory: '/data', host, port };
    return stripVTControlCharacters(
      renderBanner({ settings, secrets, logsDirectory: '/logs', hasAdmin, strict: false }),
    );
  };

  it('has commands for the address of the service', () => {
    const lastWords = (text: string) => /in a second shell: (.+)$/m.exec(text)?.[1];
    expect(lastWords(banner())).to.equal('npm run demo');
    const other = banner({ port: 4100 });
    expect(lastWords(other)).to.equal('npm run demo -- --url http://127.0.0.1:4100');
    expect(other.match(/127\.0\.0\.1:\d+/g))
      .to.have.length.above(6)
      .and.to.satisfy((all: string[]) => all.every((address) => address === '127.0.0.1:4100'));
    expect(lastWords(banner({ host: '0.0.0.0' }))).to.equal('npm run demo');
    expect(lastWords(banner({ host: '::1' }))).to.equal('npm run demo -- --url http://[::1]:3000');
  });

  it('has the password of the admin only if the admin has it', () => {
    expect(banner()).to.match(/^ {2}Admin +admin@example\.com, password of-the-admin$/m);
    expect(banner({ hasAdmin: false }))
      .not.to.contain('of-the-admin')
      .and.not.to.contain('Admin');
  });
});
