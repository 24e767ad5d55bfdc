// Bundles the command with its data into `dist`, without dependencies at run time.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
const shared = join(folder, '../../shared');
const require = createRequire(import.meta.url);

/** The clients of databases, which the code that the command shares with the service can import. */
const clients = /^(?:bullmq|ioredis|mongoose|mongodb)$/;

/** A module that has no effect by itself is left out where nothing of it is used. */
const withoutEffects = {
  name: 'without-effects',
  setup({ onResolve, resolve }) {
    onResolve({ filter: clients }, ({ path }) => ({ path, external: true, sideEffects: false }));
    onResolve({ filter: /^\.{1,2}\// }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'resolved') return undefined;
      const found = await resolve(path, { ...options, pluginData: 'resolved' });
      return /\/(?:shared|api)\//.test(found.path) ? { ...found, sideEffects: false } : found;
    });
  },
};

/** @param output replaced as a whole. */
export async function buildCommand(output = join(folder, 'dist')) {
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  const { metafile } = await build({
    entryPoints: ['main', 'piece-thread'].map((name) => join(folder, `src/${name}.ts`)),
    outdir: output,
    bundle: true,
    metafile: true,
    splitting: true,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    chunkNames: 'chunk-[hash]',
    legalComments: 'none',
    plugins: [withoutEffects],
    // Modules in CommonJS that require those of Node.js.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  const data = {
    'price-book.json': join(shared, 'cost/price-book.json'),
    proto: join(shared, 'ingest/otlp/proto'),
    'o200k_base.tiktoken': require.resolve('gpt-tokenizer/data/o200k_base.tiktoken'),
  };
  for (const [name, source] of Object.entries(data)) await cp(source, join(output, name), { recursive: true });
  const files = [...Object.keys(metafile.inputs), data['o200k_base.tiktoken']];
  await writeFile(join(output, 'LICENSES.txt'), await licencesOf(files));
}

/** The licences of the packages that files are of. */
async function licencesOf(files) {
  const packages = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []));
  const texts = [];
  for (const path of packages) {
    const { name, version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    const file = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
    texts.push(`${name} ${version}, ${license}\n\n${file ? await readFile(join(path, file), 'utf8') : ''}`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCommand();
