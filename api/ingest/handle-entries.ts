import { statusOfCode, validationError, validationMessage } from '../../shared/errors.ts';
import type { BatchToStore } from '../../shared/ingest/batch-text.ts';
import { maxEntryIndex } from '../../shared/ingest/log-entry-id.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { JsonText } from '../http/json-text.ts';
import { reply } from '../http/response.ts';
import type { RouteRequest } from '../http/route.ts';
import { findScenario, requireRunning } from '../scenarios/scenario-store.ts';
import { acceptEntries } from './accept-entries.ts';
import { type BatchIdentity, identifyBatches } from './batch-identity.ts';
import { formOfType } from './body-form.ts';
import { countEntries } from './entry-limit.ts';
import { type EntryRules, fieldErrorsOf, type ParsedEntries } from './entry-reading.ts';
import type { PresentedBatch } from './ingest.presenter.ts';
import type { BatchResult, IngestSummary, LogResponse, PartialBatchResult, RejectedEntry } from './ingest.responses.ts';
import { bodyLimits, type IngestQuery } from './ingest.schemas.ts';
import { type IngestCost, withCost } from './ingest-budget.ts';
import { parseEntries } from './parse-entries.ts';

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
 * Admits a request, reads its entries and accepts them. The response is as `answer` says. The cost
 * is charged to the caller.
 */
