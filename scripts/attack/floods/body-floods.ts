// Floods of requests that cost the receiver more than the sender.
import { gzipSync } from 'node:zlib';
import { day } from '../../../shared/durations.ts';
import { addressOf, type Flood, type FloodTarget } from './flood.ts';
import { type Outgoing, outcomeOf, sendFrom } from './send-from.ts';

const mebibyte = 1024 * 1024;

export function bodyFloods(): Flood[] {
  const packed = gzipSync(Buffer.alloc(mebibyte, ' '), { level: 9 });
  /** Unpacks to nearly a mebibyte, and never ends. */
  const unfinished = packed.subarray(0, packed.length - 16);
  const manyLines = gzipSync('a\n'.repeat(79_000), { level: 9 });
  return [
    {
      name: 'unfinished gzip bodies of 100 networks',
      lanes: 400,
      send: ({ url, attacker }, lane) =>
        outcomeOf(
          sendFrom(addressOf(lane % 100), `${url}/ingest/${attacker.scenarioId}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'gzip' },
            body: unfinished,
            isUnfinished: true,
          }),
        ),
    },
    {
      name: 'unfinished gzip bodies of two networks',
      lanes: 400,
      send: ({ url }, lane) =>
        outcomeOf(
          sendFrom(addressOf(lane % 2), `${url}/api/v1/auth/login`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
            body: unfinished,
            isUnfinished: true,
          }),
        ),
    },
    {
      name: '600 requests a minute of 79,000 lines in 200 bytes',
      lanes: 10,
      pauseMs: 900,
      send: (target) =>
        ingest(target, { headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }, body: manyLines }),
    },
    {
      name: 'metrics of a scenario that gets new days',
      lanes: 8,
      send: (target, lane) => (lane < 2 ? ingestDays(target) : readMetrics(target)),
    },
    {
      name: '1,000 requests at once of one account',
      lanes: 1000,
      send: ({ url, attacker }) =>
        outcomeOf(
          sendFrom(addressOf(0), `${url}/api/v1/scenarios?search=bench`, {
            headers: { Authorization: `Bearer ${attacker.token}` },
          }),
        ),
    },
  ];
}

const ingest = ({ url, attacker }: FloodTarget, { headers, body }: Outgoing) =>
  outcomeOf(
    sendFrom(addressOf(0), `${url}/ingest/${attacker.scenarioId}`, {
      method: 'POST',
      headers: { 'X-API-Key': attacker.key, ...headers },
      body: body ?? '',
    }),
  );

const readMetrics = ({ url, attacker }: FloodTarget) =>
  outcomeOf(
    sendFrom(addressOf(0), `${url}/api/v1/scenarios/${attacker.scenarioId}/metrics`, {
      headers: { 'X-API-Key': attacker.key },
    }),
  );

const daysOfRequest = 1000;
/** Nearly all days that timestamps can have. */
const allDays = 47_000;
let nextDay = 0;

/** Entries of a thousand days, of other days at every call. */
function ingestDays(target: FloodTarget): Promise<string> {
  const first = nextDay;
  nextDay = (nextDay + daysOfRequest) % allDays;
  const lines = Array.from({ length: daysOfRequest }, (_, index) =>
    JSON.stringify({ message: 'a', timestamp: new Date((first + index) * day) }),
  );
  return ingest(target, { headers: { 'Content-Type': 'application/x-ndjson' }, body: lines.join('\n') });
}
