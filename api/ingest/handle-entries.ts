import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { majority } from '../../shared/connections/mongo.ts';
import { digestUuid } from '../../shared/crypto/sha256.ts';
import { AppError, statusOfCode, validationError, validationMessage } from '../../shared/errors.ts';
import type { BatchToStore } from '../../shared/ingest/batch-text.ts';
import { maxEntryIndex, newBatchId, requestPartId } from '../../shared/ingest/log-batch.model.ts';
import { type BodyForm, utf16Of } from '../../shared/ingest/reading/body-form.ts';
import { type EntryList, type EntryRules, fieldErrorsOf } from '../../shared/ingest/reading/entry-list.ts';
import { readEntries } from '../../shared/ingest/reading/read-entries.ts';
import type { TextOptions } from '../../shared/ingest/reading/read-text.ts';
import { bodyError } from '../../shared/json/field-errors.ts';
import type { Models } from '../../shared/models.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { quoted } from '../../shared/quoted.ts';
import type { RouteDeps } from '../app-deps.ts';
import { isUtf8Charset, readBody, receiveBody, unsupportedType } from '../http/body/request-body.ts';
import type { AppContext } from '../http/context.ts';
import { fingerprintHead, idempotencyKeyOf } from '../http/idempotency-key.ts';
import { reply } from '../http/response.ts';
import type { RouteRequest } from '../http/route.ts';
import { findScenario, requireRunning } from '../scenarios/scenarios.store.ts';
import { type AcceptedRequest, type BatchIdentity, batchEntries, findTarget, requireSame } from './accept-entries.ts';
import {
  type IngestQuery,
  type IngestSummary,
  type LogResponse,
  type PresentedEntries,
  presentEntries,
  type RejectedEntry,
} from './ingest.schema.ts';
import type { CountRead } from './ingest-budget.ts';

type IngestRequest = Omit<RouteRequest<unknown, IngestQuery, unknown, unknown>, 'params' | 'headers'> & {
  scenarioId: string;
  prefer: string | undefined;
};

/** A larger body is read after a check only. To read a smaller one takes less than the check. */
const unseenBytes = 64 * 1024;
const maxSummaryErrors = 20;

/** Admits a request, reads and accepts its entries, and charges the bytes to the caller. */
export const handleEntries = (
  request: IngestRequest,
  rules: Readonly<Record<IngestQuery['fields'], EntryRules>>,
  deps: RouteDeps,
) =>
  deps.withIngestBudget(request.caller, async (countRead) => {
    const { ctx, query } = request;
    const form = formOfType(ctx);
    const identity = await admitRequest(request, deps);
    const receivedAt = Date.now();
    const options = { ...query, receivedAt, maxBytes: deps.config.ingest.maxBytes };
    const entries = await parseEntries(ctx, form, rules[query.fields], options, countRead)
      .then((parsed) => requireAcceptable(parsed, query))
      .catch(async (error: unknown) => {
        // The scenario's error comes first.
        if (query.answer === 'full') await findTarget(request, identity);
        throw error;
      });
    return query.answer === 'full'
      ? respondWithResults(request, { identity, receivedAt, entries }, deps)
      : respondWithSummary(request, { identity, receivedAt, entries }, deps);
  });

/** The identity of requests without a key. */
const withoutKey: BatchIdentity = { idOf: newBatchId, fingerprint: undefined, isRepeat: false };

/**
 * Identifies a request. A large one is refused before its body is read, if its entries would be
 * refused in any case, unless it is a repeat.
 *
 * A key is owned by its caller. Clients of one network that send no credentials are one caller, so
 * the fingerprint is part of their ids: two clients can use the same key.
 * @throws AppError NOT_FOUND, INVALID_STATE, SERVICE_UNAVAILABLE; IDEMPOTENCY_MISMATCH if another
 * request had the key; VALIDATION_ERROR for an invalid key.
 */
export async function admitRequest(
  { ctx, scenarios, scenarioId }: Pick<IngestRequest, 'ctx' | 'scenarios' | 'scenarioId'>,
  { models: { logBatch }, backlog, config }: RouteDeps,
): Promise<BatchIdentity> {
  const { caller } = ctx.state;
  const refuseLarge = async () => {
    if ((ctx.request.length ?? Number.POSITIVE_INFINITY) <= unseenBytes) return;
    requireRunning(await findScenario(scenarios, scenarioId));
    await backlog.requireCapacity(caller.limitKey);
  };
  const key = idempotencyKeyOf(ctx);
  if (key === undefined) {
    await refuseLarge();
    return withoutKey;
  }
  const owner = JSON.stringify([caller.id, key]);
  const isOwned = caller.key !== null || caller.user !== null;
  if (isOwned && (await findFingerprint(logBatch, digestUuid(`${owner} 0`))) === null) await refuseLarge();
  ctx.state.receivedBody ??= await receiveBody(ctx, config.ingest.maxBytes);
  const fingerprint = fingerprintOf(ctx, ctx.state.receivedBody);
  const base = isOwned ? owner : `${owner} ${fingerprint}`;
  const idOf = (part: number) => digestUuid(`${base} ${part}`);
  const known = await findFingerprint(logBatch, idOf(0));
  if (known !== null) {
    requireSame(known, fingerprint);
    ctx.set('Idempotent-Replayed', 'true');
  } else if (!isOwned) await refuseLarge();
  return { idOf, fingerprint, isRepeat: known !== null };
}

