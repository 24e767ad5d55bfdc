import type { Subscription } from '../../shared/connections/announcements.ts';
import { second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { errorFields } from '../../shared/process/log.ts';
import { subscribeToChanges } from '../../shared/scenarios/scenario-changes.ts';
import { createWaitingRequests } from '../http/access/concurrent-requests.ts';
import type { Caller } from '../http/context.ts';
import { EventStream } from './event-stream.ts';
import { type EndReason, endEvent, type FeedDeps, ScenarioFeeds } from './scenario-feeds.ts';

/** The streams of metrics of a process. */
export interface LiveMetrics {
  /**
   * Opens a stream with the present metrics, unless they are those of `lastEventId`, followed by
   * every change.
   * @throws AppError SERVICE_UNAVAILABLE if too many streams are open.
   */
  open(viewer: Viewer): Promise<EventStream>;
  /** Ends all streams. */
  close(): void;
}

interface Viewer {
  readonly scenarioId: string;
  readonly caller: Pick<Caller, 'limitKey'>;
  readonly lastEventId: string | undefined;
  /**
   * Checks, regularly, that the scenario still exists for the caller. @throws AppError as for a new
   * request.
   */
  readonly checkAccess: () => Promise<unknown>;
  /** Closes the connection, unless the response is complete. */
  readonly disconnect: () => void;
}

/** In milliseconds. */
export interface LiveMetricsIntervals {
  /** The shortest time between two reads of a scenario's metrics. */
  changeMs: number;
  /** Between two polls for changes that were not announced. */
  pollMs: number;
  /** Between two checks of a caller's access, each with a comment in the stream. */
  checkMs: number;
}

export const defaultIntervals: LiveMetricsIntervals = {
  changeMs: 1 * second,
  pollMs: 5 * second,
  checkMs: 10 * second,
};

const retryAfterSeconds = 5;

type Deps = FeedDeps & Pick<Resources, 'redis'>;

/**
 * Changes are announced through Redis. One subscription serves all streams. A poll every few
 * seconds finds changes whose announcement was lost.
 */
export function createLiveMetrics(deps: Deps, intervals: Partial<LiveMetricsIntervals> = {}): LiveMetrics {
  const { changeMs, pollMs, checkMs } = { ...defaultIntervals, ...intervals };
  const { maxStreams } = deps.config;
  const feeds = new ScenarioFeeds(deps, changeMs);
  const slots = createWaitingRequests(maxStreams.perCaller);
  const openStreams = new Set<EventStream>();
  let isPolling = false;
  let isClosed = false;
  let subscription: Subscription | undefined;
  let polls: NodeJS.Timeout | undefined;

  function start(): void {
    if (subscription) return;
    subscription = subscribeToChanges(deps, (id) => feeds.markChanged(id));
    polls = setInterval(() => void poll(), pollMs).unref();
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    try {
      await feeds.poll();
    } catch (error) {
      deps.log.warn('changes of streams not read', errorFields(error));
    } finally {
      isPolling = false;
    }
  }

  /** Checks the access regularly until the stream is closed. */
  function startChecks(events: EventStream, checkAccess: Viewer['checkAccess']): void {
    let isChecking = false;
    const check = async () => {
      events.sendComment();
      if (isChecking) return;
      isChecking = true;
      const reason = await checkAccess().then(() => undefined, endReasonOf);
      isChecking = false;
      if (reason) events.finish(endEvent(reason));
    };
    const timer = setInterval(() => void check(), checkMs).unref();
    events.once('close', () => clearInterval(timer));
  }

  return {
    open: async ({ scenarioId, caller, lastEventId, checkAccess, disconnect }) => {
      if (isClosed) throw unavailable('The service is stopping.', 1);
      if (openStreams.size >= maxStreams.total) throw unavailable('Too many streams are open.', retryAfterSeconds);
      const leave = slots.enter(caller);
      if (!leave) {
        throw unavailable('Too many streams of this caller are open: close one of them first.', retryAfterSeconds);
      }
      const events = new EventStream(disconnect);
      openStreams.add(events);
      events.once('close', () => {
        leave();
        openStreams.delete(events);
      });
      start();
      try {
        await feeds.add(scenarioId, events, lastEventId);
      } catch (error) {
        events.destroy();
        throw error;
      }
      startChecks(events, checkAccess);
      return events;
    },
    close: () => {
      isClosed = true;
      subscription?.end();
      clearInterval(polls);
      for (const events of openStreams) events.finish(endEvent('shutdown'));
    },
  };
}

/** Undefined if the access could not be checked. */
function endReasonOf(error: unknown): EndReason | undefined {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'NOT_FOUND') return 'deleted';
  return code === 'AUTH_ERROR' || code === 'FORBIDDEN' ? 'access' : undefined;
}
