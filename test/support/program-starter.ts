import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Program, spawnChild } from '../../scripts/local-stack/child-process.ts';

export interface StartedProgram {
  child: ChildProcess;
  /** What it has printed to stdout so far. */
  stdout: () => string;
  /** Resolves when the program has ended. */
  ended: Promise<{ code: number | null; stderr: string }>;
}

/** Starts programs. They end with the tests of the enclosing `describe`. */
export function createProgramStarter(): (program: Program) => StartedProgram {
  const started: StartedProgram[] = [];
  after(async () => {
    for (const { child } of started) child.kill('SIGTERM');
    await Promise.all(started.map(({ ended }) => ended));
  });
  return (program) => {
    const child = spawnChild(program);
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
      });
    }
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr: printed.stderr }));
    const own = { child, stdout: () => printed.stdout, ended };
    started.push(own);
    return own;
  };
}
