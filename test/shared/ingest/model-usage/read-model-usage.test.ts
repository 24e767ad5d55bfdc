import { expect } from 'chai';
import { readModelUsage } from '../../../../shared/ingest/model-usage/read-model-usage.ts';

/** A record, the counts that are read from it, and the first name of its model. */
type Row = [title: string, record: object, counts: object, model?: string];

const sonnet = 'claude-sonnet-4-6';

const understood: readonly Row[] = [
  [
    'the names of this service',
    {
      usage: {
        input_tokens: 40,
        cache_read_tokens: 100,
        cache_write_tokens: 20,
        cache_write_1h_tokens: 7,
        output_tokens: 9,
        model: sonnet,
        function_duration_ms: 12.5,
        function_memory_mb: 512,
      },
    },
    {
      input_tokens: 40,
      cache_read_tokens: 100,
      cache_write_tokens: 20,
      cache_write_1h_tokens: 7,
      output_tokens: 9,
      function_duration_ms: 12.5,
      function_memory_mb: 512,
    },
    sonnet,
  ],
  ['a usage of a function only', { usage: { function_duration_ms: 12 }, model: 'x' }, { function_duration_ms: 12 }],
  ['a model only', { usage: { model: sonnet } }, {}, sonnet],
  ['output tokens only', { usage: { output_tokens: 9 } }, { output_tokens: 9 }],
  [
    'an Anthropic message with both lifetimes, thinking and a compaction',
    {
      type: 'message',
      model: sonnet,
      usage: {
        input_tokens: 40,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 300,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 30 },
        iterations: [
          { type: 'compaction', input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7 },
          { type: 'message', input_tokens: 40, output_tokens: 50 },
        ],
        server_tool_use: { web_search_requests: 1 },
        service_tier: 'standard',
      },
    },
    {
      input_tokens: 45,
      cache_read_tokens: 1007,
      cache_write_tokens: 100,
      cache_write_1h_tokens: 200,
      output_tokens: 56,
    },
    sonnet,
  ],
  [
    'an Anthropic usage in a message, with null for what is absent',
    {
      type: 'message_start',
      message: { model: sonnet, usage: { input_tokens: 4, cache_read_input_tokens: null, output_tokens: 1 } },
    },
    { input_tokens: 4, output_tokens: 1 },
    sonnet,
  ],
  [
    'an Anthropic usage whose total is that of input and output: caches are within',
    { usage: { input_tokens: 100, cache_read_input_tokens: 60, output_tokens: 5, total_tokens: 105 } },
    { input_tokens: 40, cache_read_tokens: 60, output_tokens: 5 },
  ],
  [
    'an Anthropic usage whose total is that of all: caches are beside',
    { usage: { input_tokens: 100, cache_read_input_tokens: 60, output_tokens: 5, total_tokens: 165 } },
    { input_tokens: 100, cache_read_tokens: 60, output_tokens: 5 },
  ],
  [
    'an OpenAI chat completion',
    {
      model: 'gpt-5.5',
      usage: {
        prompt_tokens: 10240,
        completion_tokens: 310,
        total_tokens: 10550,
        prompt_tokens_details: { cached_tokens: 10000, cache_write_tokens: 40, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 300, accepted_prediction_tokens: 0 },
      },
    },
    { input_tokens: 200, cache_read_tokens: 10000, cache_write_tokens: 40, output_tokens: 310 },
    'gpt-5.5',
  ],
  [
    'OpenAI embeddings',
    { object: 'list', model: 'text-embedding-3-small', usage: { prompt_tokens: 8, total_tokens: 8 } },
    { input_tokens: 8, output_tokens: 0 },
    'text-embedding-3-small',
  ],
  [
    "LiteLLM: Anthropic's names of caches beside OpenAI's are within",
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 5,
        cache_read_input_tokens: 60,
        prompt_tokens_details: { cached_tokens: 60 },
      },
    },
    { input_tokens: 40, cache_read_tokens: 60, output_tokens: 5 },
  ],
  [
    'an OpenAI response in an event',
    {
      type: 'response.completed',
      response: {
        model: 'gpt-5.6-sol',
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
          output_tokens: 8,
          output_tokens_details: { reasoning_tokens: 8 },
          total_tokens: 108,
        },
      },
    },
    { input_tokens: 30, cache_read_tokens: 60, cache_write_tokens: 10, output_tokens: 8 },
    'gpt-5.6-sol',
  ],
  [
    'a Converse usage with the total of all',
    {
      modelId: 'us.amazon.nova-pro-v1:0',
      usage: {
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 115,
        cacheReadInputTokens: 70,
        cacheWriteInputTokens: 30,
        cacheDetails: [
          { ttl: '1h', inputTokens: 20 },
          { ttl: '5m', inputTokens: 10 },
        ],
      },
    },
    {
      input_tokens: 10,
      cache_read_tokens: 70,
      cache_write_tokens: 10,
      cache_write_1h_tokens: 20,
      output_tokens: 5,
    },
    'us.amazon.nova-pro-v1:0',
  ],
  [
    'a Converse usage with the total of input and output',
    { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadInputTokens: 70 } },
    { input_tokens: 10, cache_read_tokens: 70, output_tokens: 5 },
  ],
  [
    'a record of the invocation log, whose body repeats the call',
    {
      schemaType: 'ModelInvocationLog',
      schemaVersion: '1.0',
      region: 'us-east-1',
      inferenceRegion: 'us-west-2',
      modelId: 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-6',
      input: { inputTokenCount: 10, cacheReadInputTokenCount: 70, cacheWriteInputTokenCount: 30 },
      output: {
        outputTokenCount: 5,
        outputBodyJson: { usage: { inputTokens: 10, outputTokens: 5, cacheDetails: [{ ttl: '1h', inputTokens: 30 }] } },
      },
    },
    { input_tokens: 10, cache_read_tokens: 70, cache_write_1h_tokens: 30, output_tokens: 5 },
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-6',
  ],
  [
    'a record of the invocation log whose body is a list of events',
    {
      schemaType: 'ModelInvocationLog',
      modelId: 'anthropic.claude-sonnet-4-6',
      input: { inputTokenCount: 10, cacheWriteInputTokenCount: 30 },
      output: {
        outputTokenCount: 5,
        outputBodyJson: [
          {
            type: 'message_start',
            message: {
              usage: {
                input_tokens: 10,
                cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
              },
            },
          },
          { type: 'message_delta', usage: { output_tokens: 5 } },
        ],
      },
    },
    { input_tokens: 10, cache_write_tokens: 10, cache_write_1h_tokens: 20, output_tokens: 5 },
    'anthropic.claude-sonnet-4-6',
  ],
  [
    'a record of the invocation log without a body or an output, of embeddings',
    { schemaType: 'ModelInvocationLog', modelId: 'amazon.titan-embed-text-v2:0', input: { inputTokenCount: 12 } },
    { input_tokens: 12, output_tokens: 0 },
    'amazon.titan-embed-text-v2:0',
  ],
  [
    'GenAI attributes',
    {
      'gen_ai.request.model': sonnet,
      'gen_ai.response.model': 'claude-sonnet-4-6-20260101',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_write.input_tokens': 10,
      'gen_ai.usage.reasoning.output_tokens': 4,
      'gen_ai.usage.output_tokens': 7,
    },
    { input_tokens: 30, cache_read_tokens: 60, cache_write_tokens: 10, output_tokens: 7 },
    'claude-sonnet-4-6-20260101',
  ],
  [
    'GenAI attributes under their earlier names, in text and in attributes',
    {
      attributes: {
        'gen_ai.usage.prompt_tokens': '100',
        'gen_ai.usage.completion_tokens': '7',
        'gen_ai.usage.cache_read_input_tokens': '60',
        'gen_ai.usage.cache_creation_input_tokens': '10',
      },
    },
    { input_tokens: 30, cache_read_tokens: 60, cache_write_tokens: 10, output_tokens: 7 },
  ],
  [
    'GenAI attributes, nested, with one number under two names',
    {
      gen_ai: {
        request: { model: sonnet },
        usage: { input_tokens: 100, prompt_tokens: 100, output_tokens: 7, cache_creation: { input_tokens: 10 } },
      },
    },
    { input_tokens: 90, cache_write_tokens: 10, output_tokens: 7 },
    sonnet,
  ],
  [
    'a Gemini usage with tools and thoughts',
    {
      modelVersion: 'gemini-2.5-pro',
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        toolUsePromptTokenCount: 11,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 20,
        totalTokenCount: 138,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
        cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 60 }],
      },
    },
    { input_tokens: 51, cache_read_tokens: 60, output_tokens: 27 },
    'gemini-2.5-pro',
  ],
  [
    'a Gemini usage of the Live API, in snake_case, without a part',
    { usage_metadata: { prompt_token_count: 100, response_token_count: 7, total_token_count: 107 } },
    { input_tokens: 100, output_tokens: 7 },
  ],
  [
    'a response of Llama, in the names of Gemini but for its output',
    { generation: 'Hi', prompt_token_count: 12, generation_token_count: 5, stop_reason: 'stop' },
    { input_tokens: 12, output_tokens: 5 },
  ],
  [
    'a LangChain message in a message, with its metadata',
    { message: { response_metadata: { model: sonnet }, usage_metadata: { input_tokens: 10, output_tokens: 3 } } },
    { input_tokens: 10, output_tokens: 3 },
    sonnet,
  ],
  [
    'a LangChain usage, whose lifetimes replace cache_creation',
    {
      response_metadata: { model_name: sonnet, model_provider: 'anthropic' },
      usage_metadata: {
        input_tokens: 100,
        output_tokens: 7,
        total_tokens: 107,
        input_token_details: {
          cache_read: 60,
          cache_creation: 0,
          ephemeral_5m_input_tokens: 10,
          ephemeral_1h_input_tokens: 5,
        },
        output_token_details: { reasoning: 3 },
      },
    },
    {
      input_tokens: 25,
      cache_read_tokens: 60,
      cache_write_tokens: 10,
      cache_write_1h_tokens: 5,
      output_tokens: 7,
    },
    sonnet,
  ],
  [
    'a LangChain usage without lifetimes',
    { usage_metadata: { input_tokens: 100, output_tokens: 7, input_token_details: { cache_creation: 10 } } },
    { input_tokens: 90, cache_write_tokens: 10, output_tokens: 7 },
  ],
  [
    'a usage at the top level, beside fields of a web server',
    { msg: 'call', cache_status: 'HIT', cache_age: 100, prompt_tokens: 5, completion_tokens: 6, model: 'gpt-5.5' },
    { input_tokens: 5, output_tokens: 6 },
    'gpt-5.5',
  ],
  [
    'whole numbers as text',
    { usage: { inputTokens: '40', outputTokens: '7' } },
    { input_tokens: 40, output_tokens: 7 },
  ],
  [
    'one call under two names',
    { usage: { input_tokens: 5, output_tokens: 6 }, 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 6 },
    { input_tokens: 5, output_tokens: 6 },
  ],
];

