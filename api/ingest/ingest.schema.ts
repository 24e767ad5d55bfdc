import { type Static, Type } from 'typebox';
import { createEntryPricer, type PricedUsage, resolvePricedUsage } from '../../shared/cost/entry-cost.ts';
import { formatGbSeconds } from '../../shared/cost/money.ts';
import type { PriceBook, PriceFallback } from '../../shared/cost/price-book.ts';
import { entriesOf, type LogEntry, logEntryId, type ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { LineOptions } from '../../shared/ingest/reading/read-text.ts';
import { openTimeZone } from '../../shared/ingest/text-lines/time-zone.ts';
import { maxFields } from '../../shared/pii/entry-findings.ts';
import { piiTypes } from '../../shared/pii/pii-kind.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { costByService, entryUsage, totalsExample } from '../cost/metrics.schema.ts';
import { Joi, knownName, unknownZone, uuid as uuidInput } from '../http/input.ts';
import { count, exampleScenarioId, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';

export interface IngestQuery extends LineOptions {
  partial: boolean;
  fields: 'strict' | 'loose';
  answer: 'full' | 'summary';
}

export const ingestQuery = (defaults: Pick<IngestQuery, 'fields' | 'answer'>) =>
  Joi.object<IngestQuery>({
    partial: Joi.boolean()
      .default(false)
      .description('Accept the valid entries of a list even if other entries are invalid. `fields=loose` always does.'),
    fields: Joi.string()
      .valid('strict', 'loose')
      .default(defaults.fields)
      .description(
        'What an entry may contain. `strict`: the fields of a LogEntry. `loose`: any fields; those of a LogEntry are also known by the names that log shippers use, and all others count as attributes.',
      ),
    answer: Joi.string()
      .valid('full', 'summary')
      .default(defaults.answer)
      .description(
        '`full`: the usage and the cost of every entry, after a worker has processed it; at most 1,000 entries, all among the first 65,536. `summary`: the numbers of accepted and rejected entries, as soon as they are in the database.',
      ),
    time: Joi.string()
      .valid('line', 'arrival')
      .default('line')
      .description(
        'The time of a line of text. `line`: the time that it begins with; otherwise that of the line before it in the request; otherwise that of arrival. The level of the line is read too. `arrival`: the time of arrival, without a level.',
      ),
    zone: knownName(
      (name) => openTimeZone(name) !== null,
      (name) => `${unknownZone(name)}; offsets belong into the lines`,
    )
      .max(64)
      .default('UTC')
      .description('The zone of times in lines of text that name none, such as `Europe/Berlin`.')
      .example('UTC'),
    join: Joi.string()
      .valid('none', 'trace')
      .default('none')
      .description(
        '`trace`: lines of text that continue the entry before them are joined to it, up to 64 KiB: lines that begin with white space, `Caused by:` or `... 3 more`, and lines without a time if the others have one.',
      ),
  });

export const scenarioId = uuidInput()
  .description('Id of the scenario.')
  .example('6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11');

const prefer = Joi.string().description('`respond-async`: respond with 202 at once.').example('respond-async');

export const ingestHeaders = Joi.object<{ 'X-Scenario-ID': string; Prefer?: string }>({
  'X-Scenario-ID': scenarioId.required(),
  Prefer: prefer,
});

export const ingestPath = Joi.object<{ scenario_id: string }>({ scenario_id: scenarioId.required() });

export const preferHeader = Joi.object<{ Prefer?: string }>({ Prefer: prefer });

const piiCount = Type.Object({
  type: oneOf(piiTypes),
  count: count(),
  country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2; national ids only.' })),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: maxFields,
      description:
        'The fields of the record that contain them, such as `user.email`. Absent if only the message does. Personal data in names is redacted, and positions in lists are left out.',
    }),
  ),
  more_fields: Type.Optional(count({ description: 'The number of other fields that contain them.' })),
});

export const logResponse = Type.Object(
  {
    id: uuid(),
    scenario_id: uuid(),
    received_at: timestamp(),
    message_hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the UTF-8 message.' }),
    message_preview: Type.String({ description: 'The first 200 characters of the redacted message.' }),
    source: nullable(Type.String()),
    level: nullable(Type.String()),
    size_bytes: count(),
    has_pii: Type.Boolean(),
    pii: Type.Array(piiCount),
    metrics: Type.Object(entryUsage),
    cost: costByService(),
  },
  { $id: 'LogResponse' },
);
export type LogResponse = Static<typeof logResponse>;

