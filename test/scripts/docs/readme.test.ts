import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createNotebookFixture, startHttpBackend } from '../../support/notebook-backends.ts';
import { getMetrics } from '../../support/requests.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const readme = new URL('../../../README.md', import.meta.url);

describe('the commands of the README', () => {
  const fixture = createNotebookFixture('http', startHttpBackend);
  const folder = createTemporaryFolder();

  it('the commands of the README work as they are, and once more', async function () {
    // Only these commands require curl, the project does not.
    if (spawnSync('curl', ['--version']).error !== undefined) this.skip();
    const requests = /^## First requests$([^]*?)^## Production$/m.exec(await readFile(readme, 'utf8'))?.[1] ?? '';
    const commands = [...requests.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block).join('');
    const script = `${commands}\necho; echo "ID=$ID KEY=$KEY"`;
    const { service, backend } = fixture;
    const env = { ...process.env, PORT: new URL(service.url).port };
    const ids = new Set<string>();
    for (const run of [1, 2]) {
      const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder.path, env });
      expect(stderr, stdout).to.equal('');
      const [, id = ''] = /^ID=([0-9a-f-]{36}) KEY=mb_\w+$/m.exec(stdout) ?? [];
      expect((await getMetrics(service, id)).totals, stdout).to.include({ logs: 4, pii_logs: 2 });
      expect(await readFile(join(folder.path, 'report.csv'), 'utf8')).to.contain('hour');
      expect(await backend.count()).to.equal(run);
      ids.add(id);
      // The name of the scenario has the second.
      const second = () => Math.floor(Date.now() / 1_000);
      const end = second();
      await waitUntil('the next second', () => second() > end);
    }
    expect(ids.size).to.equal(2);
  });
});