const unread: readonly [title: string, record: object, reason: string][] = [
  ['a negative number', { usage: { input_tokens: -1 } }, 'has a input_tokens that is not a whole number'],
  ['a fraction', { usage: { inputTokens: 1.5, outputTokens: 2 } }, 'has a inputTokens that is not a whole number'],
  ['a fraction as text', { usage: { prompt_tokens: '1.5' } }, 'has a prompt_tokens that is not a whole number'],
  ['too many tokens', { usage: { input_tokens: 10_000_001 } }, 'has a input_tokens that is not a whole number'],
  ['a memory below the least', { usage: { function_memory_mb: 64 } }, 'has a function_memory_mb'],
  [
    'more cached than input tokens',
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 3 },
      },
    },
    'has more cached tokens than input tokens',
  ],
  [
    'more reasoning than output',
    { usage: { prompt_tokens: 10, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 2 } } },
    'has a reasoning_tokens that exceeds its whole',
  ],
  [
    'a total that agrees with neither reading',
    { usage: { input_tokens: 100, cache_read_input_tokens: 60, output_tokens: 5, total_tokens: 120 } },
    'has a total',
  ],
  [
    'a total of OpenAI that is no sum',
    { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 4 } },
    'has a total',
  ],
  ['a total of Converse that is no sum', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 4 } }, 'has a total'],
  ['a total of Gemini that is no sum', { usageMetadata: { promptTokenCount: 1, totalTokenCount: 4 } }, 'has a total'],
  ['a total only', { usage: { total_tokens: 40 } }, 'has the names of no known form'],
  [
    'lifetimes that are not the cache writes',
    {
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        cache_creation_input_tokens: 10,
        cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 },
      },
    },
    'has cache writes that are not the sum of their lifetimes',
  ],
  [
    'a lifetime of Converse that is unknown',
    {
      usage: {
        inputTokens: 1,
        outputTokens: 2,
        cacheWriteInputTokens: 3,
        cacheDetails: [{ ttl: '2h', inputTokens: 3 }],
      },
    },
    'has cache writes with an unknown lifetime',
  ],
  [
    'a count of cached tokens under an unknown name',
    { usage: { inputTokens: 100, outputTokens: 2, cachedInputTokens: 60 } },
    'has an unknown cachedInputTokens',
  ],
  [
    'a count of cached tokens under a name of another form',
    {
      usage: { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 1 } },
      response: { usage: { inputTokens: 4, outputTokens: 1, cacheReadInputTokens: 1, cached_tokens: 1 } },
    },
    'has an unknown cached_tokens',
  ],
  [
    'an iteration of another model',
    { usage: { input_tokens: 1, output_tokens: 2, iterations: [{ type: 'advisor_message', input_tokens: 9 }] } },
    'has an iteration',
  ],
  [
    'iterations with more tokens than a call can have',
    {
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        iterations: Array.from({ length: 3 }, () => ({ type: 'compaction', input_tokens: 9_000_000 })),
      },
    },
    'has iterations that no call can have',
  ],
  [
    'two names of one number that differ',
    { 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.prompt_tokens': 6 },
    'has another number of the same tokens',
  ],
  ['a usage without input', { usage: { completion_tokens: 5 } }, 'has no number of input tokens'],
  [
    'an invocation that failed',
    { schemaType: 'ModelInvocationLog', input: {}, errorCode: 'Throttling' },
    'has no number',
  ],
  [
    'two usages that differ',
    { usage: { input_tokens: 5 }, message: { usage: { input_tokens: 6 } } },
    'is reported twice, with other numbers',
  ],
  ['names of another convention', { 'llm.usage.total_tokens': 40 }, 'has the names of no known form'],
  ['a usage in a list', { usage: [{ input_tokens: 4, output_tokens: 5 }] }, 'is not an object'],
  ['a usage in a text', { usage: '{"input_tokens":4,"output_tokens":5}' }, 'is not an object'],
  ['names of no form', { usage: { promptTokens: 4, completionTokens: 5 } }, 'has the names of no known form'],
];

