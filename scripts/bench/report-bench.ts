import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { LogBatch, LogEntry } from '../../shared/models/log-batch.model.ts';
import { defaultAssumptions } from '../../shared/pricing/assumptions.ts';
import { generateDayOfLogLines } from '../demo/generate-log-lines.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { startScenario } from './start-scenario.ts';

const batches = 1_000;
const entriesPerBatch = 1_000;
const seed = 20_261_122;
const pollMs = 100;

interface ReportFigures {
  rows: number;
  csv: { seconds: number; megabytes: number; rowsPerSecond: number };
  /** The same documents, read by the driver without anything else. */
  bareReadSeconds: number;
  ratioToBareRead: number;
  /** Peak of the worker before and after, in MiB; null on systems other than Linux. */
  workerPeakMb: { before: number | null; after: number | null };
}

/** Measures a CSV report with one row per log entry of a million, warm, and beside it a bare read of the same documents. */
export async function benchReports(): Promise<{ figures: ReportFigures; tables: BenchTable[] }> {
  const figures = await withBenchStack({}, measure);
  return { figures, tables: tablesOf(figures) };
}

async function measure(stack: BenchStack): Promise<ReportFigures> {
  const client = await new MongoClient(stack.mongodbUrl).connect();
  try {
    const collection = client.db().collection<LogBatch>('log_batches');
    const headers = await register(stack.url);
    const [warmUp, scenarioId] = [await startScenario(stack.url, 'warm-up'), await startScenario(stack.url)];
    await insertBatches(collection, warmUp, 20);
    await insertBatches(collection, scenarioId, batches);
    await makeReport(stack.url, warmUp, headers);
    const before = (await stack.memory()).worker;

    const started = performance.now();
    const bytes = await makeReport(stack.url, scenarioId, headers);
    const seconds = (performance.now() - started) / 1_000;
    const after = (await stack.memory()).worker;

    const readStarted = performance.now();
    let rows = 0;
    for await (const { entries } of collection.find({ scenarioId }).sort({ receivedAt: 1 })) rows += entries.length;
    const bareReadSeconds = (performance.now() - readStarted) / 1_000;
    return {
      rows,
      csv: { seconds, megabytes: bytes / 1024 ** 2, rowsPerSecond: rows / seconds },
      bareReadSeconds,
      ratioToBareRead: seconds / bareReadSeconds,
      workerPeakMb: { before, after },
    };
  } finally {
    await client.close();
  }
}

async function register(url: string): Promise<Record<string, string>> {
  const { access_token: token } = await post(`${url}/api/v1/auth/register`, {
    email: 'bench@example.com',
    password: randomUUID(),
  });
  return { Authorization: `Bearer ${String(token)}` };
}

/** @returns the size of the file. */
async function makeReport(url: string, scenarioId: string, headers: Record<string, string>): Promise<number> {
  const body = { format: 'csv', detail: 'entries' };
  const { id } = await post(`${url}/api/v1/scenarios/${scenarioId}/reports`, body, headers);
  for (;;) {
    const report = (await (await fetch(`${url}/api/v1/reports/${String(id)}`, { headers })).json()) as {
      status: string;
      size_bytes: number;
    };
    if (report.status === 'ready') return report.size_bytes;
    if (report.status === 'failed') throw new Error(`The report has failed: ${JSON.stringify(report)}`);
    await delay(pollMs);
  }
}

async function post(url: string, body: object, headers = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Batches as the worker stores them, inserted directly, because ingesting a million lines takes minutes. */
async function insertBatches(
  collection: { insertMany: (documents: LogBatch[]) => Promise<unknown> },
  scenarioId: string,
  count: number,
): Promise<void> {
  const lines = generateDayOfLogLines(seed, entriesPerBatch);
  const entries: LogEntry[] = lines.map((line, index) => ({
    hash: createHash('sha256').update(line).digest('hex'),
    preview: line.slice(0, 200),
    source: `web-${index % 7}`,
    level: 'info',
    sizeBytes: line.length,
    inputTokens: 40 + (index % 50),
  }));
  const { queue, function: fn, inference } = defaultAssumptions;
  for (let made = 0; made < count; made += 1) {
    const batch: LogBatch = {
      _id: randomUUID(),
      scenarioId,
      receivedAt: new Date(Date.UTC(2026, 4, 1) + made * 60_000),
      queueType: queue.type,
      architecture: fn.architecture,
      commonUsage: {
        queueRequests: 3,
        memoryMb: fn.memory_mb,
        billedMs: fn.duration_ms,
        model: inference.model,
        outputTokens: inference.output_tokens_per_entry,
      },
      entries,
    };
    await collection.insertMany([batch]);
  }
}

function tablesOf({ rows, csv, bareReadSeconds, ratioToBareRead, workerPeakMb }: ReportFigures): BenchTable[] {
  return [
    {
      title: `CSV report with ${rows.toLocaleString('en-US')} rows`,
      head: ['', 'value'],
      rows: [
        ['seconds, from the request to ready', csv.seconds],
        ['rows per second', Math.round(csv.rowsPerSecond)],
        ['file, MiB', csv.megabytes],
        ['bare read of the same documents, seconds', bareReadSeconds],
        ['ratio to the bare read', ratioToBareRead],
        ['worker, peak memory before, MiB', workerPeakMb.before ?? ''],
        ['worker, peak memory after, MiB', workerPeakMb.after ?? ''],
      ],
    },
  ];
}
