import { copyFile, cp, mkdtemp, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.mjs';
import type { Program } from '../../scripts/local-stack/spawn-child.ts';
import type { Watchdog } from '../../scripts/local-stack/watchdog.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Creates a folder with the files of a deployment: the manifest, the packages and the compiled
 * service. The watchdog removes the folder.
 */
export async function buildService(watchdog: Watchdog): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'meterbook-test-build-')));
  watchdog.removeAtEnd(folder);
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  await build(join(folder, 'dist'));
  process.env.TEST_BUILD = folder;
}

/** A program of the compiled service, which starts twice as fast as its TypeScript source. */
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

/**
 * Copies the compiled service into an empty folder, as on a machine of its own. @returns a program
 * that runs there, and has its home and its temporary files there.
 */
export async function copiedProgram(folder: string, file: string, environment: NodeJS.ProcessEnv): Promise<Program> {
  await cp(buildFolder(), folder, { recursive: true });
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
