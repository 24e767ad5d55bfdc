import type { ChildProcess } from 'node:child_process';
import { signalGroup, spawnChild, waitForClose } from '../local-stack/spawn-child.ts';
import { Watchdog } from '../local-stack/watchdog.ts';
import type { RunningShipper } from './shipper.ts';

const keptOutput = 4000;
const watchdog = new Watchdog();

/** Starts a program. Only the end of its output is kept. */
export function startTool(
  command: string,
  args: readonly string[],
  options: { environment: NodeJS.ProcessEnv; hasInput?: boolean },
): RunningShipper {
  const child = spawnChild({ command, args, ...options }, watchdog);
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-keptOutput);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  child.once('error', (error) => keep(error.message));
  // The count shows what a tool that has ended did not send.
  child.stdin?.on('error', (error) => keep(error.message));
  return {
    ...(child.stdin ? { input: child.stdin } : {}),
    output: () => output,
    stop: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  signalGroup(child.pid, 'SIGKILL');
  await waitForClose(child);
}
