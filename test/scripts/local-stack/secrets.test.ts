import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSecrets } from '../../../scripts/local-stack/secrets.ts';
import { StartError } from '../../../shared/errors.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('secrets of the local stack', () => {
  const folder = createTemporaryFolder();
  const file = () => join(folder.path, 'secrets.json');

  it('secrets are generated once for each folder, readable by their owner only, and loaded by the next start', async () => {
    const first = await loadSecrets(folder.path, {});
    expect(first.SERVICE_SECRET).to.match(/^[0-9a-f]{64}$/);
    expect(first.DASHBOARD_PASSWORD).to.have.length.above(12);
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder.path)).to.deep.equal(['secrets.json']);
    expect(await loadSecrets(folder.path, {})).to.deep.equal(first);
    const other = await loadSecrets(join(folder.path, 'other'), {});
    for (const [name, secret] of Object.entries(other)) expect(secret).not.to.equal(first[name as keyof typeof first]);
  });

  it('secrets are overridden by the environment, which is not stored', async () => {
    const own = await loadSecrets(folder.path, {});
    const given = await loadSecrets(folder.path, { DASHBOARD_PASSWORD: 'from-outside', TOKEN_SECRET: '' });
    expect(given).to.deep.equal({ ...own, DASHBOARD_PASSWORD: 'from-outside' });
    expect(await readFile(file(), 'utf8')).not.to.contain('from-outside');
  });

  it('a damaged file of secrets prevents the start with one sentence, and is not changed', async () => {
    const text = '{"SERVICE_SECRET": "ab';
    await writeFile(file(), text);
    const error = (await loadSecrets(folder.path, {}).catch((thrown: unknown) => thrown)) as Error;
    expect(error).to.be.instanceOf(StartError);
    expect(error.message).to.match(/^.*secrets\.json cannot be read .*: correct it, or remove it/);
    expect(await readFile(file(), 'utf8')).to.equal(text);
  });
});
