import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A load of ingest at a fixed rate. */
export interface PacedLoad {
  url: string;
  scenarioId: string;
  linesPerSecond: number;
  linesPerBatch: number;
}

/**
 * Runs `work` beside the load. @returns its result, and how many lines per second got their
 * responses.
 */
export async function withPacedLoad<T>(
  load: PacedLoad,
  work: () => Promise<T>,
): Promise<{ result: T; linesPerSecond: number }> {
  const file = fileURLToPath(new URL('./paced-sender.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  try {
    child.send(load);
    await once(child, 'message');
    const result = await work();
    child.send('stop');
    const [linesPerSecond] = (await once(child, 'message')) as [number];
    return { result, linesPerSecond };
  } finally {
    child.kill();
  }
}
