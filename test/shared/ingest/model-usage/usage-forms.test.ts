import { expect } from 'chai';
import fc from 'fast-check';
import { readModelUsage } from '../../../../shared/ingest/model-usage/read-model-usage.ts';
import type { TokenCounts } from '../../../../shared/ingest/model-usage/usage-forms.ts';

/** A call, in the numbers that every form can report. */
interface Call {
  readonly input: number;
  readonly read: number;
  /** Cached for 5 minutes and for an hour. */
  readonly write: number;
  readonly write1h: number;
  readonly output: number;
  readonly reasoning: number;
}

type WriteForm = (call: Call) => object;

/** The eight forms of one call. Each has its own way to report the same tokens. */
const allForms: Readonly<Record<string, WriteForm>> = {
  'Anthropic Messages': ({ input, read, write, write1h, output, reasoning }) => ({
    usage: {
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write + write1h,
      cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: write1h },
      output_tokens: output,
      output_tokens_details: { thinking_tokens: reasoning },
    },
  }),
  'Bedrock Converse': ({ input, read, write, write1h, output }) => ({
    usage: {
      inputTokens: input,
      outputTokens: output,
      totalTokens: input + output,
      cacheReadInputTokens: read,
      cacheWriteInputTokens: write + write1h,
      cacheDetails: [
        { ttl: '5m', inputTokens: write },
        { ttl: '1h', inputTokens: write1h },
      ],
    },
  }),
  'Bedrock model invocation log': ({ input, read, write, write1h, output }) => ({
    schemaType: 'ModelInvocationLog',
    input: { inputTokenCount: input, cacheReadInputTokenCount: read, cacheWriteInputTokenCount: write + write1h },
    output: {
      outputTokenCount: output,
      outputBodyJson: {
        usage: { cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: write1h } },
      },
    },
  }),
  LangChain: ({ input, read, write, write1h, output, reasoning }) => ({
    usage_metadata: {
      input_tokens: input + read + write + write1h,
      output_tokens: output,
      total_tokens: input + read + write + write1h + output,
      input_token_details: {
        cache_read: read,
        cache_creation: 0,
        ephemeral_5m_input_tokens: write,
        ephemeral_1h_input_tokens: write1h,
      },
      output_token_details: { reasoning },
    },
  }),
};

/** Forms whose cache writes have one lifetime. */
const ordinaryWriteForms: Readonly<Record<string, WriteForm>> = {
  'OpenAI chat': ({ input, read, write, output, reasoning }) => ({
    usage: {
      prompt_tokens: input + read + write,
      completion_tokens: output,
      total_tokens: input + read + write + output,
      prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  }),
  'OpenAI responses': ({ input, read, write, output, reasoning }) => ({
    response: {
      usage: {
        input_tokens: input + read + write,
        input_tokens_details: { cached_tokens: read, cache_write_tokens: write },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: input + read + write + output,
      },
    },
  }),
  'OpenTelemetry GenAI': ({ input, read, write, output, reasoning }) => ({
    'gen_ai.usage.input_tokens': input + read + write,
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_write.input_tokens': write,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.reasoning.output_tokens': reasoning,
  }),
};

/** A form without cache writes. */
const readOnlyForms: Readonly<Record<string, WriteForm>> = {
  Gemini: ({ input, read, output, reasoning }) => ({
    usageMetadata: {
      promptTokenCount: input + read,
      cachedContentTokenCount: read,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + read + output,
    },
  }),
};

const tokens = fc.integer({ min: 0, max: 1_000_000 });
const calls = fc
  .record({
    input: tokens,
    read: tokens,
    write: tokens,
    write1h: tokens,
    output: tokens,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...call }): Call => ({ ...call, reasoning: Math.floor(call.output * share) }));

function countsOf(record: object): Required<TokenCounts> {
  const read = readModelUsage(record as Record<string, unknown>);
  if (!read || 'unread' in read) throw new Error(`${JSON.stringify(record)}: ${JSON.stringify(read)}`);
  return {
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    ...read.counts,
  };
}

describe('forms of usage', () => {
  const expectAll = (forms: Readonly<Record<string, WriteForm>>, call: Call) => {
    for (const [name, write] of Object.entries(forms)) {
      expect(countsOf(write(call)), name).to.deep.equal({
        input_tokens: call.input,
        cache_read_tokens: call.read,
        cache_write_tokens: call.write,
        cache_write_1h_tokens: call.write1h,
        output_tokens: call.output,
      });
    }
  };

  it('gives the same counts of one call, in all eight', () => {
    fc.assert(
      fc.property(calls, (call) => {
        expectAll(allForms, call);
        expectAll({ ...allForms, ...ordinaryWriteForms }, { ...call, write1h: 0 });
        expectAll({ ...allForms, ...ordinaryWriteForms, ...readOnlyForms }, { ...call, write: 0, write1h: 0 });
      }),
      { numRuns: 300 },
    );
  });

  it('reads the same whether the numbers are text or not', () => {
    const asText = (value: unknown): unknown =>
      typeof value === 'number'
        ? String(value)
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]))
          : value;
    fc.assert(
      fc.property(calls, (call) => {
        for (const write of Object.values({ ...allForms, ...ordinaryWriteForms, ...readOnlyForms })) {
          const record = write(call);
          expect(countsOf(asText(record) as object)).to.deep.equal(countsOf(record));
        }
      }),
      { numRuns: 100 },
    );
  });
});
