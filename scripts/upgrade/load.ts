import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import { callService, registerAccount, startScenario } from '../call-service.ts';

const countLimit = 60 * second;
const pollEvery = 200;
const entriesPerRequest = 5;

/** A scenario, and what was sent to it. */
export interface Load {
  /** Sends entries in each way. @throws Error for a response that is not 2xx. */
  send: (url: string) => Promise<void>;
  /** Orders a report. @throws Error for a response that is not 2xx. */
  order: (url: string) => Promise<void>;
  /** Entries that were sent so far. */
  sent(): number;
  /**
   * Waits until the metrics of a `web` contain all entries.
   * @returns the entries that it counts: others than those sent after a minute.
   */
  count(url: string): Promise<number>;
  /** The reports that did not become ready, by their status. */
  unfinished(url: string): Promise<string[]>;
}

/** Registers an account, and starts a scenario of it. */
export async function openLoad(first: string): Promise<Load> {
  let sent = 0;
  const reports: string[] = [];
  const { headers: credentials } = await registerAccount(first, 'upgrade');
  const scenarioId = await startScenario(first, 'upgrade', credentials);
  const scenario = `/api/v1/scenarios/${scenarioId}`;
  const request = (
    url: string,
    method: string,
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: object } = {},
  ) => callService<Record<string, unknown>>(url, method, path, { headers: { ...credentials, ...headers }, body });

  return {
    send: async (url) => {
      const at = new Date().toISOString();
      const entries = Array.from({ length: entriesPerRequest }, (_, index) => ({
        message: `line ${sent + index} of someone@example.com`,
        timestamp: at,
      }));
      const headers = { 'X-Scenario-ID': scenarioId };
      await request(url, 'POST', '/ingest', { headers, body: entries });
      await request(url, 'POST', '/ingest?answer=summary', { headers, body: entries });
      await request(url, 'POST', `/ingest/${scenarioId}`, { body: entries });
      sent += 3 * entriesPerRequest;
    },
    order: async (url) => {
      const report = await request(url, 'POST', `${scenario}/reports`, { body: { format: 'csv' } });
      reports.push(String(report['id']));
    },
    sent: () => sent,
    count: async (url) => {
      for (const end = Date.now() + countLimit; ; await delay(pollEvery)) {
        const { totals } = (await request(url, 'GET', `${scenario}/metrics`)) as { totals: { logs: number } };
        if (totals.logs === sent || Date.now() > end) return totals.logs;
      }
    },
    unfinished: async (url) => {
      const end = Date.now() + countLimit;
      const others: string[] = [];
      for (const id of reports) {
        const read = async () => String((await request(url, 'GET', `/api/v1/reports/${id}`))['status']);
        let status = await read();
        for (; status !== 'ready' && Date.now() < end; status = await read()) await delay(pollEvery);
        if (status !== 'ready') others.push(status);
      }
      return others;
    },
  };
}
