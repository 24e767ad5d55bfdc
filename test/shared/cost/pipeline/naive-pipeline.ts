// The formulas of a pipeline as plainly as they can be written: seconds are a set, windows a list,
// and every sum is a loop. It shares no code with the service.
import type { LevelClass, Pipeline } from '../../../../shared/scenarios/pipeline.ts';
import type { LevelCounters } from '../../../../shared/usage/stored-hour.ts';

export interface NaiveScenario {
  pipeline: Pipeline;
  memoryMb: number;
  outputTokensPerEntry: number;
}

export interface NaiveUsage {
  requests: bigint;
  emptyReceives: bigint;
  invocations: bigint;
  mbMs: bigint;
  calls: bigint;
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadTokens: bigint;
  cacheWriteTokens: bigint;
}

const up = (a: bigint, b: bigint) => (a % b === 0n ? a / b : a / b + 1n);
const percent = (x: number, n: bigint) => up(n * BigInt(x), 100n);
const least = (...all: bigint[]) => all.reduce((a, b) => (b < a ? b : a));
const most = (...all: bigint[]) => all.reduce((a, b) => (b > a ? b : a));

function secondsOf(levels: readonly LevelCounters[]): number[] {
  const has = ({ seconds }: LevelCounters, second: number) =>
    seconds instanceof Uint8Array
      ? ((seconds[Math.floor(second / 8)]! >> (second % 8)) & 1) === 1
      : seconds.includes(second);
  return Array.from({ length: 3_600 }, (_, second) => second).filter((second) =>
    levels.some((level) => has(level, second)),
  );
}

function windowsOf(active: readonly number[], width: number): bigint[] {
  const windows: bigint[] = [];
  let end = -1;
  for (const second of active) {
    if (second >= end) {
      windows.push(0n);
      end = second + width;
    }
    windows[windows.length - 1]! += 1n;
  }
  return windows;
}

function spread(total: bigint, size: bigint, windows: readonly bigint[]): bigint {
  const active = windows.reduce((a, b) => a + b, 0n);
  return windows.reduce((sum, seconds) => sum + up(total * seconds, active * size), 0n);
}

function runsOf(active: readonly number[]): bigint {
  return BigInt(active.filter((second, index) => index === 0 || second - active[index - 1]! > 300).length);
}

const add = (all: readonly (number | bigint)[]) => all.reduce<bigint>((sum, each) => sum + BigInt(each), 0n);

const total = (levels: readonly LevelCounters[], field: 'entries' | 'sizeBytes' | 'chunks') =>
  add(levels.map((level) => level[field]));

export function naiveHour(
  levels: Record<string, LevelCounters>,
  scenario: NaiveScenario,
  hourSeconds = 3_600,
): NaiveUsage {
  const all = Object.entries(levels).map(([level, counters]) => ({ level: level as LevelClass, ...counters }));
  const { pipeline, memoryMb } = scenario;
  const sample = pipeline.sample_percent ?? 100;
  const retry = pipeline.retry_percent ?? 0;
  const b = pipeline.function?.batch_size ?? 1;
  const w = Math.max(1, pipeline.function?.window_seconds ?? 0);
  const sent = all.filter(({ level }) => pipeline.levels === undefined || pipeline.levels.includes(level));
  const active = secondsOf(sent);
  const windows = windowsOf(active, w);
  const A = BigInt(active.length);

  const n = percent(sample, total(sent, 'entries'));
  const B = percent(sample, total(sent, 'sizeBytes'));
  const C = most(n, percent(sample, total(sent, 'chunks')));
  const M = percent(sample, add(sent.flatMap(({ functions }) => Object.values(functions))));

  let invocations = 0n;
  let sends = 0n;
  let receives = 0n;
  let deletes = 0n;
  if (n > 0n) {
    invocations = least(
      n,
      most(
        spread(n, BigInt(b), windows),
        spread(B + 1_024n * n, 6_291_456n, windows),
        spread(M, BigInt(memoryMb) * 900_000n, windows),
      ),
    );
    const s = BigInt(pipeline.queue?.send_batch ?? 1);
    const batches = up(n, s);
    sends = s === 1n ? C : least(C, batches * most(1n, up(B, batches * 65_536n)));
    const k = BigInt(Math.min(b, 10));
    const actions = least(n, A * up(n, A * k));
    receives = k === 1n ? C : least(C, actions * most(1n, up(B, actions * 65_536n)));
    deletes = k === 1n ? n : least(n, spread(n, k, windows));
  }
  const emptyReceives = (BigInt(pipeline.queue?.pollers ?? 5) * (BigInt(hourSeconds) - least(A, n))) / 20n;
  const withRetries = invocations + percent(retry, invocations);
  const cold = percent(pipeline.function?.cold_start_percent ?? 0, withRetries);
  const overhead = BigInt(pipeline.function?.overhead_ms ?? 0);
  const init = BigInt(pipeline.function?.init_ms ?? 0);

  const usage: NaiveUsage = {
    requests: sends + receives + percent(retry, receives) + deletes + emptyReceives,
    emptyReceives,
    invocations: withRetries,
    mbMs: M + percent(retry, M) + BigInt(memoryMb) * (withRetries * overhead + cold * init),
    calls: 0n,
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
  };

  const { inference = {} } = pipeline;
  const reached = sent.filter(({ level }) => inference.levels === undefined || inference.levels.includes(level));
  const modelSeconds = secondsOf(reached);
  const modelWindows = windowsOf(modelSeconds, w);
  const rows = reached.flatMap(({ inference: models }) => Object.entries(models));
  for (const model of new Set(rows.map(([name]) => name))) {
    const sampled = (field: 'entries' | 'inputTokens' | 'outputTokens' | 'entriesWithoutOutput') =>
      up(
        add(rows.filter(([name]) => name === model).map(([, row]) => row[field] ?? 0)) *
          BigInt(sample) *
          BigInt(inference.sample_percent ?? 100),
        10_000n,
      );
    const N = sampled('entries');
    const T = sampled('inputTokens');
    const O = sampled('outputTokens');
    const Q = sampled('entriesWithoutOutput');
    if (N === 0n) continue;
    const perCall = inference.entries_per_call ?? 1;
    const isBatch = inference.tier === 'batch';
    const retryHere = isBatch ? 0 : retry;
    const K = isBatch ? up(N, BigInt(perCall)) : least(N, spread(N, BigInt(Math.min(perCall, b)), modelWindows));
    const calls = K + percent(retryHere, K);
    const prompt = BigInt(inference.prompt_tokens ?? 0);
    const W = least(calls, runsOf(modelSeconds));
    usage.calls += calls;
    usage.inputTokens += T + percent(retryHere, T) + (inference.cache_prompt ? 0n : calls * prompt);
    usage.cacheWriteTokens += inference.cache_prompt ? W * prompt : 0n;
    usage.cacheReadTokens += inference.cache_prompt ? (calls - W) * prompt : 0n;
    const ofEntries = O + Q * BigInt(scenario.outputTokensPerEntry);
    usage.outputTokens +=
      inference.output_tokens_per_call === undefined
        ? ofEntries + percent(retryHere, ofEntries)
        : calls * BigInt(inference.output_tokens_per_call);
  }
  return usage;
}
