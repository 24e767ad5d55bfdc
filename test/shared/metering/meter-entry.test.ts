import { expect } from 'chai';
import { createTokenCounter } from '../../../shared/metering/count-tokens.ts';
import { type MeterableEntry, meterEntry } from '../../../shared/metering/meter-entry.ts';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import { applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import { book } from '../cost/build-usage.ts';

const countTokens = createTokenCounter(readTokenRanks());
const tools = { tokenMultipliers: book.tokenMultipliers, callLimits: book.callLimits, countTokens };
const timestamp = Date.UTC(2026, 4, 1, 13, 59, 59, 999);

describe('meterEntry', () => {
  it('uses the assumptions if the entry reports no usage', () => {
    const assumptions = applyDefaults({
      queue: { type: 'fifo', requests_per_message: 3 },
      function: { architecture: 'arm64', memory_mb: 256, duration_ms: 12.5 },
      inference: { model: 'amazon.nova-lite-v1:0', output_tokens_per_entry: 7 },
    });
    const message = 'connection closed by 10.0.0.1';
    expect(meterEntry({ message, timestamp, timed: true }, assumptions, tools)).to.deep.equal({
      hour: Date.UTC(2026, 4, 1, 13),
      second: 3_599,
      timed: true,
      level: 'none',
      sizeBytes: 29,
      chunks: 1,
      queueType: 'fifo',
      queueRequests: 3,
      architecture: 'arm64',
      memoryMb: 256,
      billedMs: 13,
      mbMs: 256 * 13,
      ownMemory: true,
      model: 'amazon.nova-lite-v1:0',
      unpriced: false,
      inputTokens: countTokens(message),
      inputEstimated: true,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: null,
      usageUnread: false,
    });
  });

  it('uses the defaults if the scenario has no assumptions', () => {
    expect(meter({ message: 'm' })).to.deep.include({
      queueType: 'standard',
      queueRequests: 1,
      architecture: 'x86_64',
      memoryMb: 128,
      billedMs: 100,
      model: 'anthropic.claude-haiku-4-5-20251001-v1:0',
      outputTokens: null,
    });
  });

  it('uses the cached tokens, the profile and an unknown model that the entry reports', () => {
    const tokens = { input_tokens: 1, cache_read_tokens: 2, cache_write_tokens: 3, cache_write_1h_tokens: 4 };
    const usage = { ...tokens, model: 'amazon.nova-lite-v1:0', profile: 'geo' } as const;
    expect(meter({ message: 'm', usage })).to.deep.include({
      inputTokens: 1,
      cacheReadTokens: 2,
      cacheWriteTokens: 3,
      cacheWrite1hTokens: 4,
      model: 'amazon.nova-lite-v1:0 geo',
      unpriced: false,
    });
    const unknown = { model: 'gpt-4o', unpriced: true, inputTokens: countTokens('m') };
    expect(meter({ message: 'm', usage: { unknown_model: 'gpt-4o' } })).to.deep.include(unknown);
    expect(meter({ message: 'm', usageUnread: true }).usageUnread).to.equal(true);
  });

  it('counts calls above the limit of the model apart', () => {
    const modelOf = (usage: NonNullable<MeterableEntry['usage']>, message = 'm') => meter({ message, usage }).model;
    const sol = 'openai.gpt-5.6-sol';
    // By the input with its cached tokens, above which all tokens have the long price.
    expect(modelOf({ model: sol, input_tokens: 200_000, cache_read_tokens: 72_000 })).to.equal(sol);
    expect(modelOf({ model: sol, input_tokens: 200_000, cache_read_tokens: 72_001 })).to.equal(`${sol} long`);
    // By the context window of input and output, where the price does not depend on the size.
    const lite = 'amazon.nova-lite-v1:0';
    expect(modelOf({ model: lite, input_tokens: 299_000, output_tokens: 1_000 })).to.equal(lite);
    expect(modelOf({ model: lite, profile: 'geo', input_tokens: 299_000, output_tokens: 1_001 })).to.equal(
      `${lite} geo long`,
    );
    const titan = 'amazon.titan-embed-text-v2:0';
    expect(modelOf({ model: titan }, 'word '.repeat(10_000)), 'tokens that are not reported').to.equal(titan);
  });

  it('uses what the entry reports, zeros included', () => {
    const usage = { input_tokens: 0, output_tokens: 0, function_duration_ms: 0, function_memory_mb: 1769 };
    expect(meter({ message: 'm', usage })).to.deep.include({
      inputTokens: 0,
      inputEstimated: false,
      outputTokens: 0,
      billedMs: 1,
      mbMs: 1769,
      ownMemory: false,
    });
  });

  it('rounds the duration up to whole milliseconds, at least one', () => {
    const billed = (function_duration_ms: number) => meter({ message: 'm', usage: { function_duration_ms } }).billedMs;
    expect([127.4, 127, 0.01, 0, 900_000].map(billed)).to.deep.equal([128, 127, 1, 1, 900_000]);
  });

  it("estimates tokens by the multiplier of the entry's model", () => {
    const message = 'Received connection request /10.10.34.11:45307';
    const tokens = countTokens(message);
    expect(meter({ message }).inputTokens).to.equal(Math.ceil((tokens * 118) / 100));
    const opus = { message, usage: { model: 'anthropic.claude-opus-4-8' } };
    expect(meter(opus).inputTokens).to.equal(Math.ceil((tokens * 153) / 100));
    expect(meter({ message, usage: { model: 'no.longer-sold' } }).inputTokens).to.equal(tokens);
  });

  it('counts queue requests by the size with attributes', () => {
    const metered = meter({ message: 'é', attributeBytes: 65_535, usage: { input_tokens: 1 } });
    expect(metered).to.deep.include({ sizeBytes: 65_537, chunks: 2, queueRequests: 2 });
  });

  it('names the second of the hour and the class of the level', () => {
    const at = (timestamp: number) =>
      meterEntry({ message: 'm', timestamp, timed: true }, applyDefaults({}), tools).second;
    const hour = Date.UTC(1969, 11, 31, 23);
    expect([hour, hour + 999, hour + 1_000, -1].map(at)).to.deep.equal([0, 0, 1, 3_599]);
    const levels = [{ level: 'WARNING' }, { level: '50' }, { level: 'audit' }, {}].map(
      (entry) => meter({ message: 'm', ...entry }).level,
    );
    expect(levels).to.deep.equal(['warn', 'error', 'other', 'none']);
  });
});

function meter(entry: Omit<MeterableEntry, 'timestamp' | 'timed'>) {
  return meterEntry({ timestamp, timed: false, ...entry }, applyDefaults({}), tools);
}
