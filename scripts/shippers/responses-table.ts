import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchTable } from '../bench/bench-table.ts';
import { type FaultyResponse, type FaultyServer, startFaultyServer } from './faulty-server.ts';
import { numbersOfLines } from './generated-lines.ts';
import { type Chosen, startParticipant } from './start-participant.ts';

const responses: readonly FaultyResponse[] = [429, 503, 413, 400, 'none'];
/** Requests that get the response in question; those after them succeed. */
const faultyRequests = 3;
/**
 * A tool is done when it has sent nothing for so long: Fluent Bit waits up to 51 s before its third
 * repetition.
 */
const idleMs = 60_000;
const seconds = 3;

/**
 * The reaction of each tool to a response that its first requests get from a server of this
 * program.
 */
export async function tryResponses(
  chosen: readonly Chosen[],
  lines: readonly string[],
  directory: string,
): Promise<BenchTable> {
  const cells = new Map(chosen.map(({ shipper }) => [shipper.name, [] as string[]]));
  for (const response of responses) {
    console.error(`Responses ${response === 'none' ? 'nothing' : response}…`);
    const own = join(directory, String(response));
    await mkdir(own);
    await Promise.all(
      chosen.map(async (one) => cells.get(one.shipper.name)?.push(await tryResponse(one, response, lines, own))),
    );
  }
  return {
    title: `What becomes of ${lines.length} lines if the first ${faultyRequests} requests get this response`,
    head: ['tool', 'version', ...responses.map((response) => (response === 'none' ? 'no response' : String(response)))],
    rows: chosen.map(({ shipper, found }) => [shipper.name, found.version, ...(cells.get(shipper.name) ?? [])]),
  };
}

async function tryResponse(
  one: Chosen,
  response: FaultyResponse,
  lines: readonly string[],
  directory: string,
): Promise<string> {
  const server = await startFaultyServer(response, faultyRequests);
  const target = { port: server.port, scenarioId: randomUUID(), key: 'mb_example' };
  const { running, feed } = await startParticipant(one, target, { lines, seconds, directory });
  try {
    await feed.done;
    for (let sent = -1, since = performance.now(); performance.now() - since < idleMs; await delay(200)) {
      if (server.requests.length === sent) continue;
      sent = server.requests.length;
      since = performance.now();
    }
    return outcomeOf(server, lines.length);
  } finally {
    await running.stop();
    server.close();
  }
}

function outcomeOf({ requests }: FaultyServer, lines: number): string {
  const counts = Array.from({ length: lines }, () => 0);
  const keys = new Set<string>();
  for (const { body, response, key } of requests) {
    const isTaken = response === 200 || response === 'none';
    // The service takes a request with a known key once.
    if (!isTaken || (key !== undefined && keys.has(key))) continue;
    if (key !== undefined) keys.add(key);
    for (const number of numbersOfLines(body)) counts[number] = (counts[number] ?? 0) + 1;
  }
  const lost = counts.filter((count) => count === 0).length;
  const twice = counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  const outcome = [...(lost > 0 ? [`${lost} lost`] : []), ...(twice > 0 ? [`${twice} twice`] : [])];
  return `${outcome.join(', ') || 'each once'} (${requests.length} requests)`;
}
