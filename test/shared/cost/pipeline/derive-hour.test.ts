import { expect } from 'chai';
import fc from 'fast-check';
import { sumOf } from '../../../../shared/cost/integers.ts';
import { createDerivation } from '../../../../shared/cost/pipeline/derive-hour.ts';
import { countHour, evenWindows } from '../../../../shared/cost/pipeline/hour-counts.ts';
import { mainLimit } from '../../../../shared/cost/pipeline/pipeline-work.ts';
import { applyDefaults } from '../../../../shared/scenarios/assumptions.ts';
import {
  completePipeline,
  levelClasses,
  type Pipeline,
  pipelineRanges,
} from '../../../../shared/scenarios/pipeline.ts';
import { seededRandom } from '../../../../shared/seeded-random.ts';
import { fieldOfModel, type LevelCounters } from '../../../../shared/usage/stored-hour.ts';
import { isLongForm } from '../../../support/long-form.ts';
import { book } from '../build-usage.ts';
import { type CountedEntry, countEntries, type Levels, levelOf, randomEntries } from './build-levels.ts';
import { type NaiveScenario, type NaiveUsage, naiveHour } from './naive-pipeline.ts';

type DerivedHour = ReturnType<ReturnType<typeof createDerivation>>;

function derive(levels: Levels, scenario: NaiveScenario, seconds?: number): DerivedHour {
  const { pipeline, memoryMb, outputTokensPerEntry } = scenario;
  const assumptions = applyDefaults({
    function: { memory_mb: memoryMb },
    inference: { output_tokens_per_entry: outputTokensPerEntry },
  });
  const derivation = createDerivation({
    assumptions: { ...assumptions, pipeline: completePipeline(pipeline) },
    counted: assumptions,
    book,
  });
  return derivation(countHour(levels, 0, seconds));
}

function totalsOf({ queues, emptyReceives, functions, inference }: DerivedHour): NaiveUsage {
  const [runs, calling] = [Object.values(functions), Object.values(inference)];
  return {
    requests: queues['standard']!,
    emptyReceives,
    invocations: sumOf(runs, ({ invocations }) => invocations),
    mbMs: sumOf(runs, ({ mbMs }) => mbMs),
    calls: sumOf(calling, ({ calls }) => calls!),
    inputTokens: sumOf(calling, ({ inputTokens }) => inputTokens),
    outputTokens: sumOf(calling, ({ outputTokens }) => outputTokens),
    cacheReadTokens: sumOf(calling, ({ cacheReadTokens }) => cacheReadTokens!),
    cacheWriteTokens: sumOf(calling, ({ cacheWriteTokens }) => cacheWriteTokens!),
  };
}

const { queue, function: fn, inference } = pipelineRanges;
/** Values of a range, with its ends more often than others. */
const within = ({ min, max }: { min: number; max: number }, often: number) =>
  fc.oneof(fc.constant(min), fc.integer({ min, max: Math.min(max, often) }), fc.integer({ min, max }));
const levels = fc.uniqueArray(fc.constantFrom(...levelClasses), { minLength: 1 });

const optional = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const pipelines = optional({
  levels,
  sample_percent: within(pipelineRanges.sample_percent, 20),
  retry_percent: within(pipelineRanges.retry_percent, 20),
  queue: optional({ send_batch: within(queue.send_batch, 10), pollers: within(queue.pollers, 10) }),
  function: optional({
    batch_size: within(fn.batch_size, 100),
    window_seconds: within(fn.window_seconds, 30),
    overhead_ms: within(fn.overhead_ms, 100),
    init_ms: within(fn.init_ms, 1_000),
    cold_start_percent: within(fn.cold_start_percent, 10),
  }),
  inference: optional({
    levels,
    sample_percent: within(inference.sample_percent, 20),
    entries_per_call: within(inference.entries_per_call, 60),
    prompt_tokens: within(inference.prompt_tokens, 5_000),
    cache_prompt: fc.boolean(),
    output_tokens_per_call: within(inference.output_tokens_per_call, 500),
    tier: fc.constantFrom('standard' as const, 'batch' as const),
  }),
}) as fc.Arbitrary<Pipeline>;

