import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import type { OnProgress } from '../../shared/cost/price-sources/open-file.ts';

/** The environment of a command, and where its texts go: the terminal, or a test. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  print: (text: string) => void;
  printError: (text: string) => void;
}

/** A table without lines between its rows. */
export function compactTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const chars = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
  const table = new Table({ head: [...head], chars, style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  return table.toString();
}

/** A progress bar on the standard error, if that is a terminal. */
export function showProgress(): { update: OnProgress; stop(): void } {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: 'Reading {bar} {percentage}% | {file}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let current = '';
  return {
    update(file, read, total) {
      // Without a length, the bar shows a file as long as what has been read.
      if (file !== current) {
        bar.stop();
        bar.start(total ?? read, 0, { file });
        current = file;
      }
      bar.setTotal(total ?? read);
      bar.update(read, { file });
    },
    stop: () => bar.stop(),
  };
}
