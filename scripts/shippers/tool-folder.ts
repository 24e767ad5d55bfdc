import { execFile } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Programs of the machine, and before them those of a folder into which packages of Debian were
 * unpacked.
 */
export interface ToolFolder {
  /** @returns the path of a program, or null. */
  findProgram(name: string): Promise<string | null>;
  /** @returns the folder with a module of a program, such as `omhttp.so` of `rsyslog`, or null. */
  findModules(program: string, module: string): Promise<string | null>;
  /** The environment of programs: unpacked ones find their libraries. */
  readonly environment: NodeJS.ProcessEnv;
  /** @returns the first group of the pattern in what a program prints. */
  version(program: string, args: readonly string[], pattern: RegExp): Promise<string>;
}

export async function openToolFolder(folder: string | undefined): Promise<ToolFolder> {
  const roots = folder === undefined ? ['/'] : [folder, '/'];
  const libraries = (await Promise.all(roots.map(libraryFolders))).flat();
  const unpacked = libraries.filter((path) => folder !== undefined && path.startsWith(folder));
  // A package can have libraries of its own in a folder of its name.
  const searched = [...unpacked, ...unpacked.map((path) => join(dirname(path), 'syslog-ng'))];
  const environment = {
    ...process.env,
    ...(folder === undefined ? {} : { LD_LIBRARY_PATH: searched.join(delimiter) }),
  };
  return {
    environment,
    findProgram: async (name) => {
      const unpackedPrograms =
        folder === undefined ? [] : ['usr/sbin', 'usr/bin', 'bin'].map((path) => join(folder, path));
      const paths = [...unpackedPrograms, ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
      return firstThatExists(paths.map((path) => join(path, name)));
    },
    findModules: async (program, module) => {
      const folders = libraries.flatMap((path) => [join(path, program), join(dirname(path), program)]);
      const versions = await Promise.all(folders.map(subfolders));
      const found = await firstThatExists([...folders, ...versions.flat()].map((path) => join(path, module)));
      return found === null ? null : dirname(found);
    },
    version: async (program, args, pattern) => {
      const { stdout, stderr } = await execute(program, args, { env: environment }).catch(
        (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? '' }),
      );
      return pattern.exec(stdout + stderr)?.[1] ?? 'unknown';
    },
  };
}

/**
 * The folders with libraries of the machine's architecture, such as `/usr/lib/x86_64-linux-gnu`.
 */
async function libraryFolders(root: string): Promise<string[]> {
  const folders = await Promise.all(['usr/lib', 'lib'].map((path) => subfolders(join(root, path))));
  return folders.flat().filter((path) => path.endsWith('-linux-gnu'));
}

async function subfolders(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => []);
  return names.map((name) => join(path, name));
}

async function firstThatExists(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return null;
}
