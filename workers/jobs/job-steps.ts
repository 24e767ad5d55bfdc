import type { Job } from 'bullmq';
import type { AttemptOutcome } from '../../shared/process/metrics.ts';

interface JobSteps {
  /**
   * Begins a step, which ends the one before. The same name again goes on with its step. @param
   * progress in per cent
   */
  begin: (name: string, progress?: number) => void;
  /**
   * Ends the attempt. @returns its times by step, as text; empty if the attempt was shorter than
   * the interval.
   */
  end: (outcome: AttemptOutcome) => string;
}

/**
 * Measures the steps of an attempt. Once the attempt has run for `interval` milliseconds, the job's
 * progress has its step and the job's log has a line for each step that has begun. Shorter attempts
 * send nothing to Redis.
 */
export function trackSteps(
  job: Job,
  { interval, onError }: { interval: number; onError: (error: unknown) => void },
): JobSteps {
  const started = performance.now();
  /** Milliseconds by step. */
  const times = new Map<string, number>();
  let current: { name: string; since: number } | undefined;
  let progress: number | undefined;
  let unsentLines: string[] = [];
  let hasChanged = false;

  const addTime = (now: number) => {
    if (current) times.set(current.name, (times.get(current.name) ?? 0) + now - current.since);
  };
  // Not awaited: the connection sends the commands before the end of the job.
  const publish = (step: string | null) => {
    if (!hasChanged) return;
    hasChanged = false;
    // The dashboard draws a number named `progress`, and shows the whole object.
    job.updateProgress({ step, progress, endedStepsMs: roundTimes(times) }).catch(onError);
    for (const line of unsentLines) job.log(line).catch(onError);
    unsentLines = [];
  };
  const timer = setInterval(() => publish(current?.name ?? null), interval).unref();

  return {
    begin: (name, newProgress = progress) => {
      hasChanged ||= name !== current?.name || newProgress !== progress;
      progress = newProgress;
      if (name === current?.name) return;
      const now = performance.now();
      addTime(now);
      if (!times.has(name)) {
        unsentLines.push(`attempt ${job.attemptsStarted}: ${name}, after ${Math.round(now - started)} ms`);
      }
      current = { name, since: now };
    },
    end: (outcome) => {
      clearInterval(timer);
      const now = performance.now();
      addTime(now);
      // A completed job does not keep the progress of an earlier attempt.
      const isStale = outcome === 'completed' && job.progress !== 0;
      if (now - started < interval && !isStale) return '';
      if (outcome === 'completed') progress = 100;
      hasChanged ||= times.size > 0;
      publish(outcome === 'completed' ? null : (current?.name ?? null));
      return Object.entries(roundTimes(times))
        .map(([name, ms]) => `${name}: ${ms} ms`)
        .join(', ');
    },
  };
}

function roundTimes(times: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...times].map(([name, ms]) => [name, Math.round(ms)]));
}
