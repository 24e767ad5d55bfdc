import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Program, spawnChild } from '../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';

export interface StartedProgram {
  child: ChildProcess;
  /** Resolves when the program has ended. */
  ended: Promise<{ code: number | null; stderr: string }>;
}

/**
 * Starts programs. They end with the tests of the enclosing `describe`, even if the test process is
 * killed.
 */
export function createProgramStarter(): (program: Program) => StartedProgram {
  let watchdog: Watchdog;
  before(() => {
    watchdog = new Watchdog();
  });
  after(() => watchdog.close());
  return (program) => {
    const child = spawnChild(program, watchdog);
    child.stdout?.resume();
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
    return { child, ended };
  };
}
