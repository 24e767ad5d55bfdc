import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'puppeteer-core';
import { second } from '../../shared/durations.ts';
import { launchBrowser } from '../../workers/reports/pdf/launch-browser.ts';

/** `npm ci` removes the folder together with the package that it was unpacked from. */
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** A page, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, and requests that failed. */
  readonly problems: string[];
  /** Addresses of requests to other origins than that of the first page. */
  readonly foreignRequests: readonly string[];
}

export interface TestBrowser {
  /** @param options.isApart with cookies and storage of its own, as in another browser. */
  openPage(url: string, options?: { isApart?: boolean }): Promise<WatchedPage>;
}

/** Starts a browser before the tests of the enclosing `describe`, and closes it afterwards. */
export function startBrowser(): TestBrowser {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launchBrowser({ chromiumPath: process.env['CHROMIUM_PATH'], cacheFolder });
  });
  after(async () => {
    await browser?.close();
  });
  return {
    openPage: async (url, { isApart = false } = {}) => {
      expect(browser, 'the browser runs only during tests').not.to.equal(undefined);
      const running = browser as Browser;
      const page = await (isApart ? await running.createBrowserContext() : running).newPage();
      // Shorter than the limit of a test, so that the error names what was waited for. The page of
      // the API takes half a minute beside other tests on one core.
      page.setDefaultTimeout(90 * second);
      const problems: string[] = [];
      const foreignRequests: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warn'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => problems.push(`uncaught: ${String(error)}`));
      page.on('requestfailed', (request) => {
        const { errorText } = request.failure() ?? {};
        // The page itself cancels requests whose responses it does not need any more; responses
        // without a body end so, too.
        if (errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${errorText}`);
      });
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (['http:', 'https:', 'ws:', 'wss:'].includes(protocol) && origin !== new URL(url).origin) {
          foreignRequests.push(request.url());
        }
      });
      await page.goto(url, { waitUntil: 'load' });
      return { page, problems, foreignRequests };
    },
  };
}
