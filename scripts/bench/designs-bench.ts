import { readConfig } from '../../shared/config/config.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { second as secondMs } from '../../shared/durations.ts';
import { createModels } from '../../shared/models.ts';
import { levelClasses } from '../../shared/scenarios/level-class.ts';
import { seededRandom } from '../../shared/seeded-random.ts';
import { readProbe } from '../attack/probe.ts';
import { startScenario } from '../call-service.ts';
import { findFreePort } from '../local-stack/free-port.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { type PlantedEntry, plantedFrom, plantHours } from './plant-hours.ts';
import { median } from './statistics.ts';

const requests = 9;
const seed = 20_261_123;
const days = 365;
const windows = [0, 1, 2, 5, 10, 20, 60, 120, 200, 300];

/** The entries of each hour. */
const inputs: Readonly<Record<string, () => PlantedEntry[]>> = {
  'four levels, 60 entries each': () => scatter(['debug', 'info', 'warn', 'error'], 1 / 60),
  'most scattered: eight levels, half of the seconds': () => scatter(levelClasses, 1 / 2),
  'densest: eight levels, all seconds': () => scatter(levelClasses, 1),
};

interface DesignsFigures {
  input: string;
  /** Medians. */
  milliseconds: number;
  /** CPU time, with that of the probe, which grows with the time of the request. */
  webMilliseconds: number;
  /** The most CPU time between two turns of web's event loop; null on systems other than Linux. */
  longestTurnMs: number | null;
  /** The longest time between two turns, which other programs of the machine lengthen. */
  longestStallMs: number;
}

/** Measures ten designs of a scenario with entries in every hour of a year. */
export async function benchDesigns(): Promise<{ figures: DesignsFigures[]; tables: BenchTable[] }> {
  const port = await findFreePort();
  const variables = { RATE_LIMIT_DEFAULT: '1000000000', ATTACK_WEB_PROBE: String(port) };
  const figures = await withBenchStack(
    { web: 'scripts/attack/measured-web.ts' },
    (stack) => measure(stack, port),
    variables,
  );
  return { figures, tables: [tableOf(figures)] };
}

async function measure(stack: BenchStack, probePort: number): Promise<DesignsFigures[]> {
  const config = readConfig(stack.environment);
  const mongo = await openMongo(config.mongodbUrl, { timeoutMs: config.mongodbTimeoutMs, role: 'worker' });
  try {
    const models = createModels(mongo);
    const figures: DesignsFigures[] = [];
    for (const [input, entries] of Object.entries(inputs)) {
      const scenarioId = await startScenario(stack.url, input);
      await plantHours(models, scenarioId, days, entries());
      figures.push({ input, ...(await measureDesigns(stack, scenarioId, probePort)) });
    }
    return figures;
  } finally {
    await mongo.close();
  }
}

async function measureDesigns(
  { url }: BenchStack,
  scenarioId: string,
  probePort: number,
): Promise<Omit<DesignsFigures, 'input'>> {
  const send = () => postDesigns(`${url}/api/v1/scenarios/${scenarioId}/designs`);
  // The code is compiled by its first requests.
  for (let count = 0; count < 3; count += 1) await send();
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let longestTurnMs: number | null = null;
  let longestStallMs = 0;
  await readProbe(probePort);
  for (let count = 0; count < requests; count += 1) {
    const started = performance.now();
    await send();
    times.push(performance.now() - started);
    const reading = await readProbe(probePort);
    cpuTimes.push(reading.cpuSeconds * secondMs);
    longestStallMs = Math.max(longestStallMs, reading.longestStallMs);
    if (reading.longestTurnMs !== null) longestTurnMs = Math.max(longestTurnMs ?? 0, reading.longestTurnMs);
  }
  return { milliseconds: median(times), webMilliseconds: median(cpuTimes), longestTurnMs, longestStallMs };
}

async function postDesigns(address: string): Promise<void> {
  const designs = windows.map((window_seconds) => ({
    name: `a window of ${window_seconds} s`,
    assumptions: {
      pipeline: {
        function: { batch_size: window_seconds === 0 ? 10 : 50, window_seconds },
        inference: { entries_per_call: 50, prompt_tokens: 800, output_tokens_per_call: 300 },
      },
    },
  }));
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ designs }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${address}: ${response.status} ${text}`);
}

/** An entry of each level in this share of the seconds, at random. */
function scatter(levels: readonly string[], share: number): PlantedEntry[] {
  const random = seededRandom(seed);
  return levels.flatMap((level) =>
    Array.from({ length: 3_600 }, (_, second) => ({ level, second }))
      .filter(() => random() < share)
      .map(({ second }) => ({
        message: 'order 1043 paid',
        timestamp: plantedFrom + second * secondMs,
        ...(level !== 'none' && { level }),
      })),
  );
}

function tableOf(figures: readonly DesignsFigures[]): BenchTable {
  return {
    title: 'Ten designs, with entries in every hour of a year',
    head: ['entries of an hour', 'ms', 'CPU of web, ms', 'longest turn, ms of CPU', 'longest turn, ms'],
    rows: figures.map(({ input, milliseconds, webMilliseconds, longestTurnMs, longestStallMs }) => [
      input,
      milliseconds,
      webMilliseconds,
      longestTurnMs ?? 'not known',
      longestStallMs,
    ]),
  };
}
