import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import { launchBrowser } from '../../workers/reports/pdf/launch-browser.ts';
import { ApiClient } from '../demo/api-client.ts';

const file = fileURLToPath(new URL('../../docs/page.png', import.meta.url)) as `${string}.png`;
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const size = { width: 1180, height: 1240 };
const seed = 7;
const lines = 5_000;

/**
 * Sends generated lines to a new scenario of a running service, photographs its view as
 * `docs/page.png`, and deletes it. The service must be in `AUTH_MODE=documented`.
 */
export async function takeScreenshot(environment: NodeJS.ProcessEnv): Promise<void> {
  const url = `http://127.0.0.1:${environment['PORT'] ?? 3000}`;
  const client = new ApiClient(url, AbortSignal.timeout(120_000));
  const { body: scenario } = await client.post<{ id: string }>('api/v1/scenarios', {
    body: { name: 'Peak season, Ireland', region: 'eu-west-1', description: 'A day of the shop' },
  });
  try {
    await client.post(`api/v1/scenarios/${scenario.id}/start`);
    // A generated line begins with its time.
    const entries = generateDayOfLogLines(seed, lines).map((message) => ({ timestamp: message.slice(0, 24), message }));
    await client.post(`ingest/${scenario.id}`, { body: entries });
    await client.post('flush', { headers: { 'x-scenario-id': scenario.id } });
    await photograph(`${url}/#/scenarios/${scenario.id}`, environment['CHROMIUM_PATH']);
    console.log(`Wrote ${file}.`);
  } finally {
    await fetch(`${url}/api/v1/scenarios/${scenario.id}`, { method: 'DELETE' });
  }
}

async function photograph(address: string, chromiumPath: string | undefined): Promise<void> {
  const browser = await launchBrowser({ chromiumPath, cacheFolder });
  try {
    const page: Page = await browser.newPage();
    await page.setViewport(size);
    await page.goto(address);
    await page.waitForSelector('.plot canvas');
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}
