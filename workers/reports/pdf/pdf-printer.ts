import type { Browser, HTTPRequest } from 'puppeteer-core';
import { minute } from '../../../shared/durations.ts';

export type PdfPrinter = ReturnType<typeof createPdfPrinter>;

interface PdfPrinterOptions {
  /** @param timeoutMs the longest time that a command to the browser can take. */
  launch: (timeoutMs: number) => Promise<Browser>;
  /** The longest time of a step of printing: many times that of the longest report. */
  timeoutMs?: number;
  /** The number of documents after which the browser is replaced, because its memory grows. */
  maxDocuments?: number;
}

interface Instance {
  readonly browser: Promise<Browser>;
  started: number;
  active: number;
}

/**
 * Prints HTML documents in one warm browser, each in a page of its own, concurrently. Nothing is
 * started before the first one.
 */
export function createPdfPrinter({ launch, timeoutMs = 2 * minute, maxDocuments = 50 }: PdfPrinterOptions) {
  let current: Instance | undefined;
  const end = async (instance: Instance) => {
    if (current === instance) current = undefined;
    await instance.browser.then(closeOrKill, () => {});
  };
  const start = () => {
    const instance: Instance = { browser: launch(timeoutMs), started: 0, active: 0 };
    instance.browser.then((browser) => browser.once('disconnected', () => void end(instance))).catch(() => {});
    return instance;
  };

  return {
    /**
     * Prints a document that contains everything it shows: scripts do not run, and every request
     * but `data:` fails. It rejects if the browser hangs, crashes or does not start; the next call
     * then starts another one.
     */
    print: async (html: string, signal: AbortSignal): Promise<Uint8Array> => {
      signal.throwIfAborted();
      current ??= start();
      const instance = current;
      instance.started += 1;
      instance.active += 1;
      // Later documents get a new browser. This one ends with its last document.
      if (instance.started >= maxDocuments) current = undefined;
      try {
        return await printPage(await instance.browser, html, signal, timeoutMs);
      } catch (error) {
        // The browser may hang.
        if (!signal.aborted) await end(instance);
        throw error;
      } finally {
        instance.active -= 1;
        if (instance.active === 0 && instance !== current) await end(instance);
      }
    },
    /** Ends the browser, and with it what is being printed. */
    close: async (): Promise<void> => {
      if (current) await end(current);
    },
  };
}

async function printPage(browser: Browser, html: string, signal: AbortSignal, timeout: number): Promise<Uint8Array> {
  const page = await browser.newPage();
  const close = () => void page.close().catch(() => {});
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    await page.setJavaScriptEnabled(false);
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      respond(request).catch(() => {});
    });
    await page.setContent(html, { waitUntil: 'load', timeout });
    return await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true, timeout });
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function respond(request: HTTPRequest): Promise<void> {
  const url = request.url();
  return url.startsWith('data:') || url === 'about:blank' ? request.continue() : request.abort('blockedbyclient');
}

const closeLimitMs = 2_000;

/** Closes a browser, or kills it if it hangs. */
async function closeOrKill(browser: Browser): Promise<void> {
  const process = browser.process();
  const timer = setTimeout(() => process?.kill('SIGKILL'), closeLimitMs);
  try {
    await browser.close();
  } catch {
    process?.kill('SIGKILL');
  } finally {
    clearTimeout(timer);
  }
}