export const batchTotals = Type.Object(
  {
    logs: count(),
    size_bytes: count(),
    pii_logs: count(),
    metrics: Type.Object(entryUsage),
    cost: costByService(),
  },
  { $id: 'BatchTotals' },
);
export type BatchTotals = Static<typeof batchTotals>;

/** Facts about the accepted entries, before they are processed. */
const readEntries = () => ({
  timed: count({ description: 'Accepted entries whose own time is used; the others count at their arrival.' }),
  usage_unread: count({
    description: 'Accepted entries with a usage that is not understood: their tokens are counted from the message.',
  }),
});

const batchResult = Type.Object(
  { accepted: count(), ...readEntries(), results: Type.Array(logResponse), totals: batchTotals },
  { $id: 'BatchResult' },
);

const rejectedEntry = Type.Object(
  {
    index: count(),
    status: Type.Literal(400),
    error: Type.Object({
      code: Type.Literal('VALIDATION_ERROR'),
      message: Type.String(),
      details: Type.Array(Type.Object({ field: Type.String(), error: Type.String() })),
    }),
  },
  { $id: 'RejectedEntry' },
);
export type RejectedEntry = Static<typeof rejectedEntry>;

export const partialBatchResult = Type.Object(
  {
    accepted: count(),
    ...readEntries(),
    rejected: count(),
    results: Type.Array(Type.Union([logResponse, rejectedEntry])),
    totals: nullable(batchTotals),
  },
  { $id: 'PartialBatchResult' },
);

export const ingestSummary = Type.Object(
  {
    accepted: count({ description: 'Entries that are in the database.' }),
    rejected: count({ description: 'Entries that are not valid.' }),
    skipped: count({ description: 'Entries with an empty message.' }),
    ...readEntries(),
    errors: Type.Array(Type.Object({ index: count(), field: Type.String(), error: Type.String() }), {
      maxItems: 20,
      description: 'The first errors of the rejected entries.',
    }),
  },
  { $id: 'IngestSummary' },
);
export type IngestSummary = Static<typeof ingestSummary>;

/**
 * With `answer=summary`, an IngestSummary. With `answer=full`, a LogResponse for a single entry and
 * a BatchResult for a list; in a loose request, a PartialBatchResult for a list with rejected
 * entries.
 */
export const ingestResponse = Type.Union([logResponse, batchResult, partialBatchResult, ingestSummary]);
export type IngestResponse = Static<typeof ingestResponse>;

const acceptedBatch = Type.Object(
  {
    job_id: uuid(),
    status: Type.Literal('queued'),
    status_url: Type.String(),
    accepted: count(),
    ...readEntries(),
    rejected: Type.Optional(count()),
    results: Type.Optional(Type.Array(rejectedEntry)),
  },
  { $id: 'AcceptedBatch' },
);

/** With `answer=summary` an IngestSummary, with `answer=full` an AcceptedBatch. */
export const acceptedResponse = Type.Union([acceptedBatch, ingestSummary]);

export const entriesExample = [
  { message: 'mail sent to jane@example.com', source: 'mail-1' },
  { message: 'GET /cart 200', source: 'web-1', level: 'info' },
];

/** As Fluent Bit sends them. */
export const looseExample = [
  { date: 1777640400.123, log: 'GET /cart 200', stream: 'stdout', host: 'web-1' },
  { date: 1777640400.456, log: '', stream: 'stdout', host: 'web-1' },
];

export const summaryExample = { accepted: 1, timed: 1, usage_unread: 0, rejected: 0, skipped: 1, errors: [] };

const jobId = '05ea7e77-4e2b-4bed-9192-00fe4c22a3d5';
const assumed = { queue_requests: 1, function_invocations: 1, function_gb_seconds: '0.050000000000' };
const assumedCost = { queue: '0.000000400000', function: '0.000001033335' };

const mail: LogResponse = {
  id: '05ea7e77-4e2b-8bed-8192-00fe4c220000',
  scenario_id: exampleScenarioId,
  received_at: '2026-05-01T13:00:05.000Z',
  message_hash: 'bfa7ff5523d07c6a2d06b729e70589340f21f4b3186bb8dab53a83b2bbbbf48a',
  message_preview: 'mail sent to [EMAIL]',
  source: 'mail-1',
  level: null,
  size_bytes: 29,
  has_pii: true,
  pii: [{ type: 'email', count: 1 }],
  metrics: { ...assumed, input_tokens: 8, output_tokens: 100 },
  cost: { ...assumedCost, inference: '0.000558800000', total: '0.000560233335' },
};
const cart: LogResponse = {
  ...mail,
  id: '05ea7e77-4e2b-8bed-8192-00fe4c220001',
  message_hash: '7711373b756a2338c829e9321278d559ff4d8f5cce49de221fae6b4afb1a1c9e',
  message_preview: 'GET /cart 200',
  source: 'web-1',
  level: 'info',
  size_bytes: 13,
  has_pii: false,
  pii: [],
  metrics: { ...assumed, input_tokens: 6, output_tokens: 100 },
  cost: { ...assumedCost, inference: '0.000556600000', total: '0.000558033335' },
};

