import { statusOfCode, validationError, validationMessage } from '../../shared/errors.ts';
import type { BatchToStore } from '../../shared/ingest/batch-text.ts';
import { maxEntryIndex, requestPartId } from '../../shared/ingest/log-entry-id.ts';
import { type EntryList, type EntryRules, fieldErrorsOf } from '../../shared/ingest/reading/entry-list.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { reply } from '../http/response.ts';
import type { RouteRequest } from '../http/route.ts';
import { findScenario, requireRunning } from '../scenarios/scenarios.store.ts';
import { type BatchIdentity, batchEntries } from './accept-entries.ts';
import { type AcceptedRequest, acceptRequest, findTarget } from './accept-request.ts';
import { identifyBatches } from './batch-identity.ts';
import { type PresentedEntries, presentEntries } from './ingest.presenter.ts';
import { type IngestQuery, type IngestSummary, type LogResponse, type RejectedEntry } from './ingest.schema.ts';
import { withBudget } from './ingest-budget.ts';
import { formOfType, parseEntries } from './parse-entries.ts';

type IngestRequest = Omit<RouteRequest<unknown, IngestQuery, unknown, unknown>, 'params' | 'headers'> & {
  scenarioId: string;
  prefer: string | undefined;
};

/** A request whose body has not been read, and what is known by then. */
interface AdmittedRequest {
  readonly identity: BatchIdentity;
  /** The scenario, if it was read after the whole body had arrived. */
  readonly target: Scenario | undefined;
}

/**
 * A body of more bytes is not read if its entries would be refused in any case. To read a smaller
 * one takes less time than the database takes to respond.
 */
const unseenBytes = 64 * 1024;
const maxSummaryErrors = 20;

/**
 * Admits a request, reads its entries and accepts them. The response is as `answer` says. The
 * bytes are charged to the caller.
 */
export const handleEntries = (
  request: IngestRequest,
  rules: Readonly<Record<IngestQuery['fields'], EntryRules>>,
  deps: RouteDeps,
) =>
  withBudget(deps, request.caller, async (counter) => {
    const { ctx, query } = request;
    const form = formOfType(ctx);
    const admitted = await admitRequest(request, deps);
    const receivedAt = Date.now();
    const text = { ...query, receivedAt };
    const read = () => parseEntries(ctx, form, rules[query.fields], text, deps.config.ingest.maxBytes, counter);
    const entries = await readAccepted(request, read).catch(async (error: unknown) => {
      // The scenario's error comes first.
      if (query.answer === 'full') await findTarget(request, admitted.identity.isRepeat);
      throw error;
    });
    return query.answer === 'full'
      ? respondWithResults(request, { entries, receivedAt, ...admitted }, deps)
      : respondWithSummary(request, { entries, receivedAt, ...admitted }, deps);
  });

/**
 * Identifies a request. A large one is refused before its body is read, if its entries would be
 * refused in any case.
 */
export async function admitRequest(
  request: Pick<IngestRequest, 'ctx' | 'scenarios' | 'scenarioId'>,
  deps: RouteDeps,
): Promise<AdmittedRequest> {
  const { ctx } = request;
  let target: Scenario | undefined;
  const beforeBody = async () => {
    const isLarge = (ctx.request.length ?? Number.POSITIVE_INFINITY) > unseenBytes;
    if (!isLarge) return;
    const scenario = await findScenario(request.scenarios, request.scenarioId);
    requireRunning(scenario);
    await deps.backlog.requireCapacity(ctx.state.caller.limitKey);
    if (ctx.req.complete) target = scenario;
  };
  const identity = await identifyBatches(ctx, deps.models, { maxBytes: deps.config.ingest.maxBytes, beforeBody });
  if (identity.isRepeat) ctx.set('Idempotent-Replayed', 'true');
  return { identity, target };
}

/** @throws AppError VALIDATION_ERROR if the request is refused because of its entries. */
async function readAccepted({ query }: IngestRequest, read: () => Promise<EntryList>): Promise<EntryList> {
  const entries = await read();
  const { invalid, single, positions } = entries;
  if (query.fields === 'strict' && invalid.length > 0 && (single || !query.partial)) {
    throw validationError(fieldErrorsOf(entries));
  }
  const isLong = positions.length > batchEntries || (positions.at(-1) ?? 0) > maxEntryIndex;
  if (query.answer === 'full' && isLong) {
    const error = `must be summary for more than ${batchEntries} entries, or one after the ${maxEntryIndex + 1}th`;
    throw validationError([{ field: 'answer', error }]);
  }
  return entries;
}

/** Entries that were read, before they are accepted. */
interface ReadRequest extends AdmittedRequest {
  readonly entries: EntryList;
  readonly receivedAt: number;
}

/** Called once the other entries are accepted. */
function countLeftOut({ isRepeat }: BatchIdentity, { invalid, blank }: EntryList, { metrics }: RouteDeps): void {
  if (isRepeat) return;
  metrics.ingestRejected.inc(invalid.length);
  metrics.ingestSkipped.inc(blank);
}

/** The entries are in the database; a worker has them later. */
async function respondWithSummary(request: IngestRequest, read: ReadRequest, deps: RouteDeps) {
  const { entries } = read;
  await acceptSummarized(request, read, deps);
  return prefersAsync(request.prefer)
    ? reply(202, summarize(entries), preferenceApplied(request))
    : reply(200, summarize(entries));
}

