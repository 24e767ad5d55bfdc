// The rate of a log, and the month of a pipeline at it. `month-of-logs.test.ts` has whole months
// without a pipeline.
import { expect } from 'chai';
import { formatMoney } from '../../../shared/cost/money.ts';
import { sumRated, type Terms } from '../../../shared/cost/months-on-terms.ts';
import { observationInWords, observedSeconds, type Volume } from '../../../shared/cost/observed-rate.ts';
import { hasPipeline } from '../../../shared/cost/pipeline/derive-hour.ts';
import { countHour } from '../../../shared/cost/pipeline/hour-counts.ts';
import { createUsageDerivation } from '../../../shared/cost/read-scenario-usage.ts';
import { priceMonth, priceMonths } from '../../../shared/cost/scenario-cost.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import type { ReadDays } from '../../../shared/usage/read-usage.ts';
import { fieldOfModel, type HourCounters, type UsageTotals } from '../../../shared/usage/stored-hour.ts';
import { sumUsage } from '../../support/merge-hours.ts';
import { book, buildEntryUsage, defaultPricing, usageOfEntries } from './build-usage.ts';

interface Entry {
  /** In epoch seconds. */
  at: number;
  isTimed?: boolean;
}

const monthSeconds = 2_628_000;
const start = Date.UTC(2026, 2, 5, 10) / 1_000;
const clock = (hours: number, minutes: number, seconds = 0) => start + (hours - 10) * 3_600 + minutes * 60 + seconds;

const every = (step: number, from: number, to: number): Entry[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => ({ at: from + index * step }));

const logs = {
  'a minute of 100 a second across a full hour': Array.from({ length: 6_000 }, (_, index) => ({
    at: clock(10, 59, 30) + Math.floor(index / 100),
  })),
  '50 minutes across a full hour': every(29, clock(10, 35), clock(11, 25)),
  '3.3 hours': every(23, clock(10, 42), clock(14, 0)),
  'two entries an hour apart': [{ at: clock(10, 20) }, { at: clock(11, 20) }],
  'a week with nights': Array.from({ length: 7 }, (_, day) =>
    every(97, clock(8 + day * 24, 0), clock(18 + day * 24, 0)),
  ).flat(),
  'a day with a burst an hour': Array.from({ length: 24 }, (_, hour) =>
    every(1, clock(hour, 13), clock(hour, 13, 40)),
  ).flat(),
};

const hoursOf = (entries: readonly Entry[]): HourCounters[] =>
  usageOfEntries(
    entries.map(({ at, isTimed = true }) => ({
      usage: buildEntryUsage({
        hour: Math.floor(at / 3_600) * 3_600_000,
        second: at % 3_600,
        timed: isTimed,
        sizeBytes: 200,
        billedMs: 100,
        mbMs: 12_800,
        inputTokens: 50,
        outputTokens: 40,
        level: 'info',
      }),
    })),
  );

const readDaysOf = (hours: readonly HourCounters[]): ReadDays =>
  async function* () {
    yield hours;
  };

const ratedOf = (entries: readonly Entry[], assumptions: Assumptions = {}, volume: Volume | null = null) =>
  sumRated(readDaysOf(hoursOf(entries)), [termsOf(assumptions)], { volume });

const termsOf = (assumptions: Assumptions): Terms => {
  const complete = applyDefaults(assumptions);
  return { ...defaultPricing, assumptions: complete, counted: complete };
};

const priceOf = async (usage: UsageTotals, assumptions: Assumptions) =>
  (await priceMonth(usage, { ...defaultPricing, assumptions })).total.amount!;

/** The log again and again, for a month: the last entry is followed by a mean gap. */
function repeated(entries: readonly Entry[]): Entry[] {
  const offsets = entries.map(({ at }) => at - entries[0]!.at);
  const time = (offsets.at(-1)! * entries.length) / (entries.length - 1);
  const all: Entry[] = [];
  for (const offset of offsets) {
    for (let at = offset; at < monthSeconds; at += time) all.push({ at: start + Math.floor(at) });
  }
  return all;
}

const within = (value: bigint, expected: bigint, what: string) =>
  expect(Math.abs(Number(value - expected)) / Number(expected), what).to.be.lessThan(0.01);

