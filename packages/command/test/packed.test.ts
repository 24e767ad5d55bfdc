import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

describe('the packed command', () => {
  const folder = createTemporaryFolder();

  it('installs in an empty folder without a network, and estimates a log there', async () => {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: root });
    const [{ filename, size, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
      { filename: string; size: number; files: { path: string }[] },
    ];
    expect(size).to.be.lessThan(15 * 1024 * 1024);
    expect(files.filter(({ path }) => !/^(?:dist\/|README\.md$|package\.json$)/.test(path))).to.deep.equal([]);
    expect(await readFile(join(root, 'README.md'), 'utf8')).to.include(`npx ./${filename}`);
    const empty = join(folder.path, 'empty');
    await mkdir(empty);
    await writeFile(join(empty, 'package.json'), '{}');
    await writeFile(join(empty, 'app.log'), '2026-05-01T10:00:00Z INFO started\n2026-05-01T10:00:09Z INFO ready\n');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder.path, filename)], { cwd: empty });
    const estimate = await run('npx', ['--offline', 'meterbook', 'estimate', 'app.log'], { cwd: empty });
    expect(estimate.stdout).to.match(/^\$\S+ for these 2 entries; about \$\S+ a month/);
  });
});
