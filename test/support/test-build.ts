import { cpSync } from 'node:fs';
import { copyFile, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as esbuild } from 'esbuild';
import { notBundled } from '../../scripts/compile-tests.mjs';
import type { Program } from '../../scripts/local-stack/child-process.ts';
import { createOwnFolder } from './own-redis.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Creates a folder with the files of a deployment of `dist`: the manifest, the packages and the
 * compiled service, whose programs are bundled. The folder is removed when this process has ended.
 */
export async function buildService(): Promise<void> {
  const folder = await realpath(await createOwnFolder());
  await deploy(folder);
  await bundlePrograms(join(folder, 'dist'));
  process.env.TEST_BUILD = folder;
}

/** Copies what a machine of its own has. */
async function deploy(folder: string): Promise<void> {
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  // Another test may compile the service: these files come and go, and those of `dist` stay. No
  // program reads the source maps, which are every second file.
  const filter = (path: string) => !basename(path).startsWith('drafts-') && !path.endsWith('.map');
  // `cp` takes twice the processor time.
  cpSync(join(project, 'dist'), join(folder, 'dist'), { recursive: true, filter });
}

/**
 * Joins the files of each program, and those of its packages, because most of the processor time of
 * a start is the search for 1,700 modules. `deployedProgram` has the files of a deployment.
 */
async function bundlePrograms(dist: string): Promise<void> {
  const files = await readdir(dist, { recursive: true });
  await esbuild({
    absWorkingDir: dist,
    // Threads are loaded by their paths.
    entryPoints: files.filter((path) => /(?:main|check-health|-thread)\.js$/.test(path)),
    outdir: '.',
    outbase: '.',
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // From this version on, imports of JSON keep their attribute.
    target: 'node20.19',
    external: notBundled,
    banner: {
      js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
    },
    plugins: [
      {
        name: 'the addresses of the files that are joined',
        setup: (bundling) =>
          bundling.onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path }) => {
            if (!path.startsWith(dist)) return undefined;
            const address = JSON.stringify(pathToFileURL(path).href);
            return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', address) };
          }),
      },
    ],
  });
}

/** A program of the compiled service, which starts four times as fast as its TypeScript source. */
export function builtProgram(
  file:
    | 'dist/api/main.js'
    | 'dist/api/accounts/create-admin/main.js'
    | 'dist/workers/main.js'
    | 'dist/workers/check-health.js'
    | 'dist/workers/purge/main.js',
  environment: NodeJS.ProcessEnv,
): Program {
  const { PATH } = process.env;
  return { command: process.execPath, args: [join(buildFolder(), file)], environment: { PATH, ...environment } };
}

/** Copies the compiled service into an empty folder, as on a machine of its own. */
export async function createDeployment(): Promise<string> {
  const folder = await createOwnFolder();
  await deploy(folder);
  return folder;
}

/**
 * A program of the compiled service that runs in the folder of a deployment, and has its home and
 * its temporary files there.
 */
export function deployedProgram(folder: string, file: string, environment: NodeJS.ProcessEnv): Program {
  const { PATH } = process.env;
  return {
    command: process.execPath,
    args: [file],
    environment: { PATH, HOME: folder, TMPDIR: folder, ...environment },
    directory: folder,
  };
}

function buildFolder(): string {
  const { TEST_BUILD } = process.env;
  if (TEST_BUILD) return TEST_BUILD;
  throw new Error(
    'The service is not compiled in this run. Tests that start processes need the global setup of `npm test`, which `npm run check` leaves out.',
  );
}
