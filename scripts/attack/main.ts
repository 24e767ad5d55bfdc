import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { second } from '../../shared/durations.ts';
import { withBenchStack } from '../bench/bench-stack.ts';
import { renderTable } from '../bench/bench-table.ts';
import { percentile } from '../bench/statistics.ts';
import { prepare } from '../ensure-installed.mjs';
import { type FloodTarget, floods } from './floods.ts';
import { callHonestly, createFloodAccount, createHonestCaller, type HonestTimes } from './honest-caller.ts';

/** The limits of a service that is not configured. */
const defaultLimits = {
  RATE_LIMIT_INGEST: '6000',
  RATE_LIMIT_LOGIN: '10',
  INGEST_WAIT_MS: '5000',
  // Refusals are part of a flood.
  LOG_LEVEL: 'error',
};
/** The flood is in progress when the honest caller begins. */
const leadMs = 1 * second;
const goalMs = 1 * second;

type Flood = ReturnType<typeof floods>[number];

interface FloodResult {
  readonly flood: Flood;
  readonly honest: HonestTimes;
  /** Number of hostile requests by their outcome. */
  readonly outcomes: readonly (readonly [string, number])[];
}

/**
 * Sends every flood, or those whose names contain `--only`, to stacks of their own on loopback,
 * while an honest caller logs in once a second and sends ten lines five times a second.
 */
async function runAttacks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string', default: '' }, seconds: { type: 'string', default: '20' } },
  });
  const seconds = Number(values.seconds);
  const chosen = floods().filter(({ name }) => name.includes(values.only));
  if (chosen.length === 0) throw new Error('--only names no flood.');
  if (!(seconds > 0)) throw new Error('--seconds must be a positive number.');
  const results: FloodResult[] = [];
  for (const flood of chosen) {
    console.error(`Flooding: ${flood.name}…`);
    const work = async ({ url }: { url: string }) => {
      // The first account is an admin's, so the attacker's is not the first.
      const honest = await createFloodAccount(url, 'honest');
      const target = { url, honest, attacker: await createFloodAccount(url, 'attacker') };
      results.push(await runFlood(flood, target, seconds));
    };
    await withBenchStack(work, defaultLimits);
  }
  console.log(
    renderTable({
      title: `Honest requests during floods of ${seconds} seconds, milliseconds`,
      head: ['flood', 'login p99', 'goal', 'ingest p99', 'goal', 'refused', 'hostile requests', ''],
      rows: results.map((result) => [
        result.flood.name,
        Math.round(slowest(result.honest.login)),
        result.flood.loginMs ?? goalMs,
        Math.round(slowest(result.honest.ingest)),
        goalMs,
        result.honest.refused.length,
        result.outcomes.map(([outcome, count]) => `${outcome}: ${count}`).join(', '),
        isMet(result) ? 'met' : 'missed',
      ]),
    }),
  );
  if (!results.every(isMet)) process.exitCode = 1;
}

async function runFlood(flood: Flood, target: FloodTarget, seconds: number): Promise<FloodResult> {
  // A service that has just started compiles its code by the first requests, and starts the threads
  // for large batches.
  const warmUp = createHonestCaller(target);
  for (let round = 0; round < 20; round += 1) await Promise.all([warmUp.ingest(1000), warmUp.ingest(1000)]);
  for (let round = 0; round < 400; round += 1) await warmUp.ingest();
  for (let round = 0; round < 10; round += 1) await warmUp.logIn();
  const caller = createHonestCaller(target);
  const child = fork(fileURLToPath(new URL('./flood-process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  try {
    child.send({ name: flood.name, target });
    await once(child, 'message');
    await delay(leadMs);
    const stop = new AbortController();
    const calling = callHonestly(caller, stop.signal);
    await delay(seconds * second);
    stop.abort();
    await calling;
    child.send('stop');
    const [outcomes] = (await once(child, 'message')) as [[string, number][]];
    for (const refusal of new Set(caller.times.refused)) console.error(refusal);
    return { flood, honest: caller.times, outcomes };
  } finally {
    child.kill();
  }
}

const isMet = ({ flood: { loginMs = goalMs }, honest: { login, ingest, refused } }: FloodResult) =>
  refused.length === 0 && slowest(login) <= loginMs && slowest(ingest) <= goalMs;

/** The 99th percentile; 0 without times. */
const slowest = (times: readonly number[]) => (times.length === 0 ? 0 : percentile(times, 0.99));

prepare({ needsRedis: true });
await runAttacks(process.argv.slice(2));
