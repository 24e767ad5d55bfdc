import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Model } from './model.ts';

const run = promisify(execFile);

/** `unfinished`: not every state was reached, so nothing is shown. */
export interface CheckResult {
  readonly outcome: 'holds' | 'violated' | 'unfinished';
  /** Different states that were reached. */
  readonly states: number;
  /** The assertion that is violated, or why the check is unfinished. */
  readonly reason?: string;
}

/** More than any model takes; a check that needs more is unfinished. */
const maxMemoryMb = 2_000;
const maxSteps = 100_000;

/**
 * Has SPIN reach every state of a model, or of one of its mutations.
 * @throws Error if spin or gcc refuses the model, or is missing.
 */
export async function checkModel({ file }: Model, mutation?: string): Promise<CheckResult> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-proof-'));
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  try {
    await copyFile(file, join(folder, 'model.pml'));
    await run('spin', [...(mutation ? [`-D${mutation}`] : []), '-a', 'model.pml'], options);
    await run('gcc', ['-O2', '-w', '-DSAFETY', `-DMEMLIM=${maxMemoryMb}`, '-o', 'check', 'pan.c'], options);
    // Processes that wait in an end state of their own are no error.
    const { stdout } = await run(join(folder, 'check'), ['-E', `-m${maxSteps}`], options);
    return readOutput(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the output of a check. */
export function readOutput(output: string): CheckResult {
  const states = Number(/^\s*(\d+(?:\.\d+)?(?:e\+\d+)?) states, stored/m.exec(output)?.[1] ?? 0);
  const [, violated] = /assertion violated (.+) \(at depth \d+\)/.exec(output) ?? [];
  if (violated) return { outcome: 'violated', states, reason: violated.trim() };
  const [cut] = /max search depth too small|out of memory|Search not completed/i.exec(output) ?? [];
  const isComplete = cut === undefined && /errors: 0/.test(output) && states > 0;
  return isComplete
    ? { outcome: 'holds', states }
    : { outcome: 'unfinished', states, reason: cut ?? output.slice(-500) };
}
