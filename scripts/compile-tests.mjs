// Compiles the tests, and the code that runs in their processes, for `npm test` and `npm run
// check`. Otherwise each process of mocha would translate and look up 2,500 modules, which takes
// four seconds of processor time, and each thread that a test starts would do it again.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Packages that read files of their folder, have binary parts, or are loaded by few processes. */
export const notBundled = [
  'bcrypt',
  'puppeteer-core',
  '@bull-board/*',
  '@sparticuz/*',
  '@fontsource*',
  'swagger-ui*',
  'gpt-tokenizer',
  'lmdb',
  'tlds',
];
const isNotBundled = (name) => notBundled.some((pattern) => matchesGlob(name, pattern));
const matchesGlob = (name, pattern) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
const bundled = [
  ...Object.keys(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).dependencies),
  'chai',
  'mongodb',
].filter((name) => !isNotBundled(name));

/** Files that are loaded by their paths, and those that look for them in their own folder. */
const loadedByPath = /-thread\.ts$/;
const loadsByPath = /-threads\.ts$|\/thread-pool\.test\.ts$/;

/** The path of a compiled file. */
export const compiledPath = (folder, file) => join(folder, file.replace(/\.ts$/, '.js'));

const cache = join(project, 'node_modules', '.cache');
const prefix = 'tests-';
const day = 24 * 60 * 60 * 1000;

/** @returns the folder of the compiled files, which can be removed after the tests. */
export async function compileTests(files) {
  await mkdir(cache, { recursive: true });
  await removeOldFolders();
  const folder = await mkdtemp(join(cache, prefix));
  try {
    await compile(files, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** A run that is killed leaves its folder. */
async function removeOldFolders() {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    if (name.startsWith(prefix) && Date.now() - (await stat(path)).mtimeMs > day) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function compile(files, folder) {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const require = `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(${JSON.stringify(join(project, 'package.json'))});`;
  await build({
    absWorkingDir: project,
    entryPoints: [...files, ...filesByPath()],
    outdir: folder,
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: require },
    define: { 'import.meta.url': '$address' },
    plugins: [keepAddresses(folder), leavePackages],
    logLevel: 'silent',
  });
  await stop();
}

function filesByPath() {
  return ['shared', 'workers', 'test'].flatMap((floor) =>
    readdirSync(join(project, floor), { recursive: true })
      .map((path) => join(floor, path))
      .filter((path) => loadedByPath.test(path)),
  );
}

/** A compiled file has the address of its source, from which it reads other files. */
function keepAddresses(folder) {
  return {
    name: 'addresses of sources',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.(?:[jt]s|mjs)$/ }, async ({ path }) => {
        const file = path.slice(project.length);
        if (file.startsWith('node_modules')) return undefined;
        const code = await readFile(path, 'utf8');
        if (/import\.meta\.(?!url\b)/.test(code)) throw new Error(`${file} has to use import.meta.url.`);
        if (!code.includes('import.meta.url')) return undefined;
        const address = loadsByPath.test(file) ? compiledPath(folder, file) : path;
        return {
          // On the first line, so that the lines of the source map stay.
          contents: `const $address = ${JSON.stringify(pathToFileURL(address).href)}; ${code}`,
          loader: path.endsWith('.ts') ? 'ts' : 'js',
        };
      }),
  };
}

const leavePackages = {
  name: 'packages that are not bundled',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path);
      if (isNotBundled(name)) return { path, external: true };
      // The document store is TypeScript of this project.
      const isOfPackage = importer.includes('/node_modules/');
      return isOfPackage || name.startsWith('@meterbook/') || bundled.includes(name)
        ? undefined
        : { path, external: true };
    }),
};
