import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { second } from '../../../shared/durations.ts';
import { withBenchStack } from '../../bench/bench-stack.ts';
import type { BenchTable } from '../../bench/bench-table.ts';
import { percentile } from '../../bench/statistics.ts';
import type { Flood, FloodTarget } from './flood.ts';
import { callHonestly, createFloodAccount, createHonestCaller, type HonestTimes } from './honest-caller.ts';

interface FloodResult {
  readonly flood: Flood;
  readonly honest: HonestTimes;
  /** Number of hostile requests by their outcome. */
  readonly outcomes: readonly (readonly [string, number])[];
  readonly isMet: boolean;
}

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
const targetMs = 1 * second;
const reportTargetMs = 2 * second;

/**
 * Sends the floods one after the other, each to a stack of its own, while an honest caller logs in
 * and sends ten lines five times a second.
 */
export async function runFloods(floods: readonly Flood[], seconds: number): Promise<FloodResult[]> {
  const results: FloodResult[] = [];
  for (const flood of floods) {
    console.error(`Flooding: ${flood.name}…`);
    const work = async ({ url }: { url: string }) => {
      // The first account is an admin's, so the attacker's is not the first.
      const honest = await createFloodAccount(url, 'honest');
      const target = { url, honest, attacker: await createFloodAccount(url, 'attacker') };
      results.push(await runFlood(flood, target, seconds));
    };
    await withBenchStack({}, work, defaultLimits);
  }
  return results;
}

async function runFlood(flood: Flood, target: FloodTarget, seconds: number): Promise<FloodResult> {
  // A service that has just started compiles its code by the first requests, and starts the threads
  // for large batches.
  const warmUp = createHonestCaller(target);
  for (let round = 0; round < 20; round += 1) await Promise.all([warmUp.ingest(1000), warmUp.ingest(1000)]);
  for (let round = 0; round < 400; round += 1) await warmUp.ingest();
  for (let round = 0; round < 10; round += 1) await warmUp.logIn();
  if (flood.delaysReports) await warmUp.report();
  const caller = createHonestCaller(target);
  const child = fork(fileURLToPath(new URL('./flood-process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  try {
    child.send({ name: flood.name, target });
    await once(child, 'message');
    await delay(leadMs);
    const stop = new AbortController();
    const calling = callHonestly(caller, flood, stop.signal);
    await delay(seconds * second);
    stop.abort();
    await calling;
    child.send('stop');
    const [outcomes] = (await once(child, 'message')) as [[string, number][]];
    for (const refusal of new Set(caller.times.refused)) console.error(refusal);
    return { flood, honest: caller.times, outcomes, isMet: isMet(flood, caller.times) };
  } finally {
    child.kill();
  }
}

const isMet = ({ loginMs = targetMs }: Flood, { login, ingest, report, refused }: HonestTimes) =>
  refused.length === 0 && slowest(login) <= loginMs && slowest(ingest) <= targetMs && slowest(report) <= reportTargetMs;

/** The 99th percentile; 0 without times. */
const slowest = (times: readonly number[]) => (times.length === 0 ? 0 : percentile(times, 0.99));

export function floodTable(results: readonly FloodResult[], seconds: number): BenchTable {
  return {
    title: `Honest requests during floods of ${seconds} seconds, milliseconds`,
    head: ['flood', 'login p99', 'goal', 'ingest p99', 'goal', 'CSV report', 'refused', 'hostile requests', ''],
    rows: results.map(({ flood, honest, outcomes, isMet: met }) => [
      flood.name,
      Math.round(slowest(honest.login)),
      flood.loginMs ?? targetMs,
      Math.round(slowest(honest.ingest)),
      targetMs,
      flood.delaysReports ? Math.round(slowest(honest.report)) : '',
      honest.refused.length,
      outcomes.map(([outcome, count]) => `${outcome}: ${count}`).join(', '),
      met ? 'met' : 'missed',
    ]),
  };
}