const absent: readonly object[] = [
  { msg: 'no usage' },
  { usage: null },
  { usage: {} },
  { usage: '85%' },
  { usage: '[--token TOKEN] FILE' },
  { usage: ['a token', 4] },
  { usage: { cpu: 0.8, memory: 1234 } },
  { usage: { function_duration_ms: null } },
  { token: 'abc', access_token: 'def', model: 'gpt-5.5' },
  { 'gen_ai.request.model': 'gpt-5.5', 'gen_ai.operation.name': 'chat' },
  { message: 'text', response: 200 },
];

describe('usage of model calls', () => {
  for (const [title, record, counts, model] of understood) {
    it(`reads ${title}`, () => {
      const read = readModelUsage(record as Record<string, unknown>);
      expect(read).to.have.property('counts').that.deep.equals(counts);
      expect(read && 'models' in read ? read.models[0] : null).to.equal(model);
    });
  }

  for (const [title, record, reason] of unread) {
    it(`does not understand ${title}`, () => {
      expect(readModelUsage(record as Record<string, unknown>))
        .to.have.property('unread')
        .that.includes(reason);
    });
  }

  it('finds no usage in other records', () => {
    for (const record of absent)
      expect(readModelUsage(record as Record<string, unknown>), JSON.stringify(record)).to.equal(undefined);
  });

  it('takes the model from the nearest place, and keeps the other names', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 6 };
    const read = readModelUsage({
      usage: { ...usage, model: 'a' },
      modelId: 'b',
      response: { model: 'c' },
      response_metadata: { model_id: 'd' },
      gen_ai: { response: { model: 'e' }, request: { model: 'f' } },
      model_name: 'g',
    });
    expect(read).to.have.property('models').that.deep.equals(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});
