import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { errorFields } from '../../shared/process/log.ts';
import { createSemaphore } from '../../shared/process/semaphore.ts';
import { type EventStream, formatEvent } from './event-stream.ts';
import { readMetricsEvent } from './read-metrics-event.ts';
import { readUsageVersions } from './read-usage-versions.ts';

export type FeedDeps = Pick<Resources, 'config' | 'log' | 'models' | 'queues' | 'priceBooks'>;

export type EndReason = 'deleted' | 'access' | 'shutdown';
export const endEvent = (reason: EndReason) => formatEvent('end', JSON.stringify({ reason }));

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

/** A stream and what it has sent. */
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

/**
 * Reads the metrics of the scenarios that have streams, and sends the changes. The metrics of
 * a scenario are read once for its streams, for one scenario after the other, with rests, so that
 * ingest keeps its speed: streams then become slower.
 */
export class ScenarioFeeds {
  readonly #deps: FeedDeps;
  readonly #changeMs: number;
  readonly #watchedById = new Map<string, Watched>();
  readonly #changed = new Set<Watched>();
  readonly #withSlot = createSemaphore(maxConcurrent);
  #isReading = false;

  /** @param changeMs the shortest time between two reads of a scenario. */
  constructor(deps: FeedDeps, changeMs: number) {
    this.#deps = deps;
    this.#changeMs = changeMs;
  }

  /** Sends the present metrics, and every change until the stream closes. */
  async add(scenarioId: string, events: EventStream, lastEventId: string | undefined): Promise<void> {
    const watched = this.#watchedById.get(scenarioId) ?? watch(scenarioId);
    this.#watchedById.set(scenarioId, watched);
    const stream = { events, openedAt: performance.now(), version: lastEventId, sentAt: -Infinity };
    watched.streams.add(stream);
    events.once('close', () => {
      watched.streams.delete(stream);
      if (watched.streams.size > 0) return;
      clearTimeout(watched.timer);
      this.#changed.delete(watched);
      this.#watchedById.delete(watched.id);
    });
    await this.#readForNew(watched);
  }

  /** Leads to a read if the scenario has streams. */
  markChanged(scenarioId: string): void {
    const watched = this.#watchedById.get(scenarioId);
    if (watched) this.#planRead(watched);
  }

  /** Plans a read of the scenarios whose version is not that of the last poll. */
  async poll(): Promise<void> {
    const all = [...this.#watchedById.values()];
    if (all.length === 0) return;
    const ids = all.map(({ id }) => id);
    const versions = await readUsageVersions(this.#deps.models, ids);
    for (const watched of all) {
      const usage = versions.get(watched.id);
      const version = usage === undefined ? null : `${usage} ${this.#deps.priceBooks.overridesRevision}`;
      if (version === watched.version) continue;
      watched.version = version;
      this.#planRead(watched);
    }
  }

  #planRead(watched: Watched): void {
    if (watched.timer !== undefined || watched.streams.size === 0) return;
    const wait = Math.max(0, watched.readAt + this.#changeMs - performance.now());
    watched.timer = setTimeout(() => {
      watched.timer = undefined;
      this.#changed.add(watched);
      void this.#readChanged();
    }, wait).unref();
  }

  async #readChanged(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    // The iteration includes scenarios that are added during it.
    for (const watched of this.#changed) {
      this.#changed.delete(watched);
      await this.#withSlot(() => this.#readAgain(watched));
      await delay(Math.min(watched.costMs * restRatio, maxRestMs), undefined, { ref: false });
    }
    this.#isReading = false;
  }

  async #readAgain(watched: Watched): Promise<void> {
    try {
      await this.#read(watched);
    } catch (error) {
      this.#deps.log.warn('metrics of a stream not read', { scenario_id: watched.id, ...errorFields(error) });
      watched.version = undefined;
    }
  }

  /** Several new streams share a read that begins after each of them was opened. */
  #readForNew(watched: Watched): Promise<void> {
    watched.nextRead ??= this.#withSlot(async () => {
      // A free slot begins at once, before the assignment.
      await Promise.resolve();
      watched.nextRead = undefined;
      await this.#read(watched);
    });
    return watched.nextRead;
  }

  async #read(watched: Watched): Promise<void> {
    const readAt = performance.now();
    watched.readAt = readAt;
    const before = process.cpuUsage();
    const event = await readMetricsEvent(this.#deps, watched.id);
    const { user, system } = process.cpuUsage(before);
    watched.costMs = Math.min((user + system) / 1000, watched.costMs * costRise);
    if (sendToStreams(watched, event, readAt, this.#changeMs)) this.#planRead(watched);
  }
}

const watch = (id: string): Watched => ({
  id,
  streams: new Set(),
  nextRead: undefined,
  readAt: -Infinity,
  sentReadAt: -Infinity,
  costMs: Infinity,
  timer: undefined,
  version: undefined,
});

/**
 * Sends the event of a read to the streams that do not have its version.
 * @returns whether a stream must wait for a later read, because it got one just now.
 */
function sendToStreams(
  watched: Watched,
  event: Awaited<ReturnType<typeof readMetricsEvent>>,
  readAt: number,
  changeMs: number,
): boolean {
  // A read that began later knows more.
  if (readAt < watched.sentReadAt) return false;
  watched.sentReadAt = readAt;
  let mustWait = false;
  for (const stream of watched.streams) {
    if (event === null) stream.events.finish(endEvent('deleted'));
    // A read that began earlier can miss what the caller of a new stream has just stored.
    else if (stream.version === event.version || readAt < stream.openedAt) continue;
    // The read was for a new stream.
    else if (readAt - stream.sentAt < changeMs) mustWait = true;
    else {
      stream.version = event.version;
      stream.sentAt = readAt;
      stream.events.send(event.text);
    }
  }
  return mustWait;
}
