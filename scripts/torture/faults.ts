import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { shuffle } from '../../test/support/random-choices.ts';
import { signalGroup } from '../local-stack/child-process.ts';
import { waitForOk } from '../local-stack/services.ts';
import type { History } from './history.ts';
import { type NamedLink, type ProcessName, type TortureStack, webs, workers } from './stack.ts';

/** `run` makes the fault and ends it within some seconds. */
type Fault = { name: string; run: () => Promise<unknown> };
type FaultOptions = { stack: TortureStack; history: History; random: () => number };

const restartLimitMs = 30_000;

/**
 * Makes one fault after the other until the signal aborts: all kinds in random order, then all of
 * them again. Every fault has ended when this returns.
 */
export async function runFaults(options: FaultOptions, over: AbortSignal): Promise<void> {
  const { history, random } = options;
  while (!over.aborted) {
    for (const { name, run } of shuffle(random, faultsOf(options))) {
      await delay(300 + random() * 1_500, undefined, { signal: over }).catch(() => {});
      if (over.aborted) return;
      const from = history.now();
      console.log(`${(from / 1000).toFixed(1).padStart(6)} s  ${name}`);
      await run();
      history.add({ type: 'fault', name, from, to: history.now() });
    }
  }
}

/** One fault of every kind, with random targets and durations. */
function faultsOf({ stack, random }: FaultOptions): Fault[] {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const between = (least: number, most: number) => least + random() * (most - least);
  const servers = ['redis', 'store'] as const;
  const signalled = (name: ProcessName, signal: NodeJS.Signals): Fault => ({
    name: `${signal} to ${name}`,
    run: () => restart(stack, name, signal),
  });
  const frozen = (name: ProcessName, milliseconds: number): Fault => ({
    name: `${name} is frozen`,
    run: () => freeze(stack, name, milliseconds),
  });
  const disturbed = (to: NamedLink['to'], how: string, disturb: (link: NamedLink) => Promise<void>): Fault => {
    const all = stack.links.filter((link) => link.to === to);
    const one = pick(all);
    const [from, links] = random() < 0.5 ? ['all', all] : [one.from, [one]];
    return { name: `${how}: ${from} to ${to}`, run: () => Promise.all(links.map(disturb)) };
  };
  const cutMs = between(200, 3_000);
  const dropMs = between(200, 1_500);
  const tos = ['redis', 'store', 'web'] as const;
  return [
    signalled(pick(webs), 'SIGKILL'),
    signalled(pick(workers), 'SIGKILL'),
    signalled(pick(servers), 'SIGKILL'),
    signalled(pick(servers), 'SIGTERM'),
    { name: 'rolling restart', run: () => rollingRestart(stack) },
    frozen(pick(webs), between(500, 6_000)),
    frozen(pick(workers), between(500, 12_000)),
    frozen(pick(servers), between(500, 4_000)),
    disturbed(pick(tos), 'connections cut', (link) => cut(link, cutMs)),
    disturbed('redis', 'connections cut', (link) => cut(link, cutMs)),
    disturbed(pick(tos), 'replies dropped', (link) => dropReplies(link, dropMs)),
    disturbed('store', 'replies dropped', (link) => dropReplies(link, dropMs)),
    { name: 'FLUSHALL', run: () => flushAll(stack.direct.redisUrl) },
  ];
}

async function cut(link: NamedLink, milliseconds: number): Promise<void> {
  await link.stop();
  await delay(milliseconds);
  await link.start();
}

/** Requests arrive, but their replies do not. The connections are then closed. */
async function dropReplies(link: NamedLink, milliseconds: number): Promise<void> {
  link.dropsReplies = true;
  await delay(milliseconds);
  link.dropsReplies = false;
  await cut(link, 0);
}

/** Ends a process, and waits until the supervisor has started it again. */
async function restart(stack: TortureStack, name: ProcessName, signal: NodeJS.Signals): Promise<void> {
  const pid = stack.processId(name);
  if (pid === undefined) return;
  signalGroup(pid, signal);
  const limit = performance.now() + restartLimitMs;
  while ((stack.processId(name) ?? pid) === pid && performance.now() < limit) await delay(50);
}

async function rollingRestart(stack: TortureStack): Promise<void> {
  for (const [index, name] of webs.entries()) {
    await restart(stack, name, 'SIGTERM');
    // The end of the run detects a web that does not respond again.
    await waitForOk(`${stack.direct.webUrls[index]}/health`, AbortSignal.timeout(restartLimitMs)).catch(() => {});
  }
  for (const name of workers) await restart(stack, name, 'SIGTERM');
}

async function freeze(stack: TortureStack, name: ProcessName, milliseconds: number): Promise<void> {
  const pid = stack.processId(name);
  if (pid === undefined) return;
  signalGroup(pid, 'SIGSTOP');
  await delay(milliseconds);
  signalGroup(pid, 'SIGCONT');
}

export async function flushAll(url: string): Promise<void> {
  const redis = new Redis<'legacy'>(url, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  await redis.flushall();
  redis.disconnect();
}
