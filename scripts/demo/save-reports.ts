import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minute, second } from '../../shared/durations.ts';
import { type ApiClient, DemoError } from './api-client.ts';

interface Report {
  id: string;
  status: string;
  error: { message: string } | null;
}

const formats = ['pdf', 'csv'] as const;
/** The first report waits until a browser has started, and on first use until it is unpacked. */
const limit = 5 * minute;
const pause = second / 2;

/**
 * Requests a PDF and a CSV report and saves them in a folder.
 * @returns the paths; undefined if the credentials are not for reports.
 */
export async function saveReports(
  client: ApiClient,
  { id, name }: { id: string; name: string },
  folder: string,
): Promise<string[] | undefined> {
  const requested: string[] = [];
  for (const format of formats) {
    const { status, body } = await client.post<Report>(`api/v1/scenarios/${id}/reports`, {
      body: { format },
      accept: [401, 403],
    });
    if (status !== 202) return undefined;
    requested.push(body.id);
  }
  // The data folder, if the demo creates it, is readable by its owner only.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const paths: string[] = [];
  for (const [at, format] of formats.entries()) {
    const report = `api/v1/reports/${requested[at]}`;
    await untilReady(client, report, format);
    const path = join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.${format}`);
    await writeFile(path, await client.download(`${report}/download`));
    paths.push(path);
  }
  return paths;
}

async function untilReady(client: ApiClient, path: string, format: string): Promise<void> {
  const deadline = Date.now() + limit;
  while (Date.now() < deadline) {
    const { status, error } = (await client.get<Report>(path)).body;
    if (status === 'ready') return;
    if (status === 'failed') throw new DemoError(`The ${format} report has failed: ${error?.message}`);
    await client.pause(pause);
  }
  throw new DemoError(`The ${format} report is not ready after ${limit / minute} minutes: is a worker running?`);
}