/** Accepts entries of a request that does not wait for a worker. */
export async function acceptSummarized(
  request: Pick<IngestRequest, 'scenarios' | 'scenarioId' | 'caller' | 'requestId'>,
  { identity, target, receivedAt, entries }: ReadRequest,
  deps: RouteDeps,
): Promise<void> {
  const { valid } = entries;
  if (valid.length > 0) {
    const accepted = { request, identity, target, receivedAt, entries: valid, count: valid.length };
    const { batch } = await acceptRequest(accepted, deps);
    await batch.addJob();
  } else if (!target) await findTarget(request, identity.isRepeat);
  countLeftOut(identity, entries, deps);
}

async function respondWithResults(
  request: IngestRequest,
  { entries, receivedAt, identity, target }: ReadRequest,
  deps: RouteDeps,
) {
  const { caller, prefer, query } = request;
  const isStrict = query.fields === 'strict';
  const count = entries.positions.length;
  if (count === 0) {
    if (!target) await findTarget(request, identity.isRepeat);
    countLeftOut(identity, entries, deps);
    const nothing = { ...rejectionsOf(entries), accepted: 0, timed: 0, usage_unread: 0, totals: null };
    return isStrict ? reply(207, nothing) : reply(200, nothing);
  }
  const accepted = await acceptRequest(
    { request, identity, target, receivedAt, entries: takeOut(entries), count },
    deps,
  );
  countLeftOut(identity, entries, deps);
  const response = await presentProcessed(accepted, count, prefersAsync(prefer) ? null : caller, deps);
  if (!response) {
    const id = requestPartId(accepted.batch.id, accepted.first);
    const statusUrl = `/api/v1/ingest-jobs/${id}`;
    return reply(202, presentAcceptance(id, statusUrl, entries), {
      Location: statusUrl,
      ...preferenceApplied(request),
    });
  }
  return respondProcessed(response, entries, isStrict);
}

/**
 * Waits until a worker has processed the entries.
 * @param caller null for a request that does not wait.
 * @returns null if they are not processed by the end of the wait.
 */
async function presentProcessed(
  { batch, first, scenario, book }: AcceptedRequest,
  count: number,
  caller: IngestRequest['caller'] | null,
  deps: RouteDeps,
): Promise<PresentedEntries | null> {
  const endWait = caller && deps.waitingRequests.begin(caller);
  const processed = endWait ? await batch.processed().finally(endWait) : await batch.addJob();
  if (!processed) return null;
  if (isSliceOver()) await nextSlice();
  return presentEntries(processed, { first, count }, scenario, { book, fallback: deps.config.priceFallback });
}

/**
 * @returns the valid entries, which are left out of what was read: it lives as long as the request.
 */
function takeOut(entries: EntryList): BatchToStore['entries'] {
  const { valid, positions } = entries;
  entries.valid = [];
  const isComplete = positions.every((index, at) => index === at);
  return isComplete ? valid : valid.map((entry, at) => ({ ...entry, index: positions[at] as number }));
}

/** Whether the header `Prefer` contains `respond-async` (RFC 7240). */
function prefersAsync(prefer = ''): boolean {
  return prefer.split(',').some((preference) => /^respond-async$/i.test((preference.split(';')[0] ?? '').trim()));
}

const preferenceApplied = ({ prefer }: IngestRequest): Record<string, string> =>
  prefersAsync(prefer) ? { 'Preference-Applied': 'respond-async' } : {};

function summarize({ positions, invalid, blank, timed, usageUnread }: EntryList): IngestSummary {
  const errors = invalid.flatMap((entry) => entry.errors.map((error) => ({ index: entry.index, ...error })));
  return {
    accepted: positions.length,
    rejected: invalid.length,
    skipped: blank,
    timed,
    usage_unread: usageUnread,
    errors: errors.slice(0, maxSummaryErrors),
  };
}

function presentAcceptance(batchId: string, statusUrl: string, entries: EntryList) {
  return {
    job_id: batchId,
    status: 'queued' as const,
    status_url: statusUrl,
    accepted: entries.positions.length,
    timed: entries.timed,
    usage_unread: entries.usageUnread,
    ...(entries.invalid.length > 0 ? rejectionsOf(entries) : {}),
  };
}

/** A log shipper sends a request again after a 207. */
function respondProcessed({ results, totals }: PresentedEntries, entries: EntryList, isStrict: boolean) {
  if (entries.single) return reply(200, results[0] as LogResponse);
  const counts = { accepted: results.length, timed: entries.timed, usage_unread: entries.usageUnread };
  if (entries.invalid.length === 0) return reply(200, { ...counts, results, totals: totals() });
  const { rejected, results: rejections } = rejectionsOf(entries);
  const inOrder = [
    ...rejections.map((result): [number, RejectedEntry] => [result.index, result]),
    ...results.map((result, at): [number, LogResponse] => [entries.positions[at] as number, result]),
  ].sort(([one], [other]) => one - other);
  const body = { ...counts, rejected, results: inOrder.map(([, result]) => result), totals: totals() };
  return isStrict ? reply(207, body) : reply(200, body);
}

function rejectionsOf({ invalid }: EntryList): { rejected: number; results: RejectedEntry[] } {
  return {
    rejected: invalid.length,
    results: invalid.map(({ index, errors }) => ({
      index,
      status: statusOfCode.VALIDATION_ERROR,
      error: { code: 'VALIDATION_ERROR', message: validationMessage(errors), details: errors },
    })),
  };
}
