import { statusOfCode, validationError, validationMessage } from '../../shared/errors.ts';
import type { LogBatch } from '../../shared/ingest/log-batch.model.ts';
import { maxEntryIndex } from '../../shared/ingest/log-entry-id.ts';
import type { BatchToSpool } from '../../shared/ingest/spooled-batch.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { JsonText } from '../http/json-text.ts';
import { reply } from '../http/response.ts';
import type { RouteRequest } from '../http/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { formOfType } from './body-form.ts';
import { countEntries } from './entry-limit.ts';
import { type EntryRules, fieldErrorsOf, type ParsedEntries } from './entry-reading.ts';
import type { PresentedBatch } from './ingest.presenter.ts';
import type { BatchResult, IngestSummary, LogResponse, PartialBatchResult, RejectedEntry } from './ingest.responses.ts';
import { bodyLimits, type IngestQuery } from './ingest.schemas.ts';
import { type IngestCost, withCost } from './ingest-budget.ts';
import { receiptTimeOf } from './lost-batches.ts';
import { parseEntries } from './parse-entries.ts';
import { processEntries, requireRunning } from './process-entries.ts';

type IngestRequest = Omit<RouteRequest<unknown, IngestQuery, unknown, unknown>, 'params' | 'headers'> & {
  scenarioId: string;
  prefer: string | undefined;
};

/**
 * A body of more bytes is not read if its entries would be refused in any case. To read a smaller
 * one takes less time than the database takes to respond.
 */
export const unseenBytes = 64 * 1024;
const maxSummaryErrors = 20;

/**
 * Admits a request, reads its entries and submits them. The response is as `answer` says. The cost
 * is charged to the caller.
 */
export const handleEntries = (
  request: IngestRequest,
  rules: Readonly<Record<IngestQuery['fields'], EntryRules>>,
  deps: RouteDeps,
) =>
  withCost(deps.ingestBudget, request.caller, async (cost) => {
    const { ctx, query, operation } = request;
    const form = formOfType(ctx);
    // The response can be made again: a summary from the body, any other from the stored batch,
    // which has the operation's id. A repeat needs the body anyway, because it enqueues again what
    // Redis has lost.
    if (operation) operation.canRebuildResponse = true;
    const admission = await admit(request, deps);
    const receivedAt = receiptTimeOf(operation);
    const text = { ...query, receivedAt };
    const read = () => parseEntries(ctx, form, rules[query.fields], text, deps.config.ingest.maxBytes, cost);
    const entries = await readAccepted(request, read).catch(async (error: unknown) => {
      // The scenario's error comes first.
      if (query.answer === 'full' && !admission.isLarge) await findTarget(request);
      throw error;
    });
    return query.answer === 'full'
      ? respondWithResults(request, { entries, receivedAt, target: admission.target }, cost, deps)
      : respondWithSummary(request, entries, cost, deps);
  });

/**
 * Whether the operation was completed before, so that its entries were accepted and counted then.
 */
const isCompleted = ({ operation }: IngestRequest) => (operation?.firstResponseStatus ?? null) !== null;

/** @throws AppError NOT_FOUND; INVALID_STATE, unless the operation was completed before. */
async function findTarget(request: IngestRequest): Promise<Scenario> {
  const scenario = await findScenario(request.scenarios, request.scenarioId);
  if (!isCompleted(request)) requireRunning(scenario);
  return scenario;
}

/**
 * Refuses a large body before it is read, if its entries would be refused in any case.
 * @returns the scenario if it was read after the whole body had arrived.
 */
