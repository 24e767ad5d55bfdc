import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import type * as RoutesModule from '../../../api/all-routes.ts';
import type * as OpenApiModule from '../../../api/http/openapi-document.ts';
import type * as TextsModule from '../../../scripts/docs/generated-texts.ts';
import type * as ProcessorsModule from '../../../workers/all-processors.ts';
import { createRouteSettings } from '../../support/route-settings.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const copied = [
  'api',
  'shared',
  'workers',
  'scripts/docs',
  'scripts/prices',
  'package.json',
  'package-lock.json',
  'docker-compose.yml',
];

describe('CONTRIBUTING.md', () => {
  const folder = createTemporaryFolder();
  const load = async <Module>(path: string) => (await import(pathToFileURL(join(folder.path, path)).href)) as Module;

  it('has examples of a route and a queue that work as they stand', async () => {
    for (const name of copied) await cp(join(project, name), join(folder.path, name), { recursive: true });
    const text = await readFile(join(project, 'CONTRIBUTING.md'), 'utf8');
    for (const [, diff = ''] of text.matchAll(/^```diff\n(.*?)^```$/gms)) await apply(diff, folder.path);
    await compile(folder.path);
    await symlink(join(project, 'node_modules'), join(folder.path, 'node_modules'));

    const settings = createRouteSettings();
    const { allRoutes } = await load<typeof RoutesModule>('api/all-routes.js');
    const routes = allRoutes(settings);
    expect(routes.map(({ path }) => path)).to.include('/api/v1/version');
    const { openApiDocument } = await load<typeof OpenApiModule>('api/http/openapi-document.js');
    expect(openApiDocument(routes, settings.config)).to.have.nested.property('paths./api/v1/version.get');

    const { allProcessors } = await load<typeof ProcessorsModule>('workers/all-processors.js');
    expect(allProcessors).to.have.property('announce-report');
    const compose = await readFile(join(folder.path, 'docker-compose.yml'), 'utf8');
    const served = [...compose.matchAll(/^ {6}WORKER_QUEUES: (.+)$/gm)].flatMap(([, list = '']) => list.split(','));
    expect(served).to.have.members(Object.keys(allProcessors));

    const { generatedTexts } = await load<typeof TextsModule>('scripts/docs/generated-texts.js');
    const documents = await Promise.all(generatedTexts.map(async ({ path, render }) => `${path}\n${await render()}`));
    const documentsWith = (name: string) =>
      documents.filter((document) => document.includes(name)).map((document) => document.split('\n')[0]);
    expect(documentsWith('/api/v1/version')).to.deep.equal(['docs/access.md']);
    expect(documentsWith('announce-report')).to.deep.equal(['docs/configuration.md', '.env.example']);
  });
});

/** Compiles all files in their places, because a translation at each import takes longer. */
async function compile(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const compiled = await build({
    absWorkingDir: folder,
    entryPoints: files,
    outdir: '.',
    outbase: '.',
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
  });
  const toCompiledFile = /^((?:import|export|\}) .*?"\.{1,2}\/[^"]*)\.ts"/gm;
  for (const { path, text } of compiled.outputFiles) await writeFile(path, text.replaceAll(toCompiledFile, '$1.js"'));
}

/**
 * Applies a diff: `+++` names a file; without removed lines, the added ones are a new file or the
 * end of a file.
 */
async function apply(diff: string, folder: string): Promise<void> {
  for (const part of diff.split(/^\+\+\+ /m).slice(1)) {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    const linesWith = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => `${line.slice(1)}\n`);
    const [removed, added] = [linesWith('-').join(''), linesWith('+').join('')];
    const path = join(folder, name);
    const present = await readFile(path, 'utf8').catch(() => '');
    if (!present.includes(removed)) throw new Error(`CONTRIBUTING.md: ${name} lacks the lines\n${removed}`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, removed === '' ? present + added : present.replace(removed, () => added));
  }
}
