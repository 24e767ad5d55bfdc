import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSecrets } from '../../../scripts/local-stack/secrets.ts';
import { StackError } from '../../../scripts/local-stack/stack-error.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('secrets of the local stack', () => {
  const folder = createTemporaryFolder();
  const file = () => join(folder.path, 'secrets.json');

  it('secrets are generated once and loaded by the next start', async () => {
    const first = await loadSecrets(folder.path, {});
    expect(first.SERVICE_SECRET).to.match(/^[0-9a-f]{64}$/);
    expect(first.DASHBOARD_PASSWORD).to.have.length.above(12);
    expect(await loadSecrets(folder.path, {})).to.deep.equal(first);
  });

  it('secrets differ from folder to folder', async () => {
    const here = await loadSecrets(folder.path, {});
    const there = await loadSecrets(join(folder.path, 'other'), {});
    expect(there.SERVICE_SECRET).not.to.equal(here.SERVICE_SECRET);
    expect(there.DASHBOARD_PASSWORD).not.to.equal(here.DASHBOARD_PASSWORD);
  });

  it('secrets are readable by their owner only, without temporary files', async () => {
    await loadSecrets(folder.path, {});
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder.path)).to.deep.equal(['secrets.json']);
  });

  it('secrets are overridden by the environment, which is not stored', async () => {
    const own = await loadSecrets(folder.path, {});
    const given = await loadSecrets(folder.path, { DASHBOARD_PASSWORD: 'from-outside', TOKEN_SECRET: '' });
    expect(given).to.deep.equal({ ...own, DASHBOARD_PASSWORD: 'from-outside' });
    expect(await readFile(file(), 'utf8')).not.to.contain('from-outside');
  });

  it('secrets are added to a file that contains only some of them', async () => {
    const key = 'ab'.repeat(32);
    await writeFile(file(), JSON.stringify({ SERVICE_SECRET: key, LATER: 'kept' }));
    const secrets = await loadSecrets(folder.path, {});
    expect(secrets.SERVICE_SECRET).to.equal(key);
    expect(secrets.DASHBOARD_PASSWORD).not.to.equal('');
    expect(JSON.parse(await readFile(file(), 'utf8'))).to.deep.equal({ ...secrets, LATER: 'kept' });
  });

  it('a damaged file of secrets prevents the start with one sentence, and is not changed', async () => {
    for (const text of ['{"SERVICE_SECRET": "ab', '[]x', '"text"', '{"SERVICE_SECRET": 1}']) {
      await writeFile(file(), text);
      const error = await loadSecrets(folder.path, {}).catch((thrown: unknown) => thrown);
      expect(error, text).to.be.instanceOf(StackError);
      expect((error as StackError).message).to.match(/secrets\.json is damaged: remove it/);
      expect(await readFile(file(), 'utf8')).to.equal(text);
    }
  });
});
