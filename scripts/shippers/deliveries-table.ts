import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '../../shared/durations.ts';
import { type BenchStack, withBenchStack } from '../bench/bench-stack.ts';
import type { BenchTable } from '../bench/bench-table.ts';
import { type Account, createAccount } from './accounts.ts';
import { countLines, type LineCounts } from './count-lines.ts';
import { disturb } from './disturbances.ts';
import type { Bound, RunFacts } from './shipper.ts';
import { type Chosen, type Participant, startParticipant } from './start-participant.ts';

interface DeliveryOptions {
  readonly lines: readonly string[];
  /** The time in which the log grows. */
  readonly seconds: number;
  readonly directory: string;
  readonly webSignal: 'SIGTERM' | 'SIGKILL';
}

interface Delivery {
  name: string;
  version: string;
  counted: number;
  lines: LineCounts;
  seconds: number;
  bound: Bound;
}

/**
 * A tool is done when all lines are counted, or when none was for so long. While the request of a
 * killed web counts as in progress, its repetition under the same Idempotency-Key is refused.
 */
const idleMs = { SIGTERM: 45 * second, SIGKILL: 6 * minute };
/** Lines that are counted twice can follow the last one. */
const surplusMs = 5000;

const settings = {
  AUTH_MODE: 'strict',
  // As the document says for tools that send one record per request.
  RATE_LIMIT_INGEST: '60000',
};

/** Lets all tools send at the same time to a stack, and restarts it. */
export async function deliver(
  chosen: readonly Chosen[],
  options: DeliveryOptions,
): Promise<{ table: BenchTable; isKept: boolean }> {
  const deliveries = await withBenchStack({}, (stack) => deliverTo(stack, chosen, options), settings);
  const rows = deliveries.map(({ name, version, counted, lines, seconds, bound }) => [
    name,
    version,
    options.lines.length,
    counted,
    lines.lost,
    lines.twice,
    lines.foreign,
    Math.round(seconds),
    bound.promise,
    bound.lost,
    bound.twice,
  ]);
  return {
    table: {
      title: `${options.lines.length} lines of a log, web restarted twice (${options.webSignal}), the worker killed once`,
      head: [
        'tool',
        'version',
        'sent',
        'counted',
        'lost',
        'twice',
        'changed',
        'seconds',
        'promised',
        'lost at most',
        'twice at most',
      ],
      rows,
    },
    isKept: deliveries.every(
      ({ lines, bound }) => lines.lost <= bound.lost && lines.twice <= bound.twice && lines.foreign === 0,
    ),
  };
}

async function deliverTo(stack: BenchStack, chosen: readonly Chosen[], options: DeliveryOptions): Promise<Delivery[]> {
  const account = await createAccount(stack.url);
  const participants: (Participant & { scenarioId: string })[] = [];
  try {
    for (const one of chosen) {
      const target = { port: Number(new URL(stack.url).port), ...(await account.createTarget(one.shipper.name)) };
      participants.push({ ...(await startParticipant(one, target, options)), scenarioId: target.scenarioId });
    }
    const feeds = participants.map(({ feed }) => feed);
    const facts = await disturb(stack, feeds, options.webSignal);
    return await Promise.all(participants.map((one) => waitUntilDone(one, stack, account, options.lines, facts)));
  } finally {
    for (const { running, shipper } of participants) {
      await running.stop();
      if (running.output() !== '') console.error(`${shipper.name} printed:\n${running.output()}`);
    }
  }
}

async function waitUntilDone(
  { shipper, found, scenarioId, feed, startedAt }: Participant & { scenarioId: string },
  { mongodbUrl }: BenchStack,
  account: Account,
  lines: readonly string[],
  facts: RunFacts,
): Promise<Delivery> {
  await feed.done;
  let counted = 0;
  let changedAt = performance.now();
  const limitMs = idleMs[facts.isWebKilled ? 'SIGKILL' : 'SIGTERM'];
  while (performance.now() - changedAt < (counted >= lines.length ? surplusMs : limitMs)) {
    const now = await account.countLogs(scenarioId);
    if (now !== counted) changedAt = performance.now();
    counted = now;
    await delay(500);
  }
  console.error(`${shipper.name}: ${counted} lines are counted.`);
  return {
    name: shipper.name,
    version: found.version,
    counted,
    lines: await countLines(mongodbUrl, scenarioId, lines),
    seconds: (changedAt - startedAt) / 1000,
    bound: shipper.bound(facts),
  };
}
