// Bundles the sources of the page (page/) into dist/page. It takes a tenth of a second, so it runs before every start and
// every test run, and with `npm run build`.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const sources = fileURLToPath(new URL('../page', import.meta.url));
const defaultOutput = fileURLToPath(new URL('../dist/page', import.meta.url));

/** The names of the bundles contain a hash of their content, so browsers can keep them. */
export async function buildPage(output = defaultOutput) {
  const { metafile } = await build({
    entryPoints: [join(sources, 'main.tsx')],
    outdir: output,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    tsconfig: join(sources, 'tsconfig.json'),
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'write', setup: (bundler) => bundler.onEnd(({ outputFiles }) => replaceFiles(output, outputFiles)) },
    ],
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const nameOf = (extension) => names.find((name) => name.endsWith(extension)) ?? '';
  const html = await readFile(join(sources, 'index.html'), 'utf8');
  await copyFile(join(sources, 'icon.svg'), join(output, 'icon.svg'));
  await writeFile(
    join(output, 'index.html'),
    html.replace('main.css', nameOf('.css')).replace('main.js', nameOf('.js')),
  );
}

async function replaceFiles(output, files) {
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  await Promise.all(files.map(({ path, contents }) => writeFile(path, contents)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
