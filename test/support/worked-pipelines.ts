import type { Pipeline } from '../../shared/scenarios/pipeline.ts';

/** The assumptions of all worked examples of pipelines, beside the pipeline; us-east-1. */
export const workedAssumptions = {
  queue: { type: 'standard' },
  function: { architecture: 'x86_64', memory_mb: 128, duration_ms: 100 },
  inference: { model: 'anthropic.claude-haiku-4-5-20251001-v1:0', output_tokens_per_entry: 40 },
} as const;

/**
 * 600 entries of 200 bytes, one a second in the first 600 s of an hour, with 50 input tokens each
 * and no output tokens reported.
 * @param isError for the last example, every 20th entry is an error.
 */
export const workedEntries = (isError = false) =>
  Array.from({ length: 600 }, (_, second) => ({
    message: 'x'.repeat(200),
    level: isError && second % 20 === 0 ? 'error' : 'info',
    timestamp: new Date(Date.UTC(2026, 2, 5, 10, 0, second)).toISOString(),
    usage: { input_tokens: 50 },
  }));

export interface WorkedPipeline {
  name: string;
  pipeline: Pipeline;
  isError?: boolean;
  requests: number;
  emptyReceives: number;
  invocations: number;
  mbMs: number;
  calls: number;
  /** Input, output, read, written. */
  tokens: readonly [number, number, number, number];
  /** Queue, function, inference, in USD. */
  cost: readonly [string, string, string];
}

const gathered = { function: { batch_size: 50, window_seconds: 60 } };
const prompted = { entries_per_call: 50, prompt_tokens: 5_000, output_tokens_per_call: 300 };
const onePerEntry = { requests: 2550, emptyReceives: 750, invocations: 600, mbMs: 7_680_000, calls: 600 };
const simpleTokens = [30_000, 24_000, 0, 0] as const;
const simpleCost = ['0.001020000000', '0.000245000250', '0.165000000000'] as const;
const batches = { requests: 2010, emptyReceives: 750, invocations: 20, mbMs: 7_680_000 };

export const workedPipelines: readonly WorkedPipeline[] = [
  { name: 'D1: no assumption', pipeline: {}, ...onePerEntry, tokens: simpleTokens, cost: simpleCost },
  {
    name: 'D2: no pollers',
    pipeline: { queue: { pollers: 0 } },
    ...onePerEntry,
    requests: 1800,
    emptyReceives: 0,
    tokens: simpleTokens,
    cost: ['0.000720000000', '0.000245000250', '0.165000000000'],
  },
  {
    name: 'D3: batches of 10 without a window',
    pipeline: { function: { batch_size: 10, window_seconds: 0 } },
    ...onePerEntry,
    tokens: simpleTokens,
    cost: simpleCost,
  },
  {
    name: 'D4: batches of 50, window of 5 s',
    pipeline: { function: { batch_size: 50, window_seconds: 5 } },
    ...onePerEntry,
    requests: 2070,
    invocations: 120,
    tokens: simpleTokens,
    cost: ['0.000828000000', '0.000149000250', '0.165000000000'],
  },
  {
    name: 'D5: batches of 50, window of 60 s, sends of 10, overhead and cold starts',
    pipeline: {
      queue: { send_batch: 10 },
      function: { ...gathered.function, overhead_ms: 20, init_ms: 400, cold_start_percent: 10 },
    },
    ...onePerEntry,
    requests: 1470,
    invocations: 20,
    mbMs: 7_833_600,
    tokens: simpleTokens,
    cost: ['0.000588000000', '0.000131500255', '0.165000000000'],
  },
  {
    name: 'D6: 50 entries a call with a prompt',
    pipeline: { ...gathered, inference: prompted },
    ...batches,
    calls: 20,
    tokens: [130_000, 6_000, 0, 0],
    cost: ['0.000804000000', '0.000129000250', '0.176000000000'],
  },
  {
    name: 'D7: the prompt cached',
    pipeline: { ...gathered, inference: { ...prompted, cache_prompt: true } },
    ...batches,
    calls: 20,
    tokens: [30_000, 6_000, 95_000, 5_000],
    cost: ['0.000804000000', '0.000129000250', '0.083325000000'],
  },
  {
    name: 'D8: batch jobs',
    pipeline: { ...gathered, inference: { ...prompted, tier: 'batch' } },
    ...batches,
    calls: 12,
    tokens: [90_000, 3_600, 0, 0],
    cost: ['0.000804000000', '0.000129000250', '0.059400000000'],
  },
  {
    name: 'D9: a sample with retries',
    pipeline: { sample_percent: 10, retry_percent: 5 },
    requests: 1068,
    emptyReceives: 885,
    invocations: 63,
    mbMs: 806_400,
    calls: 63,
    tokens: [3_150, 2_520, 0, 0],
    cost: ['0.000427200000', '0.000025725026', '0.017325000000'],
  },
  {
    name: 'D10: no call spans invocations',
    pipeline: { function: { batch_size: 10, window_seconds: 1 }, inference: { entries_per_call: 50 } },
    ...onePerEntry,
    tokens: simpleTokens,
    cost: simpleCost,
  },
  {
    name: 'D11: only errors reach the model',
    isError: true,
    pipeline: { inference: { levels: ['error', 'fatal'] } },
    ...onePerEntry,
    calls: 30,
    tokens: [1_500, 1_200, 0, 0],
    cost: ['0.001020000000', '0.000245000250', '0.008250000000'],
  },
];
