import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tryOutLines } from '../../../scripts/local-stack/banner.ts';
import { isStrict } from '../../../scripts/local-stack/settings.ts';
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

describe('isStrict', () => {
  it('is true in the strict mode, and by default in production', () => {
    for (const environment of [{}, { AUTH_MODE: 'documented', NODE_ENV: 'production' }, { AUTH_MODE: '' }]) {
      expect(isStrict(environment)).to.equal(false);
    }
    for (const environment of [{ AUTH_MODE: 'strict' }, { NODE_ENV: 'production' }]) {
      expect(isStrict(environment)).to.equal(true);
    }
  });
});
