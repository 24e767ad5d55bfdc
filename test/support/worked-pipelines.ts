import rows from './worked-pipelines.json' with { type: 'json' };

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

/**
 * D1 to D11 of the cost model. `tokens` are input, output, read, written; `cost` is that of queue,
 * function and inference, in USD.
 */
export const workedPipelines = rows;