describe('a month at the observed rate', () => {
  const pipelines: Record<string, Assumptions> = {
    'one call an entry, with polls': { pipeline: {} },
    'batches, a prompt and retries': {
      pipeline: {
        retry_percent: 5,
        function: { batch_size: 10, window_seconds: 5 },
        inference: { entries_per_call: 5, prompt_tokens: 900, output_tokens_per_call: 100 },
      },
    },
    'a cached prompt': { pipeline: { inference: { prompt_tokens: 4_096, cache_prompt: true } } },
    'a prompt that is cached for an hour': {
      pipeline: { inference: { prompt_tokens: 4_096, cache_prompt: true, cache_ttl: '1h' } },
    },
  };
  const haiku = { inference: { model: 'anthropic.claude-haiku-4-5-20251001-v1:0' } };
  /** By log: a month of entries takes longer to count than its cost. */
  const repeatedHours = new Map<string, ReturnType<typeof hoursOf>>();
  for (const [name, pipeline] of Object.entries(pipelines)) {
    it(`costs of a pipeline are those of the repeated log: ${name}`, async () => {
      for (const log of [
        '50 minutes across a full hour',
        '3.3 hours',
        'a week with nights',
        'a day with a burst an hour',
      ] as const) {
        const assumptions = { ...haiku, ...pipeline };
        const entries = logs[log];
        const { months } = await ratedOf(entries, assumptions);
        const { assumptions: complete } = termsOf(assumptions);
        if (!hasPipeline(complete)) throw new Error('no pipeline');
        const derive = createUsageDerivation({ assumptions: complete, counted: complete, book, previous: -Infinity });
        const hours = repeatedHours.get(log) ?? hoursOf(repeated(entries));
        repeatedHours.set(log, hours);
        const used = new Set(hours.map(({ hour }) => hour.getTime()));
        const usages = hours.map((entries) => {
          const start = entries.hour.getTime();
          return derive({ start, hours: 1, counts: countHour(entries.levels!, start / 1_000), entries })!;
        });
        const idle = derive({ start: 0, hours: 1, counts: countHour({}) })!;
        for (let hour = 0; hour < 730; hour += 1) if (!used.has((start + hour * 3_600) * 1_000)) usages.push(idle);
        within(
          await priceOf(months![0]!.usage, assumptions),
          await priceOf(sumUsage(usages), assumptions),
          `${name}: ${log}`,
        );
      }
    });
  }

  it('6,000 entries in a minute are 100 a second, also across a full hour', async () => {
    const { observed, months } = await ratedOf(logs['a minute of 100 a second across a full hour']);
    expect(observedSeconds(observed!)).to.deep.equal({ times: 60n * 59n, over: 59n });
    expect(observationInWords(observed!, { times: 60n, over: 1n })).to.equal('6,000 entries in a minute');
    expect(months![0]!.usage.logs).to.equal(262_800_000n);
    expect(months![0]!.thirds).to.equal(null);
  });

  it('times of arrival decide if fewer than two seconds have an entry with a time of its own', async () => {
    const arrived = logs['3.3 hours'].map(({ at }) => ({ at, isTimed: false }));
    const { observed } = await ratedOf(logs['3.3 hours']);
    const early = { at: arrived[0]!.at - 90 * 86_400 };
    expect((await ratedOf(arrived)).observed).to.deep.equal(observed);
    expect((await ratedOf([early, ...arrived])).observed).to.include({ first: early.at, last: observed!.last });
    const timed = await ratedOf([early, { at: early.at + 1 }, ...arrived]);
    expect(timed.observed).to.include({ first: early.at, last: early.at + 1, active: 2 });
  });

  it('two entries an hour apart are one an hour, with the polls of the hours that are touched', async () => {
    const { months } = await ratedOf(logs['two entries an hour apart'], { pipeline: {} });
    // 40, 60 and 20 minutes are touched; a poll lasts 20 s.
    const polls = [2_400 - 1, 3_600 - 1, 1_200].reduce((sum, seconds) => sum + Math.floor((5 * seconds) / 20), 0);
    expect(months![0]!.usage.emptyReceives).to.equal(BigInt(Math.ceil((polls * monthSeconds) / 7_200)));
    expect(months![0]!.usage.logs).to.equal(730n);
  });

  it('one second has no rate, but the cost of a volume', async () => {
    const single = [{ at: start }, { at: start }];
    expect((await ratedOf(single)).months).to.equal(null);
    expect((await ratedOf([])).observed).to.equal(null);
    for (const rate of [
      { times: 1n, over: 2_628n },
      { times: 50n, over: 1n },
    ]) {
      const { months } = await ratedOf(single, { pipeline: {} }, { kind: 'entries_per_second', rate });
      expect(months![0]!.usage.logs).to.equal((2_628_000n * rate.times) / rate.over);
    }
  });

  it('thirds of at least six whole hours show how the rate differs', async () => {
    const days = (step: (hour: number) => number, hours: number) =>
      Array.from({ length: hours }, (_, hour) => every(step(hour), clock(10 + hour, 0), clock(11 + hour, 0))).flat();
    const { months } = await ratedOf(days((hour) => (hour < 2 ? 36 : hour < 4 ? 18 : 9), 6));
    const [low, mid, high] = months![0]!.thirds!.map((usage) => Number(usage.logs));
    expect(low).to.equal(73_000);
    expect(mid).to.equal(146_000);
    expect(high).to.equal(292_000);
    expect((await ratedOf(days(() => 36, 5))).months![0]!.thirds).to.equal(null);
    const gap = days(() => 36, 9).filter(({ at }) => at < clock(13, 0) || at >= clock(16, 0));
    expect((await ratedOf(gap)).months![0]!.thirds).to.equal(null);
  });

  it('another volume fills batches, and keeps the entries of the month exact', async () => {
    const pipeline: Assumptions = {
      pipeline: { queue: { pollers: 0 }, function: { batch_size: 10, window_seconds: 60 } },
    };
    const volume = (perMonth: bigint): Volume => ({
      kind: 'entries_per_month',
      rate: { times: perMonth, over: 2_628_000n },
    });
    const log = logs['3.3 hours'];
    const { months } = await ratedOf(log, pipeline);
    const observed = BigInt(months![0]!.usage.logs);
    const invocations = (usage: UsageTotals) => Number(usage.functions['x86_64']!.invocations);
    const ofTen = (await ratedOf(log, pipeline, volume(observed * 10n))).months![0]!.usage;
    expect(ofTen.logs).to.equal(observed * 10n);
    expect(invocations(ofTen)).to.be.lessThan(invocations(months![0]!.usage) * 8);
    const plain = (await ratedOf(log, {}, volume(1_000_003n))).months![0]!.usage;
    expect([plain.logs, plain.functions['x86_64']!.invocations]).to.deep.equal([1_000_003n, 1_000_003n]);
  });
});

