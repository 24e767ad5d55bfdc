import { expect } from 'chai';
import { BSON } from 'mongodb';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import { allSeconds } from '../../../shared/usage/active-seconds.ts';
import { packLevels } from '../../../shared/usage/packed-levels.ts';
import { emptyUsage, type HourUsage, sumParts } from '../../../shared/usage/usage.ts';
import { mergeHours } from '../../support/merge-hours.ts';
import { book, buildEntryUsage, firstHour, hourMs, secondsOf, usageOfEntries } from '../cost/build-usage.ts';

const models = book.models.map(({ id }) => id);
const row = (model: string) => ({ model, inputTokens: 1n, outputTokens: 1n, estimatedEntries: 0n });

describe('stored counts by level', () => {
  /** 1,000 entries, all as large as an entry can be. */
  const largestEntries = (of: (index: number) => { hour: number; second: number; model: string }) =>
    Array.from({ length: 1_000 }, (_, index) => ({
      usage: {
        ...buildEntryUsage({ sizeBytes: 2 ** 23, chunks: 128, inputTokens: 10_000_000, outputTokens: 10_000_000 }),
        mbMs: 9_216_000_000,
        outputTokens: null,
        level: levelClasses[index % 8]!,
        ...of(index),
      },
      pii: (['email', 'national_id', 'payment_card'] as const).map((type) => ({ type, count: 9 })),
    }));
  const longestModel = models.reduce((longest, model) => (model.length > longest.length ? model : longest));

  it('a usage record has at most 600 KB: an entry in each of 1,000 hours', () => {
    const entries = largestEntries((index) => ({
      hour: firstHour + index * hourMs,
      second: 3_599,
      model: longestModel,
    }));
    const { hours: stored, levels: bytes } = packLevels(usageOfEntries(entries));
    expect(bytes!.length).to.be.lessThan(40_000);
    const size = BSON.calculateObjectSize({
      _id: 'x'.repeat(36),
      scenarioId: 'x'.repeat(36),
      open: true,
      hours: stored,
      levels: bytes,
    });
    expect(size).to.be.within(500_000, 600_000);
  });

  const everyOther = secondsOf(...Array.from({ length: 1_800 }, (_, index) => 2 * index));
  const dayOf = (modelsOfLevel: readonly string[]): HourUsage[] =>
    Array.from({ length: 24 }, (_, at) => ({
      ...emptyUsage(),
      hour: new Date(firstHour + at * hourMs),
      logs: 1n,
      functions: [{ architecture: 'x86_64', invocations: 2n ** 40n, mbMs: 2n ** 60n, otherMemoryInvocations: 0n }],
      inference: modelsOfLevel.map((model) => ({ ...row(model), entriesWithoutOutput: 1n })),
      levels: levelClasses.map((name) => ({
        level: name,
        entries: 2n ** 40n,
        sizeBytes: 2n ** 50n,
        chunks: 2n ** 41n,
        functions: [{ architecture: 'x86_64', mbMs: 2n ** 60n }],
        inference: modelsOfLevel.map((model) => ({
          model,
          entries: 2n ** 40n,
          inputTokens: 2n ** 50n,
          outputTokens: 2n ** 50n,
          entriesWithoutOutput: 2n ** 40n,
        })),
        // Every second one, which has no shorter form.
        seconds: everyOther,
      })),
    }));
  const sizeOfDay = (day: HourUsage[]) => BSON.calculateObjectSize({ ...packLevels(day), sum: sumParts(day) });

  it('a usage day has at most 110 KB with one model, 850 KB with all, and 10 MB with 1,000', () => {
    expect(sizeOfDay(dayOf([longestModel]))).to.be.within(90_000, 110_000);
    expect(sizeOfDay(dayOf(models))).to.be.within(650_000, 850_000);
    const thousand = Array.from({ length: 1_000 }, (_, index) => `${longestModel}-${index}`);
    expect(sizeOfDay(dayOf(thousand))).to.be.lessThan(10_000_000);
  });

  it('hours in which every second is active are as small as those of one second', () => {
    const every = Array.from({ length: 3_600 }, (_, second) => ({ usage: { ...buildEntryUsage(), second } }));
    const bytes = (list: HourUsage[]) => packLevels(list).levels!.length;
    expect(bytes(usageOfEntries(every)) - bytes(usageOfEntries(every.slice(-1)))).to.be.lessThan(10);
    expect(mergeHours(usageOfEntries(every))[0]!.levels![0]!.seconds).to.deep.equal(allSeconds());
  });
});
