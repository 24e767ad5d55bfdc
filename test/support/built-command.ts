import { spawn } from 'node:child_process';
import { join } from 'node:path';
// @ts-expect-error -- a script without types
// oxlint-disable-next-line no-restricted-imports -- the name would be that of the project
import { buildCommand } from '../../packages/command/build.mjs';
import { createOwnFolder } from './own-redis.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface BuiltCommand {
  /** Runs the bundle as it is packed, in a folder without its dependencies. */
  run(args: readonly string[], options?: { input?: Uint8Array; env?: NodeJS.ProcessEnv }): Promise<Ended>;
  /** A folder for files. */
  readonly folder: string;
}

/** Bundles the command before the tests of the enclosing `describe`. */
export function useBuiltCommand(): BuiltCommand {
  let folder = '';
  before(async () => {
    folder = await createOwnFolder();
    await (buildCommand as (output: string) => Promise<void>)(join(folder, 'dist'));
  });
  return {
    get folder() {
      return folder;
    },
    run: (args, { input, env } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(folder, 'dist/main.js'), ...args], {
          cwd: folder,
          env: { ...process.env, ...env },
        });
        const output = { stdout: '', stderr: '' };
        child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
        child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
        child.stdin.on('error', () => {}).end(input);
      }),
  };
}
