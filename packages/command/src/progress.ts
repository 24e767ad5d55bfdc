import { Presets, SingleBar } from 'cli-progress';
import { formatBytes } from '../../../shared/amounts.ts';
import type { Input } from './inputs.ts';

/** Shows how much of the inputs has been read, if a person sees it. */
export function createProgress(inputs: readonly Input[]): { onRead: (bytes: number) => void; stop: () => void } {
  const total = inputs.reduce((sum, { bytes = Number.NaN }) => sum + bytes, 0);
  if (!process.stderr.isTTY || !(total > 0)) return { onRead: () => {}, stop: () => {} };
  const format = (bytes: number) => `{bar} {percentage} % of ${formatBytes(bytes)}, {eta_formatted} left`;
  const options = { format: format(total), clearOnComplete: true, hideCursor: true, stream: process.stderr };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0);
  return { onRead: (bytes) => bar.increment(bytes), stop: () => bar.stop() };
}
