import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import type { FloodAccount, FloodTarget } from './floods.ts';
import { type Outgoing, sendFrom } from './send-from.ts';

/** Times of honest requests in milliseconds, and the responses of those that were refused. */
export interface HonestTimes {
  readonly login: number[];
  readonly ingest: number[];
  readonly refused: string[];
}

const honestAddress = '127.0.0.1';
const json = { 'Content-Type': 'application/json' };

/** Registers an account, with an API key and a running scenario. */
export async function createFloodAccount(url: string, name: string): Promise<FloodAccount> {
  const credentials = { email: `${name}@example.com`, password: `the password of ${name}` };
  const { access_token: token } = await post(`${url}/api/v1/auth/register`, credentials);
  const authorization = { Authorization: `Bearer ${token}` };
  const { key } = await post(`${url}/api/v1/api-keys`, { name }, authorization);
  const scenario = { name: `bench ${name}`, region: 'us-east-1' };
  const { id: scenarioId = '' } = await post(`${url}/api/v1/scenarios`, scenario, authorization);
  await post(`${url}/api/v1/scenarios/${scenarioId}/start`, undefined, authorization);
  return { ...credentials, token: token ?? '', key: key ?? '', scenarioId };
}

/** @throws Error if the request is refused. */
async function post(url: string, body?: object, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const sent: Outgoing = { method: 'POST', headers: { ...json, ...headers } };
  const { status, text } = await sendFrom(honestAddress, url, body ? { ...sent, body: JSON.stringify(body) } : sent);
  if (status >= 400) throw new Error(`${url} responded with ${status}: ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

/** The requests of an honest caller, each made once. */
interface HonestCaller {
  logIn(): Promise<void>;
  /** Sends lines, ten by default, and waits until they are counted. */
  ingest(count?: number): Promise<void>;
}

export function createHonestCaller({ url, honest }: FloodTarget): HonestCaller & { readonly times: HonestTimes } {
  const { email, password, key, scenarioId } = honest;
  const times: HonestTimes = { login: [], ingest: [], refused: [] };
  const lines = (length: number) =>
    JSON.stringify(Array.from({ length }, (_, index) => ({ message: `GET /cart/${index} 200` })));
  const timed = async (name: 'login' | 'ingest', work: () => Promise<void>) => {
    const started = performance.now();
    try {
      await work();
      times[name].push(performance.now() - started);
    } catch (error) {
      times.refused.push(`${name}: ${String(error)}`);
    }
  };
  const withKey = { 'X-API-Key': key };
  return {
    times,
    logIn: () => timed('login', async () => void (await post(`${url}/api/v1/auth/login`, { email, password }))),
    ingest: (count = 10) =>
      timed('ingest', async () => {
        const headers = { ...json, ...withKey, 'X-Scenario-ID': scenarioId };
        const sent = { method: 'POST', headers, body: lines(count) };
        const { status, text } = await sendFrom(honestAddress, `${url}/ingest`, sent);
        if (status !== 200) throw new Error(`${status}: ${text}`);
      }),
  };
}

/**
 * Uses the service as an honest caller until the signal aborts. A password costs the service a
 * quarter of a second.
 */
export async function callHonestly(caller: HonestCaller, signal: AbortSignal): Promise<void> {
  const every = async (ms: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await Promise.all([work(), delay(ms, undefined, { signal }).catch(() => {})]);
    }
  };
  await Promise.all([every(second, () => caller.logIn()), every(second / 5, () => caller.ingest())]);
}
