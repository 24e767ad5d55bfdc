import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { hasPackagedChromium, startsChromium, unpackChromium } from './unpack-chromium.ts';

/** A Chromium, and the variables that its process needs. */
interface Chromium {
  readonly executablePath: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ChromiumSearch {
  /** `CHROMIUM_PATH`; undefined to search for a Chromium. */
  readonly chromiumPath?: string | undefined;
  /**
   * Where the Chromium of the npm package is unpacked on first use (190 MB). Processes can share
   * the folder.
   */
  readonly cacheFolder: string;
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
  cacheFolder,
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
  if (hasPackagedChromium()) return unpackChromium(cacheFolder);
  throw new Error('Chromium is not installed: install Chromium or Google Chrome, or set CHROMIUM_PATH.');
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
