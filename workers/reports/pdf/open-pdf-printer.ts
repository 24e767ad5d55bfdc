import type { Config } from '../../../shared/config/config.ts';
import { launchBrowser } from './launch-browser.ts';
import { createPdfPrinter, type PdfPrinter } from './pdf-printer.ts';
import { packageCacheFolder } from './unpack-chromium.ts';

/** The printer of a worker process. Its browser starts with the first document. */
export function openPdfPrinter({ path, folder, timeoutMs }: Config['browser']): PdfPrinter {
  const search = { chromiumPath: path, cacheFolder: folder ?? packageCacheFolder() };
  return createPdfPrinter({ launch: () => launchBrowser(search), timeoutMs });
}
