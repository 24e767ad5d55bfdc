import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription } from '../../shared/connections/announcements.ts';
import { second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { errorFields } from '../../shared/process/log.ts';
import { createSemaphore } from '../../shared/process/semaphore.ts';
import { subscribeToChanges } from '../../shared/scenarios/scenario-changes.ts';
import { createWaitingRequests } from '../http/access/waiting-requests.ts';
import type { Caller } from '../http/context.ts';
import { EventStream, formatEvent } from './event-stream.ts';
import { readMetricsEvent } from './read-metrics-event.ts';
import { readUsageVersions } from './read-usage-versions.ts';

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

export interface Viewer {
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

const defaultIntervals: LiveMetricsIntervals = { changeMs: 1 * second, pollMs: 5 * second, checkMs: 10 * second };

/**
 * After a read, none follows for so many times its processor time, so that reads take about a tenth
 * of a processor.
 */
const restRatio = 9;
/**
 * The processor time of a read includes that of requests beside it. So an estimate falls at once,
 * and rises slowly.
 */
const costRise = 1.5;
const maxRestMs = 2 * second;
/** As for the metrics themselves, the reads of new streams are bounded by their memory. */
const maxConcurrent = 2;
const retryAfterSeconds = 5;

type EndReason = 'deleted' | 'access' | 'shutdown';
const endEvent = (reason: EndReason) => formatEvent('end', JSON.stringify({ reason }));

interface OpenStream {
  readonly events: EventStream;
  readonly openedAt: number;
  /** The version that the client has. */
  version: string | undefined;
  /** Start of the read that was sent last. */
  sentAt: number;
}

/** A scenario with streams. Its metrics are read once for all of them. */
interface Watched {
  readonly id: string;
  readonly streams: Set<OpenStream>;
  /** A read that has not begun, for new streams. */
  nextRead: Promise<void> | undefined;
  /** Start of the last read, and of the last one that was sent. */
  readAt: number;
  sentReadAt: number;
  /** Estimated processor time of a read, in milliseconds. */
  costMs: number;
  /** Set until the shortest time since the last read is over. */
  timer: NodeJS.Timeout | undefined;
  /** The version that the last poll found; undefined if the next poll must lead to a read. */
  version: string | null | undefined;
}

type Deps = Pick<Resources, 'config' | 'log' | 'models' | 'redis' | 'queues' | 'priceBook'>;

/**
 * Changes are announced through Redis. One subscription serves all streams, and the metrics of a
 * scenario are read once for its streams, for one scenario after the other, with rests, so that
 * ingest keeps its speed: streams then become slower. A poll every few seconds finds changes whose
 * announcement was lost.
 */
export function createLiveMetrics(deps: Deps, intervals: Partial<LiveMetricsIntervals> = {}): LiveMetrics {
  const { changeMs, pollMs, checkMs } = { ...defaultIntervals, ...intervals };
  const { maxStreams } = deps.config;
  const watchedById = new Map<string, Watched>();
  const changed = new Set<Watched>();
  const slots = createWaitingRequests(maxStreams.perCaller);
  const withSlot = createSemaphore(maxConcurrent);
  const openStreams = new Set<OpenStream>();
  let isReading = false;
  let isPolling = false;
  let isClosed = false;
  let subscription: Subscription | undefined;
  let polls: NodeJS.Timeout | undefined;

  function start(): void {
    if (subscription) return;
    subscription = subscribeToChanges(deps, (id) => {
      const watched = watchedById.get(id);
      if (watched) markChanged(watched);
    });
    polls = setInterval(() => void poll(), pollMs).unref();
  }

  function watch(id: string): Watched {
    const fresh: Watched = {
      id,
      streams: new Set(),
      nextRead: undefined,
      readAt: -Infinity,
      sentReadAt: -Infinity,
      costMs: Infinity,
      timer: undefined,
      version: undefined,
    };
    const watched = watchedById.get(id) ?? fresh;
    watchedById.set(id, watched);
    return watched;
  }

  function remove(watched: Watched, stream: OpenStream): void {
    openStreams.delete(stream);
    watched.streams.delete(stream);
    if (watched.streams.size > 0) return;
    clearTimeout(watched.timer);
    changed.delete(watched);
    watchedById.delete(watched.id);
  }

  function markChanged(watched: Watched): void {
    if (watched.timer !== undefined || watched.streams.size === 0) return;
    const wait = Math.max(0, watched.readAt + changeMs - performance.now());
    watched.timer = setTimeout(() => {
      watched.timer = undefined;
      changed.add(watched);
      void readChanged();
    }, wait).unref();
  }

  async function readChanged(): Promise<void> {
    if (isReading) return;
    isReading = true;
    // The iteration includes scenarios that are added during it.
    for (const watched of changed) {
      changed.delete(watched);
      await withSlot(() => readAgain(watched));
      await delay(Math.min(watched.costMs * restRatio, maxRestMs), undefined, { ref: false });
    }
    isReading = false;
  }

  async function readAgain(watched: Watched): Promise<void> {
    try {
      await read(watched);
    } catch (error) {
      deps.log.warn('metrics of a stream not read', { scenario_id: watched.id, ...errorFields(error) });
      watched.version = undefined;
    }
  }

  /** Several new streams share a read that begins after each of them was opened. */
  function readForNew(watched: Watched): Promise<void> {
    watched.nextRead ??= withSlot(async () => {
      // A free turn begins at once, before the assignment.
      await Promise.resolve();
      watched.nextRead = undefined;
      await read(watched);
    });
    return watched.nextRead;
  }

  async function read(watched: Watched): Promise<void> {
    const readAt = performance.now();
    watched.readAt = readAt;
    const before = process.cpuUsage();
    const event = await readMetricsEvent(deps, watched.id);
    const { user, system } = process.cpuUsage(before);
    watched.costMs = Math.min((user + system) / 1000, watched.costMs * costRise);
    // A read that began later knows more.
    if (readAt < watched.sentReadAt) return;
    watched.sentReadAt = readAt;
    for (const stream of watched.streams) {
      if (event === null) stream.events.finish(endEvent('deleted'));
      // A read that began earlier can miss what the caller of a new stream has just stored.
      else if (stream.version === event.version || readAt < stream.openedAt) continue;
      // The read was for a new stream.
      else if (readAt - stream.sentAt < changeMs) markChanged(watched);
      else {
        stream.version = event.version;
        stream.sentAt = readAt;
        stream.events.send(event.text);
      }
    }
  }

  async function poll(): Promise<void> {
    if (isPolling || watchedById.size === 0) return;
    isPolling = true;
    try {
      const all = [...watchedById.values()];
      const ids = all.map(({ id }) => id);
      const versions = await readUsageVersions(deps.models, ids);
      for (const watched of all) {
        const version = versions.get(watched.id) ?? null;
        if (version === watched.version) continue;
        watched.version = version;
        markChanged(watched);
      }
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
      const stream: OpenStream = { events, openedAt: performance.now(), version: lastEventId, sentAt: -Infinity };
      const watched = watch(scenarioId);
      openStreams.add(stream);
      watched.streams.add(stream);
      events.once('close', () => {
        leave();
        remove(watched, stream);
      });
      start();
      try {
        await readForNew(watched);
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
      for (const { events } of openStreams) events.finish(endEvent('shutdown'));
    },
  };
}

/** Undefined if the access could not be checked. */
function endReasonOf(error: unknown): EndReason | undefined {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'NOT_FOUND') return 'deleted';
  return code === 'AUTH_ERROR' || code === 'FORBIDDEN' ? 'access' : undefined;
}
