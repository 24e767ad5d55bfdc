import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError } from './api-error.ts';
import type { LiveMetrics } from './responses.ts';
import { authorized, session } from './session.ts';

/** In ms, between the polls; twice as long after each failure in a row. */
const pollEvery = 2_000;
const maxPause = 30_000;

export interface LiveState {
  readonly metrics: LiveMetrics | null;
  /** The version of the numbers; it changes with them. */
  readonly version: string;
  /** Changes with the numbers, and with the scenario. */
  readonly tag: string;
  readonly isConnected: boolean;
  readonly isDeleted: boolean;
}

const nothingYet: LiveState = { metrics: null, version: '', tag: '', isConnected: false, isDeleted: false };

/**
 * Follows the metrics of a scenario while the component is shown, with the credentials of the
 * present session. A hidden tab does not poll.
 */
export function useLiveMetrics(scenarioId: string): LiveState {
  const state = useMemo(() => signal<LiveState>(nothingYet), [scenarioId]);
  const sessionState = session.value.state;
  const isFollowed = isTabVisible.value && sessionState !== 'ended';
  useEffect(() => {
    if (!isFollowed) return undefined;
    return followMetrics(scenarioId, state.peek().tag, (change) => {
      state.value = { ...state.value, ...change };
    });
  }, [scenarioId, state, sessionState, isFollowed]);
  return state.value;
}

const isTabVisible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => {
  isTabVisible.value = !document.hidden;
});

/** Polls until it is ended, the scenario is deleted or the session has ended. @returns ends it. */
function followMetrics(scenarioId: string, knownTag: string, report: (change: Partial<LiveState>) => void): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tag = knownTag;
  let failures = 0;

  async function poll(): Promise<void> {
    const response = await authorized(`/api/v1/scenarios/${scenarioId}/metrics`, {
      query: { interval: 'day', limit: 1 },
      headers: tag === '' ? {} : { 'If-None-Match': tag },
      signal: ended.signal,
    });
    if (response.status === 304) return report({ isConnected: true });
    const version = await response.text();
    tag = response.headers.get('ETag') ?? '';
    report({ metrics: JSON.parse(version) as LiveMetrics, version, tag, isConnected: true });
  }

  async function pollAgain(): Promise<void> {
    let pause = pollEvery;
    try {
      await poll();
      failures = 0;
    } catch (error) {
      if (ended.signal.aborted) return;
      const status = error instanceof ApiError ? error.status : undefined;
      report({ isConnected: false, ...(status === 404 && { isDeleted: true }) });
      if (status === 401 || status === 404) return;
      const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
      pause = Math.max(retryAfter, Math.min(pollEvery * 2 ** failures, maxPause));
      failures += 1;
    }
    timer = setTimeout(() => void pollAgain(), pause);
  }

  void pollAgain();
  return () => {
    ended.abort();
    clearTimeout(timer);
    report({ isConnected: false });
  };
}