/** The response to `entriesExample`. */
export const batchExample = { accepted: 2, timed: 0, usage_unread: 0, results: [mail, cart], totals: totalsExample };

export const acceptedExample = {
  job_id: jobId,
  status: 'queued' as const,
  status_url: `/api/v1/ingest-jobs/${jobId}`,
  accepted: 2,
  timed: 0,
  usage_unread: 0,
};

const rejected: RejectedEntry = {
  index: 1,
  status: 400,
  error: {
    code: 'VALIDATION_ERROR',
    message: 'The request is not valid: message must be a string, not a number.',
    details: [{ field: 'message', error: 'must be a string, not a number' }],
  },
};

export const partialExample = {
  accepted: 1,
  timed: 0,
  usage_unread: 0,
  rejected: 1,
  results: [mail, rejected],
  totals: { logs: 1, size_bytes: mail.size_bytes, pii_logs: 1, metrics: mail.metrics, cost: mail.cost },
};

/** The entries of a request, which are all of a batch or a part of it. */
export type PresentedEntries = ReturnType<typeof presentEntries>;

/** Presents the entries of a request. @param range their positions in the batch. */
export function presentEntries(
  batch: ProcessedLogBatch,
  range: { first: number; count: number },
  { region, assumptions }: Pick<Scenario, 'region' | 'assumptions'>,
  { book, fallback }: { book: PriceBook; fallback: PriceFallback },
) {
  const { output_tokens_per_entry: assumedOutput } = applyDefaults(assumptions).inference;
  const pricer = createEntryPricer({ book, fallback, region });
  const entries = entriesOf(batch).slice(range.first, range.first + range.count);
  const receivedAt = batch.receivedAt.toISOString();
  const present = (usage: PricedUsage) => ({ usage, metrics: presentUsage([usage]), cost: pricer.price(usage) });
  /** By input tokens, in which alone most entries of a batch differ. */
  const known = new Map<number | LogEntry, ReturnType<typeof present>>();
  const presentOnce = (entry: LogEntry) => {
    const key = entry.usage ? entry : entry.inputTokens;
    const presented = known.get(key) ?? present(resolvePricedUsage(batch, entry, assumedOutput));
    known.set(key, presented);
    return presented;
  };
  const presented = entries.map(presentOnce);
  const results = entries.map((entry, at): LogResponse => {
    const { metrics, cost } = presented[at] as ReturnType<typeof present>;
    return {
      id: logEntryId(batch._id, entry.index ?? range.first + at),
      scenario_id: batch.scenarioId,
      received_at: receivedAt,
      message_hash: entry.hash,
      message_preview: entry.preview,
      source: entry.source ?? null,
      level: entry.level ?? null,
      size_bytes: entry.sizeBytes,
      has_pii: entry.pii !== undefined,
      pii: entry.pii ?? [],
      metrics,
      cost,
    };
  });
  /** The cost is rounded once, from the exact sum of the entries' costs. */
  const totals = (): BatchTotals => {
    const usages = presented.map(({ usage }) => usage);
    return {
      logs: entries.length,
      size_bytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      pii_logs: entries.filter(({ pii }) => pii !== undefined).length,
      metrics: presentUsage(usages),
      cost: pricer.sum(usages),
    };
  };
  return { results, totals };
}

function presentUsage(usages: readonly PricedUsage[]): LogResponse['metrics'] {
  const sum = { mbMs: 0, queueRequests: 0, inputTokens: 0, outputTokens: 0 };
  for (const { mbMs, queueRequests, inputTokens, outputTokens } of usages) {
    sum.mbMs += mbMs;
    sum.queueRequests += queueRequests;
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  return {
    queue_requests: sum.queueRequests,
    function_invocations: usages.length,
    function_gb_seconds: formatGbSeconds(BigInt(sum.mbMs)),
    input_tokens: sum.inputTokens,
    output_tokens: sum.outputTokens,
  };
}
