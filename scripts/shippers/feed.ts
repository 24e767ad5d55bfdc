import { setTimeout as delay } from 'node:timers/promises';

const stepMs = 50;

/** Lines that become a log at an even rate. */
export interface Feed {
  /** Resolves when all lines are written. */
  readonly done: Promise<void>;
  /** Resolves when this part of the lines, 0 to 1, is written. */
  reached(part: number): Promise<void>;
  /** Lines that are written so far. */
  count(): number;
}

/** @param write receives lines with their ends. */
export function startFeed(
  lines: readonly string[],
  seconds: number,
  write: (text: string) => void | Promise<void>,
): Feed {
  let count = 0;
  const started = performance.now();
  const run = async () => {
    while (count < lines.length) {
      await delay(stepMs);
      const due = Math.ceil((lines.length * (performance.now() - started)) / (seconds * 1000));
      const next = lines.slice(count, due);
      if (next.length > 0) await write(next.map((line) => `${line}\n`).join(''));
      count += next.length;
    }
  };
  return {
    done: run(),
    reached: async (part) => {
      while (count < part * lines.length) await delay(stepMs);
    },
    count: () => count,
  };
}