async function admit(
  request: IngestRequest,
  deps: RouteDeps,
): Promise<{ isLarge: boolean; target: Scenario | undefined }> {
  const { ctx } = request;
  const isLarge = (ctx.request.length ?? Number.POSITIVE_INFINITY) > unseenBytes;
  if (!isLarge) return { isLarge, target: undefined };
  const capacity = isCompleted(request) ? undefined : deps.requireCapacity(ctx.state.caller.limitKey);
  // The scenario's error comes first.
  capacity?.catch(() => {});
  const found = await findTarget(request);
  await capacity;
  return { isLarge, target: ctx.req.complete ? found : undefined };
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

/** @throws AppError as `countEntries` does. */
async function countAccepted(request: IngestRequest, { positions }: ParsedEntries, deps: RouteDeps): Promise<void> {
  if (!isCompleted(request)) await countEntries(positions.length, request.caller, deps);
}

/** Called once the other entries are accepted. */
function countLeftOut(request: IngestRequest, { invalid, blank }: ParsedEntries, { metrics }: RouteDeps): void {
  if (isCompleted(request)) return;
  metrics.ingestRejected.inc(invalid.length);
  metrics.ingestSkipped.inc(blank);
}

async function respondWithSummary(request: IngestRequest, entries: ParsedEntries, cost: IngestCost, deps: RouteDeps) {
  if (!isCompleted(request)) await cost.waitForDays(entries.valid);
  await countAccepted(request, entries, deps);
  // The body is not retained while the request waits.
  entries.sent = null;
  const isStored = await enqueue(request, entries, deps);
  countLeftOut(request, entries, deps);
  if (isStored !== false) return reply(200, summarize(entries));
  return reply(202, summarize(entries), preferenceApplied(request));
}

async function respondWithResults(
  request: IngestRequest,
  { entries, receivedAt, target }: { entries: ParsedEntries; receivedAt: number; target: Scenario | undefined },
  cost: IngestCost,
  deps: RouteDeps,
) {
  const isStrict = request.query.fields === 'strict';
  const hasWaited = !isCompleted(request) && (await cost.waitForDays(entries.valid));
  // A body that arrives late, or a wait, gives time for a stop, which must refuse the entries: the
  // scenario is read again.
  const finding = target && !hasWaited ? Promise.resolve(target) : findTarget(request);
  finding.catch(() => {});
  // Refused requests are not counted.
  if (deps.config.ingest.maxEntriesPerMinute !== null) await finding;
  await countAccepted(request, entries, deps);
  if (entries.positions.length === 0) {
    await finding;
    countLeftOut(request, entries, deps);
    const nothing = { ...rejectionsOf(entries), accepted: 0, totals: null };
    return isStrict ? reply(207, nothing) : reply(200, nothing);
  }
  // The rest is a worker's, whose share of the backlog is limited.
  cost.end();
  const batchId = request.operation?.id ?? deps.queues['ingest-entries'].newId();
  const batch = await processedBatch(request, { batchId, receivedAt, entries, finding }, deps);
  countLeftOut(request, entries, deps);
  if (!batch) {
    const statusUrl = `/api/v1/ingest-jobs/${batchId}`;
    return reply(202, presentAcceptance(batchId, statusUrl, entries), {
      Location: statusUrl,
      ...preferenceApplied(request),
    });
  }
  const scenario = await finding;
  const book = await deps.priceBooks.ofScenario(scenario);
  if (isSliceOver()) await nextSlice();
  return respondProcessed(deps.presentBatch(batch, scenario, book), entries, isStrict);
}

/**
 * Enqueues the entries of a request whose response is a summary.
 * @returns whether they are in the database; null if the response does not say it.
 */
async function enqueue(request: IngestRequest, { valid }: ParsedEntries, deps: RouteDeps): Promise<boolean | null> {
  if (request.query.answer !== 'stored') {
    await deps.entryBatcher.enqueue(request, valid);
    return null;
  }
  const endWait = prefersAsync(request.prefer) ? null : deps.waitingRequests.enter(request.caller);
  try {
    return await deps.entryBatcher.enqueueAndWait(request, valid, endWait ? deps.config.ingest.waitMs : 0);
  } finally {
    endWait?.();
  }
}

/**
 * @returns the batch after a worker has processed it; null if that is not waited for, or takes too
 * long.
 */
async function processedBatch(
  { operation, scenarioId, requestId, caller, prefer }: IngestRequest,
  job: { batchId: string; receivedAt: number; entries: ParsedEntries; finding: Promise<Scenario> },
  deps: RouteDeps,
): Promise<LogBatch | null> {
  const { batchId, receivedAt, entries, finding } = job;
  // If the first response was 202, the repeated response is 202 too, even if the batch is processed
  // by now.
  const wasAsync = operation?.firstResponseStatus === 202;
  const endWait = prefersAsync(prefer) || wasAsync ? null : deps.waitingRequests.enter(caller);
  try {
    const batch = await processEntries(
      { batchId, scenarioId, requestId, count: entries.positions.length },
      { receivedAt, entries: takeOut(entries) },
      finding,
      { wait: endWait !== null, attemptedBefore: operation?.attemptedBefore ?? false, owner: caller.limitKey },
      deps,
    );
    return wasAsync ? null : batch;
  } finally {
    endWait?.();
  }
}

/**
 * @returns the valid entries, which are left out of what was read: it lives as long as the request.
 */
function takeOut(entries: ParsedEntries): BatchToSpool['entries'] {
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
  if (entries.invalid.length === 0) return reply(200, JsonText.object<BatchResult>({ accepted, results, totals }));
  const rejected = rejectionsOf(entries);
  const inOrder = [
    ...rejected.results.map((result): [number, JsonText<RejectedEntry>] => [result.index, JsonText.write(result)]),
    ...entries.positions.map((index, position): [number, JsonText<LogResponse>] => [index, batch.result(position)]),
  ].sort(([one], [other]) => one - other);
  const body = JsonText.object<PartialBatchResult>({
    accepted,
    rejected: JsonText.write(rejected.rejected),
    results: JsonText.list<LogResponse | RejectedEntry>(inOrder.map(([, result]) => result)),
    totals,
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
