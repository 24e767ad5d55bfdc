import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { PriceBooks } from '../../shared/cost/price-books.ts';
import type { BatchToStore, EntryToStore } from '../../shared/ingest/batch-text.ts';
import type { RequestOfBatch } from '../../shared/ingest/log-batch.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import type { RateLimiter } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';
import { findScenario, requireRunning } from '../scenarios/scenarios.store.ts';
import {
  type AcceptDeps,
  type AcceptedBatch,
  acceptEntries,
  type BatchIdentity,
  batchEntries,
} from './accept-entries.ts';
import { createIngestBudget, type WithBudget } from './ingest-budget.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  joinRequest: (key: string, request: JoinableRequest) => Promise<AcceptedRequest>;
  withIngestBudget: WithBudget;
}

type JoinDeps = AcceptDeps & { priceBooks: PriceBooks };

export const createIngestDeps = (deps: JoinDeps, rateLimiter: RateLimiter): IngestDeps => ({
  joinRequest: createJoiner((group) => acceptTogether(group, deps), maxJoined),
  withIngestBudget: createIngestBudget(deps.config.ingest, rateLimiter),
});

/** A request whose entries are valid. */
interface RequestToAccept extends BatchToStore {
  readonly request: { scenarios: OwnedScenarios; scenarioId: string; caller: Caller; requestId: string };
  readonly identity: BatchIdentity;
  /** Number of entries. */
  readonly count: number;
}

/** A request whose entries are in the database, and by what they are priced. */
export interface AcceptedRequest {
  readonly batch: AcceptedBatch;
  /** The position of its first entry in the batch. */
  readonly first: number;
  readonly scenario: Scenario;
  readonly book: PriceBook;
}

/** The most that is accepted together; a request of more is accepted alone. */
const maxJoined = { requests: 100, count: batchEntries, bytes: 512 * 1024 };
const maxOfRequest = { count: 100, bytes: 64 * 1024 };

interface JoinableRequest extends RequestToAccept {
  /** Size of the entries as JSON, in UTF-16 code units. */
  readonly bytes: number;
}

/**
 * Accepts the entries of a request: of a small one without an `Idempotency-Key` together with other
 * such requests of its caller, in one row.
 * @throws AppError NOT_FOUND, INVALID_STATE; what `acceptEntries` throws.
 */
export async function acceptRequest(
  accepted: RequestToAccept,
  deps: JoinDeps & Pick<IngestDeps, 'joinRequest'>,
): Promise<AcceptedRequest> {
  const { request, identity, entries, count } = accepted;
  if (identity.fingerprint === undefined && count <= maxOfRequest.count) {
    const { caller, scenarioId } = request;
    const bytes = JSON.stringify(entries).length;
    const key = `${caller.id} ${caller.limitKey} ${scenarioId}`;
    if (bytes <= maxOfRequest.bytes) return deps.joinRequest(key, { ...accepted, bytes });
  }
  const [alone] = await acceptTogether([accepted], deps);
  return alone as AcceptedRequest;
}

/** @throws AppError NOT_FOUND; INVALID_STATE, unless the entries were accepted before. */
export async function findTarget(
  { scenarios, scenarioId }: Pick<RequestToAccept['request'], 'scenarios' | 'scenarioId'>,
  { isRepeat }: BatchIdentity,
): Promise<Scenario> {
  const scenario = await findScenario(scenarios, scenarioId);
  if (!isRepeat) requireRunning(scenario);
  return scenario;
}

/** Accepts requests of one caller and one scenario. The scenario is read after all have arrived. */
async function acceptTogether(
  group: readonly [RequestToAccept, ...RequestToAccept[]],
  deps: JoinDeps,
): Promise<AcceptedRequest[]> {
  const [{ request, identity, receivedAt, entries }] = group;
  const { scenarioId, caller } = request;
  const scenario = await findTarget(request, identity);
  // Read before: once the entries are accepted, the response is no error.
  const book = await deps.priceBooks.ofScenario(scenario);
  const [first, ...others] = group.map(({ request: { requestId: id }, count }) => ({ id, count }));
  const batch = await acceptEntries(
    {
      scenarioId,
      caller,
      identity,
      requests: [first as RequestOfBatch, ...others],
      ...(group.length === 1
        ? { receivedAt, entries }
        : { receivedAt: Date.now(), entries: group.flatMap(withoutIndexes) }),
    },
    deps,
  );
  let next = 0;
  return group.map(({ count }) => {
    const at = next;
    next += count;
    return { batch, first: at, scenario, book };
  });
}

/** An entry's position in its request is not that in the batch. */
const withoutIndexes = ({ entries }: RequestToAccept): EntryToStore[] =>
  entries.map((entry) => {
    const { index: _, ...others } = entry;
    return others;
  });

/** The share of a request in a group. */
interface Sized {
  readonly count: number;
  readonly bytes: number;
}

interface Waiting<Part, Accepted> {
  readonly part: Part;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (error: unknown) => void;
}

/** The most of a group: a row has at most so many entries. */
interface GroupLimits extends Sized {
  readonly requests: number;
}

/**
 * Joins requests that arrive while others of the same key are being accepted: they are accepted
 * together, once that has ended. None waits for a timer, and a lone request waits for nothing.
 * @param accept accepts a group. @returns what each of its requests gets, in their order. An error
 * is that of all of them.
 */
export function createJoiner<Part extends Sized, Accepted>(
  accept: (group: readonly [Part, ...Part[]]) => Promise<readonly Accepted[]>,
  limits: GroupLimits,
): (key: string, part: Part) => Promise<Accepted> {
  const queues = new Map<string, Waiting<Part, Accepted>[]>();

  const acceptAll = async (key: string, waiting: Waiting<Part, Accepted>[]) => {
    for (let [first] = waiting; first; [first] = waiting) {
      const group = waiting.splice(0, groupSize(waiting, limits));
      try {
        const accepted = await accept([first.part, ...group.slice(1).map(({ part }) => part)]);
        for (const [at, { resolve }] of group.entries()) resolve(accepted[at] as Accepted);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    queues.delete(key);
  };

  return (key, part) =>
    new Promise((resolve, reject) => {
      const request = { part, resolve, reject };
      const waiting = queues.get(key);
      if (waiting) {
        waiting.push(request);
        return;
      }
      const queue = [request];
      queues.set(key, queue);
      void acceptAll(key, queue);
    });
}

/** @returns the number of requests that fit into one group, at least one. */
function groupSize(waiting: readonly { part: Sized }[], limits: GroupLimits): number {
  let size = 0;
  let [count, bytes] = [0, 0];
  for (const { part } of waiting) {
    count += part.count;
    bytes += part.bytes;
    const isOver = size === limits.requests || count > limits.count || bytes > limits.bytes;
    if (isOver && size > 0) break;
    size += 1;
  }
  return size;
}
