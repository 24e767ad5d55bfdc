/** Aborts an attempt at a call of the backend when the backend has had its time. */
interface AttemptTimer {
  readonly signal: AbortSignal;
  /**
   * Whether the deadline came before the attempt had its time, because the event loop was blocked.
   */
  readonly wasCutShort: boolean;
  end(): void;
}

const tickMs = 100;
/**
 * The most that a tick counts. A later tick means that the event loop was blocked for longer than a
 * busy machine blocks it.
 */
const maxCountedMs = 2 * tickMs;

/**
 * Starts a timer that counts only the time in which the event loop runs: while it is blocked, a
 * response of the backend cannot be read. Before the timer aborts, input that has arrived is read
 * once more.
 * @param deadlineAt epoch milliseconds at which the attempt is aborted in any case.
 */
export function startAttemptTimer(limitMs: number, deadlineAt = Number.POSITIVE_INFINITY): AttemptTimer {
  const controller = new AbortController();
  let leftMs = limitMs;
  let lastTick = performance.now();
  let wasBlocked = false;
  let wasCutShort = false;
  let timer: NodeJS.Timeout;
  let lastRead: NodeJS.Immediate | undefined;
  const schedule = () => {
    timer = setTimeout(tick, Math.max(0, Math.min(tickMs, leftMs, deadlineAt - Date.now()))).unref();
  };
  const tick = () => {
    const passedMs = performance.now() - lastTick;
    lastTick += passedMs;
    leftMs -= Math.min(passedMs, maxCountedMs);
    if (passedMs > maxCountedMs) wasBlocked = true;
    if (Date.now() >= deadlineAt) {
      wasCutShort = wasBlocked && leftMs > 0;
      controller.abort();
    }
    // Node reads input between timers and immediates.
    else if (leftMs <= 0) lastRead = setImmediate(() => controller.abort());
    else schedule();
  };
  schedule();
  return {
    signal: controller.signal,
    get wasCutShort() {
      return wasCutShort;
    },
    end: () => {
      clearTimeout(timer);
      clearImmediate(lastRead);
    },
  };
}
