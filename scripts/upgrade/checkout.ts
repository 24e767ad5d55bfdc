import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The folder of this project. */
export const project = fileURLToPath(new URL('../../', import.meta.url));

interface Checkout {
  folder: string;
  remove(): Promise<void>;
}

/**
 * Installs and builds a commit of this repository in a temporary folder.
 * @throws Error if the commit does not exist, or a step fails.
 */
export async function checkOut(ref: string): Promise<Checkout> {
  const parent = await mkdtemp(join(tmpdir(), 'meterbook-upgrade-'));
  const folder = join(parent, 'project');
  const git = (...args: string[]) => execute('git', ['-C', project, ...args]);
  const remove = async () => {
    await git('worktree', 'remove', '--force', folder).catch(() => {});
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await git('worktree', 'add', '--detach', folder, ref);
    await execute('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
    await execute(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}
