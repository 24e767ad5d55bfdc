import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';

/** The npm package has a binary of Chromium for this platform only. */
export const hasPackagedChromium = (): boolean => process.platform === 'linux' && process.arch === 'x64';

/**
 * A folder beside the packages, which `npm ci` removes together with the package that Chromium was
 * unpacked from; where that cannot be written, the one for temporary files (`TMPDIR`).
 */
const cacheFolders = () => [join(packageFolder(), '..', '..', '.cache'), tmpdir()];

/**
 * Unpacks the Chromium of `@sparticuz/chromium` (190 MB), unless that was done before. Concurrent
 * calls of several processes are safe. The function of the package is not: it takes a file that
 * another process is still writing.
 * @throws Error with one sentence if no folder can be written.
 */
export async function unpackChromium(
  caches: readonly string[] = cacheFolders(),
): Promise<{ executablePath: string; environment: Record<string, string> }> {
  const name = `chromium-${await packageVersion()}`;
  const folders = caches.map((cache) => join(cache, name));
  for (const folder of folders) if (await exists(folder)) return unpackedIn(folder);
  const errors: unknown[] = [];
  for (const folder of folders) {
    try {
      await unpackOnce(folder);
      return await unpackedIn(folder);
    } catch (error) {
      errors.push(error);
    }
  }
  throw new Error(
    `Chromium cannot be unpacked into ${caches.join(' or ')}: set TMPDIR to a folder that the worker can write.`,
    { cause: errors.at(-1) },
  );
}

async function unpackedIn(folder: string): Promise<{ executablePath: string; environment: Record<string, string> }> {
  const libraries = join(folder, 'lib');
  return {
    executablePath: join(folder, 'chromium'),
    environment: (await exists(libraries)) ? { LD_LIBRARY_PATH: libraries } : {},
  };
}

async function unpackOnce(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    const chromium = join(unfinished, 'chromium');
    await pipeline(packaged('chromium.br'), createBrotliDecompress(), createWriteStream(chromium, { mode: 0o755 }));
    // These libraries (nss) are only for machines without them: libraries of the machine may depend
    // on newer versions.
    if (!(await startsChromium(chromium))) {
      await pipeline(packaged('al2023.tar.br'), createBrotliDecompress(), extract(unfinished));
    }
    await rename(unfinished, folder).catch(async (error: unknown) => {
      // Another process was first.
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const packaged = (name: string): NodeJS.ReadableStream => createReadStream(join(packageFolder(), 'bin', name));

// The entry of the package is build/cjs/index.cjs.
const packageFolder = () => join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', '..');

async function packageVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(packageFolder(), 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Whether a file is a Chromium that starts. One that lacks a library does not. */
export async function startsChromium(executablePath: string): Promise<boolean> {
  const version = promisify(execFile)(executablePath, ['--version'], { timeout: 20_000 });
  return version.then(
    ({ stdout }) => /\bchrom/i.test(stdout),
    () => false,
  );
}