export const handleEntries = (
  request: IngestRequest,
  rules: Readonly<Record<IngestQuery['fields'], EntryRules>>,
  deps: RouteDeps,
) =>
  withCost(deps.ingestBudget, request.caller, async (cost) => {
    const { ctx, query } = request;
    const form = formOfType(ctx);
    const admitted = await admitRequest(request, deps);
    const receivedAt = Date.now();
    const text = { ...query, receivedAt };
    const read = () => parseEntries(ctx, form, rules[query.fields], text, deps.config.ingest.maxBytes, cost);
    const entries = await readAccepted(request, read).catch(async (error: unknown) => {
      // The scenario's error comes first.
      if (query.answer === 'full') await findTarget(request, admitted.identity);
      throw error;
    });
    return query.answer === 'full'
      ? respondWithResults(request, { entries, receivedAt, ...admitted }, cost, deps)
      : respondWithSummary(request, { entries, receivedAt, ...admitted }, cost, deps);
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

/** @throws AppError NOT_FOUND; INVALID_STATE, unless the entries were accepted before. */
async function findTarget(
  request: Pick<IngestRequest, 'scenarios' | 'scenarioId'>,
  { isRepeat }: BatchIdentity,
): Promise<Scenario> {
  const scenario = await findScenario(request.scenarios, request.scenarioId);
  if (!isRepeat) requireRunning(scenario);
  return scenario;
}

/** @throws AppError VALIDATION_ERROR if the request is refused because of its entries. */
async function readAccepted({ query }: IngestRequest, read: () => Promise<ParsedEntries>): Promise<ParsedEntries> {
  const entries = await read();
  const { invalid, single, positions } = entries;
  if (query.fields === 'strict' && invalid.length > 0 && (single || !query.partial)) {
    throw validationError(fieldErrorsOf(entries));
  }
  const isLong = positions.length > bodyLimits.entries || (positions.at(-1) ?? 0) > maxEntryIndex;
  if (query.answer === 'full' && isLong) {
    const error = `must be summary for more than ${bodyLimits.entries} entries, or one after the ${maxEntryIndex + 1}th`;
    throw validationError([{ field: 'answer', error }]);
  }
  return entries;
}

/** Entries that were read, before they are accepted. */
interface ReadRequest extends AdmittedRequest {
  readonly entries: ParsedEntries;
  readonly receivedAt: number;
}

/** Called once the other entries are accepted. */
function countLeftOut({ isRepeat }: BatchIdentity, { invalid, blank }: ParsedEntries, { metrics }: RouteDeps): void {
  if (isRepeat) return;
  metrics.ingestRejected.inc(invalid.length);
  metrics.ingestSkipped.inc(blank);
}

/** The entries are in the database; a worker has them later. */
async function respondWithSummary(
  request: IngestRequest,
  { entries, receivedAt, identity, target }: ReadRequest,
  cost: IngestCost,
  deps: RouteDeps,
) {
  await acceptSummarized(request, { identity, target, receivedAt, entries: entries.valid }, cost, deps);
  countLeftOut(identity, entries, deps);
  return prefersAsync(request.prefer)
    ? reply(202, summarize(entries), preferenceApplied(request))
    : reply(200, summarize(entries));
}

/** Accepts entries of a request that does not wait for a worker. */
export async function acceptSummarized(
  request: Pick<IngestRequest, 'scenarios' | 'scenarioId' | 'caller' | 'requestId'>,
  { identity, target, receivedAt, entries }: AdmittedRequest & BatchToStore & { entries: ParsedEntries['valid'] },
  cost: IngestCost,
  deps: RouteDeps,
): Promise<void> {
  const { scenarioId, requestId, caller } = request;
  const hasWaited = !identity.isRepeat && (await cost.waitForDays(entries));
  if (!target || hasWaited) await findTarget(request, identity);
  if (entries.length === 0) return;
  if (!identity.isRepeat) await countEntries(entries.length, caller, deps);
  const batch = { receivedAt, entries };
  const accepted = await acceptEntries({ scenarioId, requestId, caller, identity }, batch, entries.length, deps);
  await accepted.processed(0);
}

async function respondWithResults(
  request: IngestRequest,
  { entries, receivedAt, identity, target }: ReadRequest,
  cost: IngestCost,
  deps: RouteDeps,
) {
  const { scenarioId, requestId, caller, prefer, query } = request;
  const isStrict = query.fields === 'strict';
  const hasWaited = !identity.isRepeat && (await cost.waitForDays(entries.valid));
  // A body that arrives late, or a wait, gives time for a stop, which must refuse the entries: the
  // scenario is read again.
  const scenario = target && !hasWaited ? target : await findTarget(request, identity);
  if (!identity.isRepeat) await countEntries(entries.positions.length, caller, deps);
  const count = entries.positions.length;
  if (count === 0) {
    countLeftOut(identity, entries, deps);
    const nothing = { ...rejectionsOf(entries), accepted: 0, totals: null };
    return isStrict ? reply(207, nothing) : reply(200, nothing);
  }
  // Read before: once the entries are accepted, the response is no error.
  const book = await deps.priceBooks.ofScenario(scenario);
  const batch = { receivedAt, entries: takeOut(entries) };
  const accepted = await acceptEntries({ scenarioId, requestId, caller, identity }, batch, count, deps);
  countLeftOut(identity, entries, deps);
  // The rest is a worker's, whose share of the backlog is limited.
  cost.end();
  const endWait = prefersAsync(prefer) ? null : deps.waitingRequests.enter(caller);
  const processed = await accepted.processed(endWait ? deps.config.ingest.waitMs : 0).finally(() => endWait?.());
  if (!processed) {
    const statusUrl = `/api/v1/ingest-jobs/${accepted.id}`;
    return reply(202, presentAcceptance(accepted.id, statusUrl, entries), {
      Location: statusUrl,
      ...preferenceApplied(request),
    });
  }
  if (isSliceOver()) await nextSlice();
  return respondProcessed(deps.presentBatch(processed, scenario, book), entries, isStrict);
}

/**
 * @returns the valid entries, which are left out of what was read: it lives as long as the request.
 */
function takeOut(entries: ParsedEntries): BatchToStore['entries'] {
  const { valid, sent, positions } = entries;
  entries.valid = [];
  entries.sent = null;
  if (sent) return sent;
  const isComplete = positions.every((index, at) => index === at);
  return isComplete ? valid : valid.map((entry, at) => ({ ...entry, index: positions[at] as number }));
}

/** Whether the header `Prefer` contains `respond-async` (RFC 7240). */
function prefersAsync(prefer = ''): boolean {
  return prefer.split(',').some((preference) => /^respond-async$/i.test((preference.split(';')[0] ?? '').trim()));
}

const preferenceApplied = ({ prefer }: IngestRequest): Record<string, string> =>
  prefersAsync(prefer) ? { 'Preference-Applied': 'respond-async' } : {};

function summarize({ positions, invalid, blank, timed }: ParsedEntries): IngestSummary {
  const errors = invalid.flatMap((entry) => entry.errors.map((error) => ({ index: entry.index, ...error })));
  return {
    accepted: positions.length,
    rejected: invalid.length,
    skipped: blank,
    ...(timed === null ? {} : { timed }),
    errors: errors.slice(0, maxSummaryErrors),
  };
}

function presentAcceptance(batchId: string, statusUrl: string, entries: ParsedEntries) {
  return {
    job_id: batchId,
    status: 'queued' as const,
    status_url: statusUrl,
    accepted: entries.positions.length,
    ...(entries.invalid.length > 0 ? rejectionsOf(entries) : {}),
  };
}

/** A log shipper sends a request again after a 207. */
function respondProcessed(batch: PresentedBatch, entries: ParsedEntries, isStrict: boolean) {
  const { count, results, totals } = batch;
  if (entries.single) return reply(200, batch.result(0));
  const accepted = JsonText.write(count);
  if (entries.invalid.length === 0)
    return reply(200, JsonText.object<BatchResult>({ accepted, results, totals: totals() }));
  const rejected = rejectionsOf(entries);
  const inOrder = [
    ...rejected.results.map((result): [number, JsonText<RejectedEntry>] => [result.index, JsonText.write(result)]),
    ...entries.positions.map((index, position): [number, JsonText<LogResponse>] => [index, batch.result(position)]),
  ].sort(([one], [other]) => one - other);
  const body = JsonText.object<PartialBatchResult>({
    accepted,
    rejected: JsonText.write(rejected.rejected),
    results: JsonText.list<LogResponse | RejectedEntry>(inOrder.map(([, result]) => result)),
    totals: totals(),
  });
  return isStrict ? reply(207, body) : reply(200, body);
}

function rejectionsOf({ invalid }: ParsedEntries): { rejected: number; results: RejectedEntry[] } {
  return {
    rejected: invalid.length,
    results: invalid.map(({ index, errors }) => ({
      index,
      status: statusOfCode.VALIDATION_ERROR,
      error: { code: 'VALIDATION_ERROR', message: validationMessage(errors), details: errors },
    })),
  };
}