const scenarios: fc.Arbitrary<NaiveScenario> = fc.record({
  pipeline: pipelines,
  memoryMb: fc.constantFrom(128, 512, 10_240),
  outputTokensPerEntry: fc.constantFrom(0, 40, 100),
});
const entries = fc.integer().map((seed): CountedEntry[] => randomEntries(seededRandom(seed)));

const scenarioOf = (pipeline: Pipeline): NaiveScenario => ({ pipeline, memoryMb: 128, outputTokensPerEntry: 0 });
const entryOf = (second: number, sizeBytes = 200, mbMs = 12_800): CountedEntry => ({
  level: 'info',
  second,
  sizeBytes,
  mbMs,
  model: 'one',
  inputTokens: 1,
  outputTokens: 1,
});

describe('the usage of a pipeline in an hour', () => {
  it('is what the formulas give when they are computed second by second', () => {
    fc.assert(
      fc.property(entries, scenarios, fc.integer({ min: 0, max: 3_600 }), (sent, scenario, seconds) => {
        const hour = countEntries(sent);
        const derived = derive(hour, scenario);
        expect(totalsOf(derived)).to.deep.equal(naiveHour(hour, scenario));
        const { calls = 0n, retried_calls: retried = 0n } = derived.work.parts.inference ?? {};
        expect(calls + retried, 'calls of all models').to.equal(totalsOf(derived).calls);
        const passed = Math.max(seconds, ...sent.map(({ second }) => second + 1));
        expect(totalsOf(derive(hour, scenario, seconds))).to.deep.equal(naiveHour(hour, scenario, passed));
      }),
      { numRuns: isLongForm ? 400 : 150 },
    );
  });

  it('is exact where counters exceed 2^53', () => {
    fc.assert(
      fc.property(entries, scenarios, (sent, scenario) => {
        const hour = countEntries(sent);
        for (const level of Object.values(hour)) {
          level.entries = BigInt(level.entries) * 3_333_333_333_331n;
          level.sizeBytes = BigInt(level.sizeBytes) * 999_999_999_999_999n;
          level.chunks = BigInt(level.chunks) * 4_444_444_444_444n;
          for (const name in level.functions)
            level.functions[name] = BigInt(level.functions[name]!) * 7_777_777_777_777n;
          for (const row of Object.values(level.inference)) row.entries = BigInt(row.entries) * 3_333_333_333_331n;
        }
        expect(totalsOf(derive(hour, scenario))).to.deep.equal(naiveHour(hour, scenario));
      }),
      { numRuns: isLongForm ? 200 : 100 },
    );
  });

  it('has the windows of the formulas if every second of an hour, or of a part of it, has an entry', () => {
    const all = Array.from({ length: 3_600 }, (_, second) => entryOf(second));
    for (const hour of [all, all.slice(0, 3_584), all.slice(3_584)].map(countEntries)) {
      for (const window_seconds of [1, 2, 7, 300]) {
        const scenario = scenarioOf({ function: { batch_size: 50, window_seconds } });
        expect(totalsOf(derive(hour, scenario))).to.deep.equal(naiveHour(hour, scenario));
      }
    }
  });

  it('has a cached prompt that lives for exactly five minutes', () => {
    const hour = countEntries([0, 300, 601].map((second) => entryOf(second)));
    const pipeline = { inference: { prompt_tokens: 1_000, cache_prompt: true } };
    const totals = totalsOf(derive(hour, scenarioOf(pipeline)));
    expect(totals).to.include({ cacheWriteTokens: 2_000n, cacheReadTokens: 1_000n });
  });

  it('spreads a total evenly where only the number of windows is known', () => {
    expect([12n, 7n, 0n].map((windows) => evenWindows(windows).spread(600n, 50n))).to.deep.equal([12n, 14n, 0n]);
  });

  it('names what decides on the number of invocations', () => {
    const steady = Array.from({ length: 600 }, (_, index) => entryOf(index));
    const large = steady.map((_, index) => entryOf(index, 1_000_000));
    const slow = steady.map((_, index) => entryOf(index, 200, 128 * 100_000));
    const windowOf = (window_seconds: number) => ({ function: { batch_size: 50, window_seconds } });
    const cases: readonly [sent: CountedEntry[], pipeline: Pipeline, limit: string][] = [
      [[], {}, 'none'],
      [steady, {}, 'entries'],
      [steady, windowOf(5), 'window'],
      [steady, windowOf(60), 'batch_size'],
      [large, windowOf(60), 'payload'],
      [slow, windowOf(60), 'duration'],
    ];
    for (const [sent, pipeline, limit] of cases)
      expect(mainLimit(derive(countEntries(sent), scenarioOf(pipeline)).work)).to.equal(limit);
  });

  it('has only the empty receives of the seconds that have passed in an hour without entries', () => {
    const requests = [3_600, 1_799.9, -5].map((seconds) => totalsOf(derive({}, scenarioOf({}), seconds)).requests);
    expect(requests).to.deep.equal([900n, 449n, 0n]);
  });

  it('has all seconds of a current hour up to its last entry', () => {
    const levels = countEntries([entryOf(1_000)]);
    expect(countHour(levels, 0, 10).seconds).to.deep.equal({ times: 1_001n, over: 1n });
    expect(countHour(levels, 0, 2_000.7).seconds).to.deep.equal({ times: 2_000n, over: 1n });
  });

  it('has long calls if their input, with the instruction, is above the limit of the model', () => {
    const model = 'openai.gpt-5.6-sol';
    const scenario = scenarioOf({ inference: { prompt_tokens: 72_000 } });
    const modelOf = (inputTokens: number) =>
      Object.keys(derive(countEntries([{ ...entryOf(0), model, inputTokens }]), scenario).inference);
    const names = [model, `${model} long`].map(fieldOfModel);
    expect([...modelOf(200_000), ...modelOf(200_001)]).to.deep.equal(names);
    const both = [model, `${model} long`].map((name) => ({ ...entryOf(0), model: name, inputTokens: 300_000 }));
    expect(totalsOf(derive(countEntries(both), scenario))).to.include({ calls: 2n, inputTokens: 744_000n });
  });

  it('samples and retries the cached tokens that entries report, and leaves the instruction as it is', () => {
    const level = levelOf({ ...entryOf(0), inputTokens: 50, outputTokens: 5 });
    const cached = { cacheReadTokens: 1000n, cacheWriteTokens: 30n, cacheWrite1hTokens: 5n };
    const levelsOf = (more: object): Levels => ({
      info: {
        ...level,
        inference: { one: { ...level.inference['one'], ...more } as LevelCounters['inference'][string] },
      },
    });
    const pipeline = {
      retry_percent: 10,
      inference: { sample_percent: 50, prompt_tokens: 2000, cache_prompt: true },
    } satisfies Pipeline;
    const scenario = scenarioOf(pipeline);
    const { one: without } = derive(levelsOf({}), scenario).inference;
    const { one: withCached } = derive(levelsOf(cached), scenario).inference;
    expect(without).to.include({ cacheReadTokens: 2_000n, cacheWriteTokens: 2_000n, cacheWrite1hTokens: 0n });
    // ⌈1000 · 50 %⌉ and ⌈500 · 10 %⌉; ⌈15⌉ and ⌈1.5⌉; ⌈2.5⌉ and ⌈0.3⌉.
    const counted = { cacheReadTokens: 2_550n, cacheWriteTokens: 2_017n, entryWriteTokens: 17n };
    expect(withCached).to.deep.equal({ ...without, ...counted, cacheWrite1hTokens: 4n });
  });
});
