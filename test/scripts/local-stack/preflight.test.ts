import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { findFreePort } from '../../../scripts/local-stack/free-port.ts';
import { checkMongo, checkPort, checkRedis, createDataDirectory } from '../../../scripts/local-stack/preflight.ts';
import { readSettings } from '../../../scripts/local-stack/settings.ts';
import { StackError } from '../../../scripts/local-stack/stack-error.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

async function errorOf(check: () => unknown): Promise<string> {
  try {
    await check();
  } catch (error) {
    expect(error).to.be.instanceOf(StackError);
    expect((error as Error).message).not.to.contain('\n');
    return (error as Error).message;
  }
  throw new Error('The check did not fail.');
}

describe('the checks before the local stack starts', () => {
  const folder = createTemporaryFolder();

  it('PORT must not be in use', async () => {
    const server = createServer();
    const port = await findFreePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await errorOf(() => checkPort({ host: '127.0.0.1', port }))).to.equal(
      `PORT ${port} is in use by another program: set another port, for example PORT=${port + 1} npm start.`,
    );
    await new Promise((resolve) => server.close(resolve));
    await checkPort({ host: '127.0.0.1', port });
  });

  it('PORT must be a port number', async () => {
    for (const PORT of ['0', '65536', '80.5', 'http', '-1']) {
      expect(await errorOf(() => readSettings({ PORT }))).to.match(/^PORT is ".*": set it to/);
    }
  });

  it('NOTEBOOK_BACKEND other than http requires NOTEBOOK_BACKEND_URL', () => {
    expect(() => readSettings({ NOTEBOOK_BACKEND: 'jupyter' })).to.throw(StackError, 'NOTEBOOK_BACKEND_URL');
    const given = { NOTEBOOK_BACKEND: 'jupyter', NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:8888' };
    expect(readSettings(given).notebookBackendUrl).to.equal(given.NOTEBOOK_BACKEND_URL);
    expect(readSettings({ NOTEBOOK_BACKEND: 'http' })).not.to.have.property('notebookBackendUrl');
  });

  it('HOST must be an address of this machine', async () => {
    const port = await findFreePort();
    expect(await errorOf(() => checkPort({ host: '192.0.2.1', port }))).to.match(/^HOST 192\.0\.2\.1 .*set HOST to/);
  });

  it('DATA_DIR must be a folder that can be created', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await errorOf(() => createDataDirectory(join(file, 'data')))).to.match(/set DATA_DIR to a writable folder/);
    await createDataDirectory(join(folder.path, 'new', 'data'));
  });

  it('REDIS_URL must be the address of a running Redis; its password is not printed', async () => {
    const port = await findFreePort();
    const message = await errorOf(() => checkRedis(`redis://user:secret@127.0.0.1:${port}`));
    expect(message).to.match(new RegExp(`^REDIS_URL: .* redis://127\\.0\\.0\\.1:${port} .*ECONNREFUSED`));
    expect(message).not.to.contain('secret');
  });

  it('MONGODB_URL must be a connection string of a running MongoDB; its password is not printed', async () => {
    expect(await errorOf(() => checkMongo('postgres://here'))).to.match(/^MONGODB_URL: /);
    const port = await findFreePort();
    const url = `mongodb://user:secret@127.0.0.1:${port}/x`;
    const message = await errorOf(() => checkMongo(url, 2_000));
    expect(message).to.match(/^MONGODB_URL: .*ECONNREFUSED.*: start it, or unset MONGODB_URL/);
    expect(message).not.to.contain('secret');
  });
});
