import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'puppeteer-core';

/** Installs a Firefox on Debian, as the titles of tests that need one say. */
export const firefoxInstallation = 'apt-get install firefox-esr';

/**
 * The Firefox of `FIREFOX_PATH`, otherwise Debian's on the `PATH`; undefined without one. A
 * `firefox` can be a snap, which cannot read the profile of a test.
 */
export function findFirefox({ FIREFOX_PATH: chosen, PATH: searchPath = '' } = process.env): string | undefined {
  if (chosen) return chosen;
  return searchPath
    .split(delimiter)
    .map((folder) => join(folder, 'firefox-esr'))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a headless Firefox. The caller closes it. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const { launch } = await import('puppeteer-core');
  return launch({
    browser: 'firefox',
    protocol: 'webDriverBiDi',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      // Colours do not change slowly then.
      'ui.prefersReducedMotion': 1,
      // Otherwise a downloaded PDF opens in a tab, which hides the page.
      'pdfjs.disabled': true,
    },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
