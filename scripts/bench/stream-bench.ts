import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { generateDayOfLogLines } from '../demo/generate-log-lines.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { median, sendLoad } from './load.ts';
import { residentMemoryMb } from './process-memory.ts';
import { startScenario } from './start-scenario.ts';

const scenarios = 50;
const streamsPerScenario = 4;
const batchSize = 100;
const batchesPerScenario = 8;
/**
 * Rounds with and without streams alternate, so that a change in the speed of the machine affects
 * both.
 */
const rounds = 5;
const soakMs = 60_000;
const seed = 20_261_122;

interface StreamFigures {
  streams: number;
  /** Medians. */
  linesPerSecond: { without: number; with: number };
  ratio: number;
  /** Events of all streams per second of load. */
  eventsPerSecond: number;
  /**
   * Resident memory of web in MiB: without streams, with them, and after a minute of load; null if
   * it is not known.
   */
  webMb: { before: number | null; opened: number | null; afterMinute: number | null };
}

/**
 * Measures ingest into many scenarios, without and with streams of their metrics on the one web
 * process.
 */
export async function benchStreams(): Promise<{ figures: StreamFigures; tables: BenchTable[] }> {
  const variables = {
    RATE_LIMIT_DEFAULT: '1000000000',
    MAX_STREAMS_PER_CALLER: '1000',
    MAX_WAITING_REQUESTS: '1000',
  };
  const figures = await withBenchStack({}, measure, variables);
  return { figures, tables: tablesOf(figures) };
}

async function measure(stack: BenchStack): Promise<StreamFigures> {
  const ids: string[] = [];
  for (let count = 0; count < scenarios; count += 1) ids.push(await startScenario(stack.url, `bench ${count}`));
  const lines = generateDayOfLogLines(seed, batchSize * batchesPerScenario);
  const bodies = Array.from({ length: batchesPerScenario }, (_, at) =>
    Buffer.from(JSON.stringify(lines.slice(at * batchSize, (at + 1) * batchSize).map((message) => ({ message })))),
  );
  const load = async () => {
    const started = performance.now();
    const send = (id: string) => {
      const target = { url: `${stack.url}/ingest`, headers: { 'X-Scenario-ID': id } };
      return sendLoad({ ...target, bodies, clients: 1, requests: batchesPerScenario, status: 200 });
    };
    await Promise.all(ids.map(send));
    return (performance.now() - started) / 1000;
  };
  const linesPerRound = scenarios * batchesPerScenario * batchSize;
  const speeds = { without: [] as number[], with: [] as number[] };
  let events = 0;
  let streamedSeconds = 0;
  await load();
  for (let round = 0; round < rounds; round += 1) {
    speeds.without.push(linesPerRound / (await load()));
    const streams = await openStreams(stack.url, ids);
    const seconds = await load();
    speeds.with.push(linesPerRound / seconds);
    streamedSeconds += seconds;
    events += streams.close();
  }
  const before = await webMb(stack);
  const streams = await openStreams(stack.url, ids);
  await load();
  const opened = await webMb(stack);
  const end = performance.now() + soakMs;
  while (performance.now() < end) await load();
  const afterMinute = await webMb(stack);
  streams.close();
  const linesPerSecond = { without: median(speeds.without), with: median(speeds.with) };
  return {
    streams: scenarios * streamsPerScenario,
    linesPerSecond,
    ratio: linesPerSecond.with / linesPerSecond.without,
    eventsPerSecond: events / streamedSeconds,
    webMb: { before, opened, afterMinute },
  };
}

const webMb = (stack: BenchStack) => residentMemoryMb(stack.processIds()['web'] ?? 0);

/** @returns a function that closes the streams and returns the number of their events. */
async function openStreams(url: string, ids: readonly string[]): Promise<{ close: () => number }> {
  const agent = new Agent({ maxSockets: Infinity });
  let events = 0;
  const open = async (id: string) => {
    const request = get(`${url}/api/v1/scenarios/${id}/metrics/stream`, { agent });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`A stream got ${response.statusCode}.`);
    response.on('error', () => {});
    response.setEncoding('utf8').on('data', (text: string) => {
      events += text.split('event: metrics').length - 1;
    });
  };
  await Promise.all(ids.flatMap((id) => Array.from({ length: streamsPerScenario }, () => open(id))));
  // The first event of each stream does not wait, so it is not counted.
  events = 0;
  return {
    close: () => {
      agent.destroy();
      return events;
    },
  };
}

function tablesOf({ streams, linesPerSecond, ratio, eventsPerSecond, webMb }: StreamFigures): BenchTable[] {
  return [
    {
      title: `Ingest into ${scenarios} scenarios, lines per second, without and with ${streams} streams of their metrics`,
      head: ['without', 'with', 'ratio', 'events per second'],
      rows: [[Math.round(linesPerSecond.without), Math.round(linesPerSecond.with), ratio, Math.round(eventsPerSecond)]],
    },
    {
      title: 'Resident memory of web, MiB',
      head: ['without streams', 'with streams', 'after a minute of ingest'],
      rows: [[webMb.before ?? 'not known', webMb.opened ?? 'not known', webMb.afterMinute ?? 'not known']],
    },
  ];
}
