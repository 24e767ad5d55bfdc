import { expect } from 'chai';
import { readGenaiPrices } from '../../../../shared/cost/price-sources/genai-prices.ts';
import { readLitellm } from '../../../../shared/cost/price-sources/litellm.ts';
import { readModelsDev } from '../../../../shared/cost/price-sources/models-dev.ts';
import { readPortkey } from '../../../../shared/cost/price-sources/portkey.ts';
import { othersOf, pointsOf, readText, shortPoints } from './read-text.ts';

describe('a second source', () => {
  it('the format of LiteLLM has USD per token with exponents, and Regions or profiles in its keys', async () => {
    const text = `{
      "sample_spec": {"input_cost_per_token": 0.0},
      "gpt-5": {"litellm_provider": "openai", "input_cost_per_token": 1.25e-06},
      "bedrock/eu-west-1/amazon.nova-micro-v1:0": {"litellm_provider": "bedrock", "mode": "chat",
        "input_cost_per_token": 4.6e-08, "output_cost_per_token": 1.84E-7, "output_cost_per_token_flex": 9e-08},
      "eu.anthropic.claude-sonnet-4-5-20250929-v1:0": {"litellm_provider": "bedrock_converse", "mode": "chat",
        "input_cost_per_token": 3.3e-06, "cache_creation_input_token_cost": 4.125e-06,
        "cache_creation_input_token_cost_above_1hr": 6.6e-06, "cache_read_input_token_cost": 3.3e-07,
        "input_cost_per_token_batches": 1.65e-06, "input_cost_per_token_above_200k_tokens": 6.6e-06},
      "bedrock/us-east-1/1-month-commitment/anthropic.claude-v1": {"litellm_provider": "bedrock", "input_cost_per_second": 0.011},
      "amazon.nova-canvas-v1:0": {"litellm_provider": "bedrock", "mode": "image_generation", "output_cost_per_image": 0.06}
    }`;
    const entries = await readText(readLitellm, text);
    expect(shortPoints(entries)).to.deep.equal([
      'eu-west-1 amazon.nova-micro-v1:0 input: 0.000046',
      'eu-west-1 amazon.nova-micro-v1:0 output: 0.000184',
      'geo anthropic.claude-sonnet-4-5-20250929-v1:0 input: 0.0033',
      'geo anthropic.claude-sonnet-4-5-20250929-v1:0 cache_write_5m: 0.004125',
      'geo anthropic.claude-sonnet-4-5-20250929-v1:0 cache_write_1h: 0.0066',
      'geo anthropic.claude-sonnet-4-5-20250929-v1:0 cache_read: 0.00033',
      'geo anthropic.claude-sonnet-4-5-20250929-v1:0 batch_input: 0.00165',
    ]);
    expect(pointsOf(entries)[2]).to.deep.include({
      regionPrefix: 'eu-',
      where: 'file.json: $.eu.anthropic.claude-sonnet-4-5-20250929-v1:0.input_cost_per_token',
    });
    expect(othersOf(entries)).to.have.length(6);
  });

  it('the format of models.dev has USD per million and the date of its last update', async () => {
    const model = {
      id: 'x',
      name: 'Claude Haiku 4.5',
      last_updated: '2026-08-02',
      cost: { input: 1.1, output: 5.5, cache_read: 0.11, reasoning: 5.5 },
    };
    const models = { 'eu.anthropic.claude-haiku-4-5-20251001-v1:0': model };
    for (const file of [{ 'amazon-bedrock': { models } }, { providers: { 'amazon-bedrock': { models } } }]) {
      const entries = await readText(readModelsDev, JSON.stringify({ openai: { models: { o1: model } }, ...file }));
      expect(shortPoints(entries)).to.deep.equal([
        'geo anthropic.claude-haiku-4-5-20251001-v1:0 input: 0.0011',
        'geo anthropic.claude-haiku-4-5-20251001-v1:0 output: 0.0055',
        'geo anthropic.claude-haiku-4-5-20251001-v1:0 cache_read: 0.00011',
      ]);
      expect(pointsOf(entries)[0]?.evidenceDate).to.equal('2026-08-02');
    }
  });

  it('the format of Portkey has US cents per token, by Region and by mode', async () => {
    const rates = (input: number, output: number) => ({
      request_token: { price: input },
      response_token: { price: output },
    });
    const regions = {
      'eu-west-1, eu-west-3': {
        execution_modes: {
          standard: rates(0.0000046, 0.0000184),
          batch: rates(0.0000023, 0.0000092),
          flex: rates(1, 1),
        },
      },
    };
    const file = {
      default: { pricing_config: { pay_as_you_go: rates(0, 0), currency: 'USD' } },
      'amazon.nova-micro-v1:0': {
        pricing_config: {
          pay_as_you_go: { ...rates(0.0000035, 0.000014), cache_read_input_token: { price: 8.75e-7 } },
        },
        custom_pricing: { regions },
      },
      'claude-instant': { pricing_config: { pay_as_you_go: rates(0.00008, 0.00024) } },
    };
    const entries = await readText(readPortkey, JSON.stringify(file));
    expect(shortPoints(entries)).to.deep.equal([
      'any amazon.nova-micro-v1:0 input: 0.000035',
      'any amazon.nova-micro-v1:0 output: 0.00014',
      'any amazon.nova-micro-v1:0 cache_read: 0.00000875',
      'eu-west-1 amazon.nova-micro-v1:0 input: 0.000046',
      'eu-west-1 amazon.nova-micro-v1:0 output: 0.000184',
      'eu-west-1 amazon.nova-micro-v1:0 batch_input: 0.000023',
      'eu-west-1 amazon.nova-micro-v1:0 batch_output: 0.000092',
      'eu-west-3 amazon.nova-micro-v1:0 input: 0.000046',
      'eu-west-3 amazon.nova-micro-v1:0 output: 0.000184',
      'eu-west-3 amazon.nova-micro-v1:0 batch_input: 0.000023',
      'eu-west-3 amazon.nova-micro-v1:0 batch_output: 0.000092',
    ]);
    expect(othersOf(entries).filter((text) => text.startsWith('unmapped'))).to.deep.equal([
      'unmapped: model "claude-instant"',
      'unmapped: model "claude-instant"',
    ]);
  });

  it('the format of genai-prices has the price of today, base prices of tiers, and later prices with their day', async () => {
    const models = [
      { id: 'global.anthropic.claude-sonnet-4-6-v1:0', prices: { input_mtok: 3, cache_write_mtok: 3.75 } },
      {
        id: 'regional.openai.gpt-9-sol',
        name: 'GPT-9 Sol',
        prices: [
          { prices: { input_mtok: 5.5 } },
          {
            constraint: { type: 'start_date', start_date: '2026-08-21' },
            prices: { input_mtok: { base: 4.4, tiers: [{ start: 271999, price: 8.8 }] } },
          },
          { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 9 } },
        ],
      },
      { id: 'amazon.nova-sonic-v1:0', prices: { input_mtok: 0.06, input_audio_mtok: 3.4 } },
    ];
    const entries = await readText(
      readGenaiPrices,
      JSON.stringify([
        { id: 'openai', models },
        { id: 'aws', models },
      ]),
    );
    expect(shortPoints(entries)).to.deep.equal([
      'global anthropic.claude-sonnet-4-6 input: 0.003',
      'global anthropic.claude-sonnet-4-6 cache_write_5m: 0.00375',
      'geo openai.gpt-9-sol input: 0.0044',
      'geo openai.gpt-9-sol input: 0.009',
    ]);
    expect(pointsOf(entries).map(({ effectiveDate }) => effectiveDate)).to.deep.equal([
      null,
      null,
      '2026-08-21',
      '2027-01-01',
    ]);
    expect(pointsOf(entries)[2]?.newModel).to.deep.equal({ name: 'GPT-9 Sol' });
  });
});
