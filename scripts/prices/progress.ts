import { SingleBar } from 'cli-progress';
import type { OnProgress } from '../../shared/cost/price-sources/open-file.ts';

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
