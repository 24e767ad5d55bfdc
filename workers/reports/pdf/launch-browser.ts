import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { hasPackagedChromium, startsChromium, unpackChromium } from './unpack-chromium.ts';

/**
 * Starts a headless Chromium. The caller closes it.
 * @throws Error if no Chromium is found or it does not start.
 */
export async function launchBrowser(search: ChromiumSearch): Promise<Browser> {
  // Loading the package takes a quarter of the time of a worker's start, and most workers print
  // nothing.
  const { launch } = await import('puppeteer-core');
  const { executablePath, environment } = await findChromium(search);
  const start = (args: string[]) =>
    launch({
      executablePath,
      env: { ...process.env, ...environment },
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

/** A Chromium, and the variables that its process needs. */
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

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
