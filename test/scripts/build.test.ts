import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const project = fileURLToPath(new URL('../../', import.meta.url));
/** The files that `docker build` copies, by the exceptions of .dockerignore. */
const copied = [...readFileSync(join(project, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)].map(
  ([, path = '']) => path,
);

describe('npm run build', () => {
  const folder = { path: '' };
  const build = () => promisify(execFile)(process.execPath, [join(folder.path, 'scripts/build.mjs')]);
  const built = (path: string) => join(folder.path, 'dist', path);

  const builtFiles = async () => (await readdir(join(folder.path, 'dist'), { recursive: true })).sort();

  // The tests use one folder in their order, because a build takes a second of processor time. Two
  // run at once, and the build of the last test shows whether they have made all files.
  before(async () => {
    folder.path = await realpath(await mkdtemp(join(tmpdir(), 'meterbook-test-')));
    for (const path of copied) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await cp(join(project, path), join(folder.path, path), { recursive: true });
    }
    await symlink(join(project, 'node_modules'), join(folder.path, 'node_modules'));
    await Promise.all([build(), build()]);
  });
  after(() => rm(folder.path, { recursive: true, force: true }));

  it('is given every file that the Dockerfile copies by its name', () => {
    const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
    const named = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
    expect(named).to.include('scripts/create-admin.mjs');
    expect([...copied, '.']).to.include.members(named);
  });

  it('compiles the service and bundles the page from the files of the image', async () => {
    const files = new Set(await builtFiles());
    expect(files).to.include.all.keys(
      'api/main.js',
      'workers/main.js',
      'workers/ingest/batch-thread.js',
      'shared/cost/price-book.json',
      'shared/ingest/otlp/proto/LICENSE',
      'page/index.html',
    );
    const html = await readFile(built('page/index.html'), 'utf8');
    for (const [, name = ''] of html.matchAll(/page\/(main-\w+\.(?:js|css))/g))
      expect(files).to.include(`page/${name}`);
  });

  it('runs beside others, and later replaces what has changed and removes what has no source only', async () => {
    const removed = /^workers\/jobs\/sweep\.js/;
    const before = await builtFiles();
    expect(before.filter((path) => removed.test(path))).not.to.deep.equal([]);
    expect(before.filter((path) => path.startsWith('drafts-'))).to.deep.equal([]);
    const unchanged = await stat(built('workers/main.js'));
    await writeFile(join(folder.path, 'shared/process/semaphore.ts'), 'export const second = 1_000;\n');
    await rm(join(folder.path, 'workers/jobs/sweep.ts'));
    await build();
    expect(await readFile(built('shared/process/semaphore.js'), 'utf8')).to.include('second = 1e3');
    expect(await builtFiles()).to.deep.equal(before.filter((path) => !removed.test(path)));
    expect((await stat(built('workers/main.js'))).ino).to.equal(unchanged.ino);
  });
});