/** @returns null if there is no such batch that a majority has. */
async function findFingerprint(logBatch: Models['logBatch'], id: string): Promise<string | undefined | null> {
  const options = { projection: { fingerprint: 1 }, readConcern: majority };
  const row = await logBatch.collection.findOne<{ fingerprint?: string }>({ _id: id as never }, options);
  return row ? row.fingerprint : null;
}

function fingerprintOf(ctx: AppContext, body: readonly Buffer[]): string {
  const digest = createHash('sha256').update(fingerprintHead(ctx));
  for (const piece of body) digest.update(piece);
  return digest.digest('hex');
}

/** @throws AppError VALIDATION_ERROR if the request is refused because of its entries. */
function requireAcceptable(entries: EntryList, { fields, partial, answer }: IngestQuery): EntryList {
  const { invalid, single, positions } = entries;
  if (fields === 'strict' && invalid.length > 0 && (single || !partial)) {
    throw validationError(fieldErrorsOf(entries));
  }
  const isLong = positions.length > batchEntries || (positions.at(-1) ?? 0) > maxEntryIndex;
  if (answer === 'full' && isLong) {
    const error = `must be summary for more than ${batchEntries} entries, or one after the ${maxEntryIndex + 1}th`;
    throw validationError([{ field: 'answer', error }]);
  }
  return entries;
}

/** Entries that were read, before they are accepted. */
interface ReadRequest {
  readonly identity: BatchIdentity;
  readonly receivedAt: number;
  readonly entries: EntryList;
}

/** Accepts the valid entries, and then counts the others. @returns null if none is valid. */
async function acceptValid(
  request: Pick<IngestRequest, 'scenarios' | 'scenarioId' | 'caller' | 'requestId'>,
  { identity, receivedAt, entries }: ReadRequest,
  valid: BatchToStore['entries'],
  deps: RouteDeps,
): Promise<AcceptedRequest | null> {
  let accepted = null;
  if (valid.length > 0) accepted = await deps.acceptRequest({ request, identity, receivedAt, entries: valid });
  else await findTarget(request, identity);
  if (!identity.isRepeat) {
    deps.metrics.ingestRejected.inc(entries.invalid.length);
    deps.metrics.ingestSkipped.inc(entries.blank);
  }
  return accepted;
}

/** Accepts entries of a request that does not wait for a worker. */
export async function acceptSummarized(
  request: Parameters<typeof acceptValid>[0],
  read: ReadRequest,
  deps: RouteDeps,
): Promise<void> {
  const accepted = await acceptValid(request, read, read.entries.valid, deps);
  await accepted?.batch.addJob();
}

/** The entries are in the database; a worker has them later. */
async function respondWithSummary(request: IngestRequest, read: ReadRequest, deps: RouteDeps) {
  await acceptSummarized(request, read, deps);
  const { invalid, blank } = read.entries;
  const errors = invalid.flatMap((entry) => entry.errors.map((error) => ({ index: entry.index, ...error })));
  const summary: IngestSummary = {
    ...countsOf(read.entries),
    rejected: invalid.length,
    skipped: blank,
    errors: errors.slice(0, maxSummaryErrors),
  };
  return prefersAsync(request.prefer) ? reply(202, summary, preferenceApplied) : reply(200, summary);
}

async function respondWithResults(request: IngestRequest, read: ReadRequest, deps: RouteDeps) {
  const { entries } = read;
  const isStrict = request.query.fields === 'strict';
  const isAsync = prefersAsync(request.prefer);
  const accepted = await acceptValid(request, read, takeOut(entries), deps);
  if (!accepted) {
    const nothing = { ...countsOf(entries), ...rejectionsOf(entries), totals: null };
    return isStrict ? reply(207, nothing) : reply(200, nothing);
  }
  const { batch, first, scenario, book } = accepted;
  const endWait = isAsync ? undefined : deps.waitingRequests.begin(request.caller);
  const processed = endWait ? await batch.processed().finally(endWait) : await batch.addJob();
  if (processed) {
    if (isSliceOver()) await nextSlice();
    const range = { first, count: entries.positions.length };
    const presented = presentEntries(processed, range, scenario, { book, fallback: deps.config.priceFallback });
    return respondProcessed(presented, entries, isStrict);
  }
  const id = requestPartId(batch.id, first);
  const Location = `/api/v1/ingest-jobs/${id}`;
  const rejections = entries.invalid.length > 0 ? rejectionsOf(entries) : {};
  const acceptance = { job_id: id, status: 'queued' as const, status_url: Location, ...countsOf(entries) };
  return reply(202, { ...acceptance, ...rejections }, { Location, ...(isAsync && preferenceApplied) });
}

