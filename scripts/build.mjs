// `npm run build`: compiles the service (api, workers, shared) and bundles the page into `dist`. It
// takes half a second, so it also runs before every start, every benchmark and every test run.
// Types are checked by `npm run typecheck`.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';

const project = fileURLToPath(new URL('..', import.meta.url));
const page = join(project, 'page');
const folders = ['api', 'workers', 'shared'];

/**
 * Writes only what has changed, so that concurrent builds of the same sources do not disturb each
 * other.
 */
export async function build(output = join(project, 'dist')) {
  const files = new Map([...(await compileService()), ...(await bundlePage())]);
  await mkdir(output, { recursive: true });
  const drafts = await mkdtemp(join(output, 'drafts-'));
  try {
    await Promise.all([...files].map(([path, contents]) => writeIfChanged(join(output, path), contents, drafts)));
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
  for (const folder of [...folders, 'page']) {
    for (const path of await filesIn(output, folder))
      if (!files.has(path)) await rm(join(output, path), { force: true });
  }
}

/**
 * Every file becomes one file, as in the sources. The files are not bundled, because a bundler
 * turns the constants of a module into variables, and V8 does not fold variables into optimized
 * code.
 */
async function compileService() {
  const sources = (await Promise.all(folders.map((folder) => filesIn(project, folder)))).flat();
  const { outputFiles } = await esbuild({
    absWorkingDir: project,
    entryPoints: sources.filter((path) => extname(path) === '.ts'),
    outdir: 'dist',
    outbase: '.',
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false,
  });
  // Files that the service reads from the folder of its code, with their licences.
  const data = sources.filter((path) => !/\.(ts|mjs|md)$/.test(path));
  return new Map([
    ...outputFiles.map(({ path, text }) => [
      path.slice(join(project, 'dist').length + 1),
      Buffer.from(path.endsWith('.js') ? importCompiledFiles(text) : text),
    ]),
    ...(await Promise.all(data.map(async (path) => [path, await readFile(join(project, path))]))),
  ]);
}

/** Imports of `./file.ts` become imports of `./file.js`. */
function importCompiledFiles(code) {
  return code.replaceAll(/^((?:import|export|\}) .*?"\.{1,2}\/[^"]*)\.ts";$/gm, '$1.js";');
}

/**
 * The names of the bundles contain a hash of their content, so browsers can keep them. A view that
 * is imported by `import()` is a bundle of its own.
 */
async function bundlePage() {
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [join(page, 'main.tsx')],
    outdir: 'page',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    metafile: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    tsconfig: join(page, 'tsconfig.json'),
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const bundles = outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]);
  const nameOf = (extension) =>
    bundles.map(([name]) => name).find((name) => name.startsWith('main-') && name.endsWith(extension)) ?? '';
  const html = await readFile(join(page, 'index.html'), 'utf8');
  const linked = html
    .replace('main.css', nameOf('.css'))
    .replace('main.js', nameOf('.js'))
    .replace('</head>', `${preloadsOf(metafile, nameOf('.js'))}</head>`);
  const files = [...bundles, ['icon.svg', await readFile(join(page, 'icon.svg'))], ['index.html', Buffer.from(linked)]];
  return files.map(([name, contents]) => [join('page', name), contents]);
}

/** Links to the bundles that a bundle imports, so that browsers load them at the same time. */
function preloadsOf({ outputs }, name) {
  const [, { imports }] = Object.entries(outputs).find(([path]) => basename(path) === name);
  return imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="page/${basename(path)}">`)
    .join('');
}

/** A file is replaced as a whole, because a process can be reading it. */
async function writeIfChanged(path, contents, drafts) {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) return;
  const draft = join(drafts, randomUUID());
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, contents);
  await rename(draft, path);
}

/** The paths of all files of a folder, from `root`; none if there is no such folder. */
async function filesIn(root, folder) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length)
        .replace(/^[/\\]/, ''),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
