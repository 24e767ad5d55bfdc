import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Program, spawnChild } from '../../scripts/local-stack/child-process.ts';

export interface StartedProgram {
  child: ChildProcess;
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
    child.stdout?.resume();
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
    started.push({ child, ended });
    return { child, ended };
  };
}
