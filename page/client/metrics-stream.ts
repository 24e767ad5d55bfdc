import { signal } from '@preact/signals';
import { EventSource } from 'eventsource';
import { useEffect, useMemo } from 'preact/hooks';
import { read } from './api.ts';
import { addressOf } from './api-client.ts';
import { isReachable } from './connection.ts';
import type { LiveMetrics, Metrics } from './responses.ts';
import { accessToken, session, tokenAfter } from './session.ts';

/** In ms; twice as long after each refusal in a row. */
const reconnectAfter = 2_000;
const maxReconnectAfter = 30_000;

export interface LiveState {
  readonly metrics: LiveMetrics | null;
  /** The version of the numbers; it changes with them. */
  readonly version: string;
  readonly isConnected: boolean;
  readonly isDeleted: boolean;
}

const nothingYet: LiveState = { metrics: null, version: '', isConnected: false, isDeleted: false };

/**
 * Follows the metrics of a scenario while the component is shown, with the credentials of the
 * present session. A hidden tab has no stream: browsers open few connections to a host, for all
 * tabs together.
 */
export function useLiveMetrics(scenarioId: string): LiveState {
  const state = useMemo(() => signal<LiveState>(nothingYet), [scenarioId]);
  const sessionState = session.value.state;
  const isFollowed = isTabVisible.value && sessionState !== 'ended';
  useEffect(() => {
    if (!isFollowed) return undefined;
    return followMetrics(scenarioId, (change) => {
      state.value = { ...state.value, ...change };
    });
  }, [scenarioId, state, sessionState, isFollowed]);
  return state.value;
}

const isTabVisible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => {
  isTabVisible.value = !document.hidden;
});

/**
 * Opens a stream, and another one whenever it ends, until the returned function is called. The
 * browser's own EventSource cannot send `Authorization`.
 */
function followMetrics(scenarioId: string, report: (change: Partial<LiveState>) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let refusals = 0;

  function connect(): void {
    source = new EventSource(addressOf(`/api/v1/scenarios/${scenarioId}/metrics/stream`), { fetch: fetchWithToken });
    source.addEventListener('open', () => {
      isReachable.value = true;
      refusals = 0;
      report({ isConnected: true });
    });
    source.addEventListener('metrics', ({ data, lastEventId }) => {
      report({ metrics: JSON.parse(data) as LiveMetrics, version: lastEventId });
    });
    source.addEventListener('end', ({ data }) => {
      if ((JSON.parse(data) as { reason: string }).reason === 'deleted') {
        report({ isDeleted: true });
        stop();
      } else connectAgain();
    });
    source.addEventListener('error', ({ code }) => {
      if (code === 401 || code === 404) stop();
      // After any other refusal, the source does not try again by itself.
      else if (code !== undefined) {
        refusals += 1;
        connectAgain();
        void readOnce();
      } else report({ isConnected: false });
    });
  }

  /** The totals of a caller who has too many streams already. */
  async function readOnce(): Promise<void> {
    try {
      const metrics = await read<Metrics>(`/api/v1/scenarios/${scenarioId}/metrics`, { interval: 'day', limit: 1 });
      if (!isOver) report({ metrics, version: JSON.stringify(metrics.totals) });
    } catch {
      // The next attempt to open a stream follows.
    }
  }

  function connectAgain(): void {
    source?.close();
    if (isOver) return;
    report({ isConnected: false });
    clearTimeout(timer);
    timer = setTimeout(connect, Math.min(reconnectAfter * 2 ** refusals, maxReconnectAfter));
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    source?.close();
    report({ isConnected: false });
  }

  connect();
  return stop;
}

async function fetchWithToken(
  url: string | URL,
  init: { headers: Record<string, string>; signal?: AbortSignal },
): Promise<Response> {
  const open = async (token: string | null) => {
    const headers = { ...init.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
    try {
      return await fetch(url, { ...init, headers });
    } catch (error) {
      if (!init.signal?.aborted) isReachable.value = false;
      throw error;
    }
  };
  const token = await accessToken();
  const response = await open(token);
  return response.status === 401 && token !== null ? open(await tokenAfter(token)) : response;
}
