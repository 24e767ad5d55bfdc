import type { Browser } from 'puppeteer-core';
import { type ChromiumSearch, findChromium } from './find-chromium.ts';

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