describe('a cached prompt', () => {
  const sonnet = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
  const calls = every(360, clock(10, 0), clock(34, 0));
  const promptOnly = async (inference: object, ofEntries: object = {}) => {
    const assumptions: Assumptions = {
      inference: { model: sonnet },
      pipeline: { inference: { prompt_tokens: 4_000, ...inference } },
    };
    const hours = usageOfEntries(
      calls.map(({ at }) => ({
        usage: buildEntryUsage({
          model: sonnet,
          hour: Math.floor(at / 3_600) * 3_600_000,
          second: at % 3_600,
          inputTokens: 0,
          outputTokens: 0,
          ...ofEntries,
        }),
      })),
    );
    const { usages, months } = await sumRated(readDaysOf(hours), [termsOf(assumptions)], { volume: null });
    const { services, usage } = await priceMonths(usages[0]!, { ...defaultPricing, assumptions });
    const month = months![0]!.usage.inference[fieldOfModel(sonnet)]!;
    return { cost: formatMoney(services.inference.amount!), row: usage.inference[fieldOfModel(sonnet)]!, month };
  };

  it('one call every six minutes for a day costs most with five minutes, and least with an hour', async () => {
    expect((await promptOnly({})).cost).to.equal('3.168000000000');
    expect((await promptOnly({ cache_prompt: true })).cost).to.equal('3.960000000000');
    const { cost, row } = await promptOnly({ cache_prompt: true, cache_ttl: '1h' });
    expect(cost).to.equal('0.341880000000');
    expect(row).to.deep.include({ cacheWrite1hTokens: 4_000n, cacheReadTokens: 239n * 4_000n });
  });

  it('caches that entries write themselves are beside the prompt, which a month writes at least once', async () => {
    // 7,300 calls a month, each of which reads or writes the prompt of 4,000 tokens.
    const prompt = 7_300n * 4_000n;
    const reported = { cacheReadTokens: 10, cacheWriteTokens: 100, cacheWrite1hTokens: 1_000 };
    const cases = [
      ['5m', { cacheWriteTokens: prompt, cacheWrite1hTokens: 0n, cacheReadTokens: 0n }],
      ['1h', { cacheWriteTokens: 0n, cacheWrite1hTokens: 4_000n, cacheReadTokens: prompt - 4_000n }],
    ] as const;
    for (const [cache_ttl, ofPrompt] of cases) {
      const { month } = await promptOnly({ cache_prompt: true, cache_ttl }, reported);
      expect(month, cache_ttl).to.deep.include({
        cacheReadTokens: ofPrompt.cacheReadTokens + 73_000n,
        cacheWriteTokens: ofPrompt.cacheWriteTokens + 730_000n,
        cacheWrite1hTokens: ofPrompt.cacheWrite1hTokens + 7_300_000n,
      });
    }
  });
});
