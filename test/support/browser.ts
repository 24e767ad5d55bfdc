import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'puppeteer-core';
import { second } from '../../shared/durations.ts';
import { launchBrowser } from '../../workers/reports/pdf/chromium.ts';
import { isLongForm } from './long-form.ts';
import { testChromium } from './test-chromium.ts';

/**
 * For every page that is used beside another one: Firefox hides all tabs of a window but one, and
 * draws them once in seconds.
 */
export const ownWindow = { type: 'window' } as const;

/** A page, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Errors and warnings of the console, uncaught errors, failed requests, and refusals, such as
   * `409 POST /api/v1/scenarios`.
   */
  readonly problems: string[];
  /** Addresses of requests to other origins than that of the first page. */
  readonly foreignRequests: readonly string[];
  /** Method and path of each request to the origin of the first page. */
  readonly ownRequests: readonly string[];
}

export interface TestBrowser {
  openPage(
    url: string,
    options?: {
      /** Whether it has cookies and storage of its own, as in another browser. */
      isApart?: boolean;
      /** The folder for the files that it downloads. A page that has one is apart, too. */
      downloadFolder?: string;
    },
  ): Promise<WatchedPage>;
}

/**
 * Defines tests of the page in Chromium, and in the long form in Firefox. Without a Firefox, those
 * are reported as not run.
 */
export function inEachBrowser(title: string, define: (browser: TestBrowser) => void): void {
  describe(`${title}, in Chromium`, function () {
    this.timeout(testLimit);
    define(startBrowser());
  });
  if (!isLongForm) return;
  const firefox = findFirefox();
  (firefox === undefined ? describe.skip : describe)(
    `${title}, in Firefox${firefox === undefined ? ` (${firefoxInstallation})` : ''}`,
    function () {
      this.timeout(testLimit);
      define(startBrowser(() => launchFirefox(firefox ?? '')));
    },
  );
}

/** A walk in the long form checks each of its views in six appearances. */
const testLimit = (isLongForm ? 600 : 300) * second;

/** The window of the walks. */
export const usualSize = { width: 1440, height: 900 };

export const reducedMotion = { name: 'prefers-reduced-motion', value: 'reduce' } as const;

const launchChromium = () => launchBrowser(testChromium);

/** Starts a browser before the tests of the enclosing `describe`, and closes it afterwards. */
export function startBrowser(launch: () => Promise<Browser> = launchChromium): TestBrowser {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
  });
  return {
    openPage: async (url, { isApart = false, downloadFolder } = {}) => {
      expect(browser, 'the browser runs only during tests').not.to.equal(undefined);
      const running = browser as Browser;
      const context: BrowserContextOptions =
        downloadFolder === undefined ? {} : { downloadBehavior: { policy: 'allow', downloadPath: downloadFolder } };
      const needsContext = isApart || downloadFolder !== undefined;
      const opener = needsContext ? await running.createBrowserContext(context) : running;
      const page = await opener.newPage(ownWindow);
      await page.setViewport(usualSize);
      // Infinite animations draw 60 frames a second. Firefox has a setting for all its pages, and no
      // command.
      if (launch === launchChromium) await page.emulateMediaFeatures([reducedMotion]);
      // Shorter than the limit of a test, so that the error names what was waited for. The page of
      // the API takes half a minute beside other tests on one core.
      page.setDefaultTimeout(90 * second);
      const watched = watch(page, new URL(url).origin);
      await page.goto(url, { waitUntil: 'load' });
      return watched;
    },
  };
}

/** Errors of requests that the page itself cancels, and of responses without a body. */
const aborted = ['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'NS_ERROR_ABORT'];

function watch(page: Page, ownOrigin: string): WatchedPage {
  const problems: string[] = [];
  const foreignRequests: string[] = [];
  const ownRequests: string[] = [];
  page.on('console', (message) => {
    // Only Chromium writes refusals there.
    if (message.text().startsWith('Failed to load resource: the server responded')) return;
    if (['error', 'warn'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    problems.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${String(error)}`));
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    if (!aborted.includes(errorText)) problems.push(`failed: ${request.url()} ${errorText}`);
  });
  page.on('request', (request) => {
    const { protocol, origin, pathname } = new URL(request.url());
    if (!['http:', 'https:', 'ws:', 'wss:'].includes(protocol)) return;
    if (origin === ownOrigin) ownRequests.push(`${request.method()} ${pathname}`);
    else foreignRequests.push(request.url());
  });
  return { page, problems, foreignRequests, ownRequests };
}

/** Installs a Firefox on Debian, as the titles of tests that need one say. */
const firefoxInstallation = 'apt-get install firefox-esr';

/**
 * The Firefox of `FIREFOX_PATH`, otherwise Debian's on the `PATH`; undefined without one. A
 * `firefox` can be a snap, which cannot read the profile of a test.
 */
function findFirefox({ FIREFOX_PATH: chosen, PATH: searchPath = '' } = process.env): string | undefined {
  if (chosen) return chosen;
  return searchPath
    .split(delimiter)
    .map((folder) => join(folder, 'firefox-esr'))
    .find((path) => existsSync(path));
}

/** Starts a headless Firefox. The caller closes it. */
async function launchFirefox(executablePath: string): Promise<Browser> {
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
