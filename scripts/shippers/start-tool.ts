import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunningShipper } from './shipper.ts';

const keptOutput = 4000;

/** Starts a program. Only the end of its output is kept. */
export function startTool(
  command: string,
  args: readonly string[],
  options: { directory: string; environment: NodeJS.ProcessEnv; hasInput?: boolean },
): Required<Pick<RunningShipper, 'output' | 'stop'>> & { child: ReturnType<typeof spawn> } {
  const child = spawn(command, args, {
    cwd: options.directory,
    env: options.environment,
    stdio: [options.hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-keptOutput);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  child.once('error', (error) => keep(error.message));
  // A tool that has ended shows it in its count.
  child.stdin?.on('error', (error) => keep(error.message));
  return {
    child,
    output: () => output,
    stop: async () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      process.kill(-child.pid, 'SIGKILL');
      await closed;
    },
  };
}