/** Moves the valid entries out of what was read, which lives as long as the request. */
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

const preferenceApplied = { 'Preference-Applied': 'respond-async' };

const countsOf = ({ positions, timed, usageUnread }: EntryList) => ({
  accepted: positions.length,
  timed,
  usage_unread: usageUnread,
});

/** A log shipper sends a request again after a 207. */
function respondProcessed({ results, totals }: PresentedEntries, entries: EntryList, isStrict: boolean) {
  if (entries.single) return reply(200, results[0] as LogResponse);
  const counts = countsOf(entries);
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

const json = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const jsonLines = /^(?:application|text)\/(?:x-)?(?:ndjson|ldjson|jsonl|jsonlines|json-lines)$/;
const protobuf = /^application\/(?:x-|vnd\.google\.)?protobuf$/;
/** The types that clients send by default, whatever the body is. */
const saysNothing = new Set(['', 'application/octet-stream', 'application/x-www-form-urlencoded']);

/** Null if the type says nothing. @throws AppError VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE. */
function formOfType(ctx: AppContext): BodyForm | null {
  if (ctx.is() === null || ctx.request.length === 0) throw bodyError('is required');
  const type = ctx.request.type.toLowerCase();
  if (json.test(type)) return 'values';
  if (jsonLines.test(type)) return 'lines';
  if (type === 'text/plain') return 'text';
  if (saysNothing.has(type)) return null;
  if (type === 'multipart/form-data') {
    const message =
      'Log entries must be the body itself, not a file in a form: with curl, --data-binary @FILE instead of -F.';
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  if (protobuf.test(type)) {
    const address = `${ctx.path.replace(/\/$/, '').replace(/^\/ingest$/i, '')}/v1/logs`;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Protobuf must be an OTLP export of logs, sent to ${address}.`);
  }
  // Other names of JSON and NDJSON are accepted too.
  throw unsupportedType(ctx, ['application/json', 'application/x-ndjson', 'text/plain']);
}

/**
 * Reads the entries of a body, plain or compressed. One of text is converted to UTF-8 if it is
 * UTF-16 or has the charset that its type names.
 * @throws as `readBody` and `readEntries` do; AppError UNSUPPORTED_MEDIA_TYPE if the charset is
 * unknown.
 */
async function parseEntries(
  ctx: AppContext,
  typeForm: BodyForm | null,
  rules: EntryRules,
  options: TextOptions & { maxBytes: number },
  countRead: CountRead,
): Promise<EntryList> {
  const { maxBytes } = options;
  const onPiece = ({ length }: Buffer) => countRead(length);
  const mayBeText = typeForm === null || typeForm === 'text';
  const decoder = mayBeText ? decoderOf(ctx.request.charset) : null;
  const bytes = await readBody(ctx, maxBytes, { onPiece, isAnyCharsetAccepted: mayBeText });
  const utf16 = mayBeText ? utf16Of(bytes) : null;
  const chosen = utf16 ? new TextDecoder(utf16) : decoder;
  const converted = chosen ? await convert(ctx, bytes, chosen, maxBytes) : bytes;
  const entries = await readEntries(converted, typeForm, rules, options, maxBytes);
  countRead(0, entries.count);
  return entries;
}

/** Bytes that are decoded without reading the clock. */
const pieceBytes = 64 * 1024;

/** @returns null for UTF-8. */
function decoderOf(charset: string): TextDecoder | null {
  if (isUtf8Charset(charset)) return null;
  try {
    return new TextDecoder(charset);
  } catch {
    const message = `The charset ${quoted(charset)} is unknown: send UTF-8, or a charset of the Encoding Standard such as utf-16le or windows-1252.`;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

async function convert(ctx: AppContext, bytes: Buffer, decoder: TextDecoder, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (isSliceOver()) await nextSlice();
    const stream = start + pieceBytes < bytes.length;
    const text = decoder.decode(bytes.subarray(start, start + pieceBytes), { stream });
    const piece = Buffer.from(decoder.encoding === 'windows-1252' ? withoutControls(text) : text);
    size += piece.length;
    if (size > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes in UTF-8.`);
    ctx.state.bodyMemory.grow(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The characters of windows-1252 from 0x80 to 0x9f. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node.js up to version 22 decodes windows-1252 as ISO 8859-1, which has controls there. */
const withoutControls = (text: string) =>
  text.replace(/[\u0080-\u009f]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80));
