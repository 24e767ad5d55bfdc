import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Program, spawnChild } from '../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';

export interface StartedProgram {
  child: ChildProcess;
  /** Its exit code, and what it had said on stderr, once it has ended. */
  ended: Promise<{ code: number | null; said: string }>;
}

/** Starts programs for the tests of the enclosing `describe`; after them they are gone, also when the tests are killed. */
export function startedPrograms(): (program: Program) => StartedProgram {
  let watchdog: Watchdog;
  before(() => {
    watchdog = new Watchdog();
  });
  after(() => watchdog.close());
  return (program) => {
    const child = spawnChild(program, watchdog);
    child.stdout?.resume();
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
    return { child, ended };
  };
}
