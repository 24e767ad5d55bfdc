import { setTimeout as delay } from 'node:timers/promises';
import type { BenchStack } from '../bench/bench-stack.ts';
import type { Feed } from './feed.ts';
import type { RunFacts } from './shipper.ts';

const pollMs = 100;
/**
 * Lines that a logger buffers for its next batch are lost with it, and lines that it reads late are
 * logged later.
 */
const marginMs = 2000;

/** Restarts web twice, and kills the worker between. */
export async function disturb(stack: BenchStack, feeds: readonly Feed[], webSignal: NodeJS.Signals): Promise<RunFacts> {
  const logged = () => Math.max(...feeds.map((feed) => feed.count()));
  const restartWeb = async () => {
    const before = logged();
    await delay(marginMs);
    await restart(stack, 'web', webSignal);
    await waitForWeb(stack.url);
    await delay(marginMs);
    return logged() - before;
  };
  const reached = async (part: number) => {
    for (const feed of feeds) await feed.reached(part);
  };
  await reached(0.2);
  const first = await restartWeb();
  await reached(0.45);
  await restart(stack, 'worker', 'SIGKILL');
  await reached(0.65);
  const second = await restartWeb();
  return { isWebKilled: webSignal === 'SIGKILL', webRestarts: 2, linesWithoutWeb: first + second };
}

/** Ends a process, and waits until the supervisor of the stack has started it again. */
async function restart(stack: BenchStack, name: 'web' | 'worker', signal: NodeJS.Signals): Promise<void> {
  const { [name]: pid } = stack.processIds();
  if (pid === undefined) throw new Error(`${name} does not run.`);
  console.error(`Sends ${signal} to ${name}…`);
  process.kill(pid, signal);
  while ((stack.processIds()[name] ?? pid) === pid) await delay(pollMs);
}

async function waitForWeb(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/health`, { headers: { Connection: 'close' } }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(pollMs);
  }
}
