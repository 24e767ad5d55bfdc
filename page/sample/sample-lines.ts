import { hour } from '../../shared/durations.ts';
import { generateLogLines } from '../../shared/generate-log-lines.ts';

export const sampleSize = 3_000;
const sampleHours = 24;
const seed = 1;

/**
 * Generates `sampleSize` log lines of the 24 hours before a time: a quiet night, a busy day, and
 * one hour with a rush.
 */
export function generateSampleLines(now: Date): string[] {
  const start = now.getTime() - sampleHours * hour;
  return linesPerHour().flatMap((count, index) => {
    const from = start + index * hour;
    return [...generateLogLines(seed + index, count, new Date(from), new Date(from + hour))];
  });
}

/** Adds up to `sampleSize`. */
function linesPerHour(): number[] {
  const weights = Array.from({ length: sampleHours }, (_, index) => {
    const wave = 1 - 0.8 * Math.cos((2 * Math.PI * index) / sampleHours);
    return index === rushHour ? 2 * wave : wave;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  let before = 0;
  return weights.map((weight) => {
    sum += weight;
    const upTo = Math.round((sum / total) * sampleSize);
    const count = upTo - before;
    before = upTo;
    return count;
  });
}

/** The hour of the rush, counted from the first one. */
const rushHour = 15;
