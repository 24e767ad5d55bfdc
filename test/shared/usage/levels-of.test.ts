import { expect } from 'chai';
import type { LevelCount } from '../../../shared/usage/level-count.ts';
import { levelsOf } from '../../../shared/usage/levels-of.ts';
import { emptyUsage, type HourUsage } from '../../../shared/usage/usage.ts';
import { mergeHours } from '../../support/merge-hours.ts';
import { firstHour, secondsOf } from '../cost/build-usage.ts';

const allSeconds = secondsOf(...Array.from({ length: 3_600 }, (_, second) => second));

/** An hour as earlier versions counted it: 10 entries in 12 chunks, with 3 requests a message. */
const earlier: HourUsage = {
  ...emptyUsage(),
  hour: new Date(firstHour),
  logs: 10n,
  sizeBytes: 200_000n,
  queues: [{ type: 'standard', requests: 34n }],
  functions: [{ architecture: 'x86_64', invocations: 10n, mbMs: 128_000n, otherMemoryInvocations: 0n }],
  inference: [{ model: 'one', inputTokens: 50n, outputTokens: 1_000n, estimatedEntries: 10n }],
};

const infoLevel: LevelCount = {
  level: 'info',
  entries: 2n,
  sizeBytes: 70_000n,
  chunks: 3n,
  functions: [{ architecture: 'x86_64', mbMs: 256n }],
  inference: [{ model: 'one', entries: 2n, inputTokens: 9n, outputTokens: 7n, entriesWithoutOutput: 1n }],
  seconds: secondsOf(0, 3_599),
};

const counted: HourUsage = {
  ...emptyUsage(),
  hour: new Date(firstHour),
  logs: 2n,
  sizeBytes: 70_000n,
  queues: [{ type: 'standard', requests: 8n }],
  functions: [{ architecture: 'x86_64', invocations: 2n, mbMs: 256n, otherMemoryInvocations: 0n }],
  inference: [{ model: 'one', inputTokens: 9n, outputTokens: 7n, estimatedEntries: 0n, entriesWithoutOutput: 1n }],
  levels: [infoLevel],
};

const earlierAsLevel: LevelCount = {
  level: 'none',
  entries: 10n,
  sizeBytes: 200_000n,
  chunks: 12n,
  functions: [{ architecture: 'x86_64', mbMs: 128_000n }],
  inference: [{ model: 'one', entries: 10n, inputTokens: 50n, outputTokens: 1_000n, entriesWithoutOutput: 0n }],
  seconds: allSeconds,
};

describe('levelsOf', () => {
  it('returns the levels of an hour that were counted', () => {
    expect(levelsOf(counted, 3)).to.deep.equal([infoLevel]);
  });

  it('counts an hour of an earlier version as entries without level in every second', () => {
    expect(levelsOf(earlier, 3)).to.deep.equal([earlierAsLevel]);
  });

  it('counts the rest of an hour that earlier versions have counted in part', () => {
    for (const parts of [
      [earlier, counted],
      [counted, earlier],
    ]) {
      const [hour] = mergeHours(parts);
      const before = structuredClone(hour);
      expect(levelsOf(hour!, 3)).to.deep.equal([infoLevel, earlierAsLevel]);
      expect(hour, 'the hour is not changed').to.deep.equal(before);
    }
  });

  it('adds the rest to the entries that were counted without level', () => {
    const none = { ...infoLevel, level: 'none' as const };
    const [hour] = mergeHours([earlier, { ...counted, levels: [none] }]);
    const [only, ...others] = levelsOf(hour!, 3);
    expect(others).to.deep.equal([]);
    expect(only).to.deep.include({
      level: 'none',
      entries: 12n,
      sizeBytes: 270_000n,
      chunks: 15n,
      seconds: allSeconds,
    });
    expect(only!.inference).to.deep.equal([
      { model: 'one', entries: 12n, inputTokens: 59n, outputTokens: 1_007n, entriesWithoutOutput: 1n },
    ]);
  });

  it('counts the rest of each architecture and model, and none that has no rest', () => {
    const arm = { architecture: 'arm64' as const, mbMs: 640n };
    const other = { model: 'other', entries: 1n, inputTokens: 4n, outputTokens: 4n, entriesWithoutOutput: 0n };
    const level = {
      ...infoLevel,
      functions: [...infoLevel.functions, arm],
      inference: [...infoLevel.inference, other],
    };
    const hour: HourUsage = {
      ...earlier,
      logs: 12n,
      sizeBytes: 270_000n,
      queues: [{ type: 'standard', requests: 42n }],
      functions: [
        { architecture: 'x86_64', invocations: 11n, mbMs: 128_256n, otherMemoryInvocations: 0n },
        { ...arm, invocations: 1n, otherMemoryInvocations: 0n },
      ],
      inference: [
        { model: 'one', inputTokens: 59n, outputTokens: 1_007n, entriesWithoutOutput: 1n, estimatedEntries: 10n },
        { model: 'other', inputTokens: 4n, outputTokens: 4n, estimatedEntries: 0n },
        { model: 'third', inputTokens: 525n, outputTokens: 525n, estimatedEntries: 0n },
      ],
      levels: [level],
    };
    const [, rest] = levelsOf(hour, 3);
    expect(rest?.functions).to.deep.equal([{ architecture: 'x86_64', mbMs: 128_000n }]);
    const tokens = { entriesWithoutOutput: 0n };
    expect(rest?.inference).to.deep.equal([
      { model: 'one', entries: 5n, inputTokens: 50n, outputTokens: 1_000n, ...tokens },
      { model: 'third', entries: 5n, inputTokens: 525n, outputTokens: 525n, ...tokens },
    ]);
  });

  it('gives several models shares of the entries by their tokens, which add up', () => {
    const row = (model: string, inputTokens: bigint) => ({
      model,
      inputTokens,
      outputTokens: 0n,
      estimatedEntries: 0n,
    });
    const sharesOf = (...inference: HourUsage['inference']) =>
      levelsOf({ ...earlier, inference }, 3)[0]!.inference.map(({ entries }) => entries);
    expect(sharesOf(row('one', 1n), row('other', 2n))).to.deep.equal([3n, 7n]);
    expect(sharesOf(row('one', 0n), row('other', 2n))).to.deep.equal([10n]);
    expect(sharesOf(row('one', 0n), row('other', 0n), row('third', 0n))).to.deep.equal([3n, 3n, 4n]);
  });
});
