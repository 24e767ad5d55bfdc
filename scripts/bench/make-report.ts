import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 20;

/** Registers an account. @returns the headers of its requests. */
export async function register(url: string): Promise<Record<string, string>> {
  const account = { email: 'bench@example.com', password: randomUUID() };
  const { access_token: token } = await post(`${url}/api/v1/auth/register`, account);
  return { Authorization: `Bearer ${String(token)}` };
}

/** Requests a report and waits until it is ready. */
export async function makeReport(
  url: string,
  scenarioId: string,
  body: object,
  headers: Record<string, string>,
): Promise<{ id: string; bytes: number }> {
  const { id } = await post(`${url}/api/v1/scenarios/${scenarioId}/reports`, body, headers);
  for (;;) {
    const report = (await (await fetch(`${url}/api/v1/reports/${String(id)}`, { headers })).json()) as {
      status: string;
      size_bytes: number;
    };
    if (report.status === 'ready') return { id: String(id), bytes: report.size_bytes };
    if (report.status === 'failed') throw new Error(`The report has failed: ${JSON.stringify(report)}`);
    await delay(pollMs);
  }
}

async function post(url: string, body: object, headers = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
