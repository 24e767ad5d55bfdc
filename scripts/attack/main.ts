import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withBenchStack } from '../bench/bench-stack.ts';
import { type BenchTable, renderTable } from '../bench/bench-table.ts';
import { startScenario } from '../call-service.ts';
import { findFreePort } from '../local-stack/free-port.ts';
import type { Attack, AttackResponse, AttackTarget } from './attack.ts';
import { attacks } from './attacks.ts';
import { floods } from './floods/floods.ts';
import { floodTable, runFloods } from './floods/run-floods.ts';
import { type Reading, readProbe } from './probe.ts';

const programs = { web: 'scripts/attack/measured-web.ts', worker: 'scripts/attack/measured-worker.ts' };
/**
 * The memory of a process is compared with what it used before, after so many seconds without
 * requests.
 */
const restSeconds = 60;

interface Result {
  attack: Attack;
  response: AttackResponse;
  /** How many of the requests were refused for the load that they caused together. */
  refused: number;
  web: Reading;
  worker: Reading;
}

/**
 * Sends every attack and every flood, or those whose names contain `--only`, to stacks of their own
 * on loopback.
 */
export async function runAttacks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      requests: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
    },
  });
  const requests = Number(values.requests);
  const seconds = Number(values.seconds);
  const isChosen = ({ name }: { name: string }) => name.includes(values.only);
  const [chosen, chosenFloods] = [attacks().filter(isChosen), floods().filter(isChosen)];
  if (chosen.length + chosenFloods.length === 0) throw new Error('--only names no attack and no flood.');
  if (!(requests > 0) || !(seconds > 0)) throw new Error('--requests and --seconds must be positive numbers.');
  const print = (results: object, tables: readonly BenchTable[]) => {
    if (values.json) console.log(JSON.stringify(results, null, 2));
    else for (const table of tables) console.log(`\n${renderTable(table)}`);
  };
  if (chosen.length > 0) {
    const { results, memory } = await runShapes(chosen, requests);
    print({ requests, results, memory }, tablesOf(requests, results, memory));
  }
  if (chosenFloods.length > 0) {
    const results = await runFloods(chosenFloods, seconds);
    print({ seconds, results }, [floodTable(results, seconds)]);
    if (results.some(({ isMet }) => !isMet)) process.exitCode = 1;
  }
}

async function runShapes(chosen: readonly Attack[], requests: number): Promise<{ results: Result[]; memory: Memory }> {
  const ports = { web: await findFreePort(), worker: await findFreePort() };
  const environment = { ATTACK_WEB_PROBE: String(ports.web), ATTACK_WORKER_PROBE: String(ports.worker) };
  const work = async ({ url }: { url: string }) => {
    const target = { url, scenarioId: await startScenario(url) };
    const read = async () => ({ web: await readProbe(ports.web), worker: await readProbe(ports.worker) });
    // The code is compiled by its first requests.
    for (const attack of chosen) await send(attack, target, 1);
    const before = await read();
    const results: Result[] = [];
    for (const attack of chosen) {
      console.error(`Sending ${attack.name}…`);
      await attack.prepare?.(target);
      await flush(target);
      await read();
      const sent = await send(attack, target, requests);
      results.push({ attack, ...sent, ...(await read()) });
    }
    console.error(`Waiting ${restSeconds} seconds…`);
    await delay(restSeconds * 1000);
    return { results, memory: { before, after: await read() } };
  };
  return withBenchStack(programs, work, environment);
}

/**
 * Sends requests at once. Some may be refused for the load that several cause together. If all are,
 * one more alone must get its response.
 * @returns a response: one that is not the expected one, if there is one.
 */
async function send(
  attack: Attack,
  target: AttackTarget,
  requests: number,
): Promise<Pick<Result, 'response' | 'refused'>> {
  const responses = await Promise.all(Array.from({ length: requests }, () => attack.send(target)));
  const carriedOut = requests === 1 ? responses : responses.filter((response) => !isRefusedForLoad(response));
  const refused = requests - carriedOut.length;
  if (carriedOut.length === 0) carriedOut.push(await attack.send(target));
  const unexpected = carriedOut.find((response) => !isExpected(attack, response));
  if (unexpected) process.exitCode = 1;
  return { response: (unexpected ?? carriedOut[0]) as AttackResponse, refused };
}

const isExpected = ({ response }: Attack, { status, code }: AttackResponse) =>
  status === response.status && code === response.code;

const isRefusedForLoad = ({ status }: AttackResponse) => status === 429 || status === 503;

/** Waits until the worker has nothing to do. */
async function flush({ url }: AttackTarget): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/flush`, { method: 'POST' });
    if (status === 200) return;
  }
}

const stallOf = ({ longestTurnMs, longestStallMs }: Reading) => longestTurnMs ?? longestStallMs;

type Memory = Record<'before' | 'after', Record<'web' | 'worker', Reading>>;

function tablesOf(requests: number, results: readonly Result[], memory: Memory): BenchTable[] {
  const slowestFirst = [...results].sort((one, other) => stallOf(other.web) - stallOf(one.web));
  return [
    {
      title: `Attacks, ${requests} requests of each at once, slowest first`,
      head: [
        'request',
        'bytes sent',
        'status',
        'refused for load',
        'web: longest turn, CPU ms',
        'longest stall, ms',
        'CPU s per request',
        'peak memory, MiB',
        'worker: longest turn, CPU ms',
        'longest stall, ms',
        'CPU s per request',
        'peak memory, MiB',
      ],
      rows: slowestFirst.map(({ attack, response, refused, web, worker }) => [
        attack.name,
        response.sentBytes,
        isExpected(attack, response) ? response.status : `${response.status}, not ${attack.response.status}`,
        refused,
        ...[web, worker].flatMap(({ longestTurnMs, longestStallMs, cpuSeconds, peakMemoryMb }) => [
          longestTurnMs === null ? 'not known' : Math.round(longestTurnMs),
          Math.round(longestStallMs),
          cpuSeconds / requests,
          Math.round(peakMemoryMb),
        ]),
      ]),
    },
    {
      title: 'Memory, MiB',
      head: ['process', 'before', `${restSeconds} seconds after`],
      rows: (['web', 'worker'] as const).map((name) => [
        name,
        Math.round(memory.before[name].memoryMb),
        Math.round(memory.after[name].memoryMb),
      ]),
    },
  ];
}
