// Hostile requests that are sent without pause, while an honest caller uses the service.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Outgoing, outcomeOf, sendFrom } from './send-from.ts';

/** A service on loopback, with an account for the attacker and one for an honest caller. */
export interface FloodTarget {
  readonly url: string;
  readonly attacker: FloodAccount;
  readonly honest: FloodAccount;
}

export interface FloodAccount {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly key: string;
  /** A running scenario. */
  readonly scenarioId: string;
}

interface Flood {
  /** Unique; names the row of the table. */
  readonly name: string;
  /** Requests in flight. Each is followed by the next one as soon as it has ended. */
  readonly lanes: number;
  /** Milliseconds that a lane waits before its next request; 0 if not set. */
  readonly pauseMs?: number;
  /** The longest time of an honest login, in milliseconds; a second if not set. */
  readonly loginMs?: number;
  /**
   * Sends one request. @returns its outcome: the status of the response, or the code of a lost
   * connection.
   */
  send(target: FloodTarget, lane: number): Promise<string>;
}

/** The networks of one attacker. More of them are the work of a proxy in front of the service. */
const networks = 25;

/** Every address of 127.0.0.0/8 is a network of its own. Honest callers have 127.0.0.1. */
const addressOf = (lane: number) => `127.66.0.${(lane % networks) + 1}`;

const json = { 'Content-Type': 'application/json' };

export function floods(): readonly Flood[] {
  const packed = gzipSync(Buffer.alloc(1024 * 1024, ' '), { level: 9 });
  const manyLines = gzipSync('a\n'.repeat(79_000), { level: 9 });
  const attack = (lane: number, url: string, outgoing: Outgoing) =>
    outcomeOf(sendFrom(addressOf(lane), url, { method: 'POST', ...outgoing }));
  return [
    {
      name: '50 logins at once, each for another account',
      lanes: 2 * networks,
      loginMs: 2000,
      send: ({ url }, lane) => {
        const credentials = { email: `${randomBytes(6).toString('hex')}@example.com`, password: 'a wrong password' };
        return attack(lane, `${url}/api/v1/auth/login`, { headers: json, body: JSON.stringify(credentials) });
      },
    },
    {
      // It unpacks to nearly a mebibyte, and never ends.
      name: '400 unfinished gzip bodies at once',
      lanes: 400,
      send: ({ url, attacker }, lane) =>
        attack(lane, `${url}/ingest/${attacker.scenarioId}`, {
          headers: { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'gzip' },
          body: packed.subarray(0, packed.length - 16),
          isUnfinished: true,
        }),
    },
    {
      name: '600 requests a minute of 79,000 lines in 200 bytes',
      lanes: 10,
      pauseMs: 900,
      send: ({ url, attacker }, lane) =>
        attack(lane, `${url}/ingest/${attacker.scenarioId}`, {
          headers: { 'X-API-Key': attacker.key, 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' },
          body: manyLines,
        }),
    },
    {
      name: '1,000 requests at once of one account',
      lanes: 1000,
      send: ({ url, attacker }, lane) =>
        attack(lane, `${url}/api/v1/scenarios?search=bench`, {
          method: 'GET',
          headers: { Authorization: `Bearer ${attacker.token}` },
        }),
    },
  ];
}

/** Sends the requests of a flood until the signal aborts. @returns the number of each outcome. */
export async function sendFlood(flood: Flood, target: FloodTarget, signal: AbortSignal): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const sendLane = async (lane: number) => {
    while (!signal.aborted) {
      const outcome = await Promise.race([flood.send(target, lane), aborted]);
      if (outcome === undefined) return;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (flood.pauseMs) await Promise.race([delay(flood.pauseMs, undefined, { ref: false }), aborted]);
    }
  };
  await Promise.all(Array.from({ length: flood.lanes }, (_, lane) => sendLane(lane)));
  return outcomes;
}
