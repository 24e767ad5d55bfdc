import { expect } from 'chai';
import { readAwsOffer } from '../../../../shared/cost/refresh/aws-offer.ts';
import { durationProduct, offerFile, queueProduct, tokenProduct } from './offer-files.ts';
import { othersOf, readText, shortPoints } from './read-text.ts';

describe('an offer file of the vendor', () => {
  it('has queue prices of both types in any order of tiers, and counts what is left out', async () => {
    const free = { price: '0.0000000000', end: '1000000' };
    const fifo = queueProduct('eu-west-1', 'FIFO (first-in, first-out)', [{ price: '0.0000005000', end: '100' }, free]);
    const products = [
      queueProduct('eu-west-1'),
      fifo,
      queueProduct('eu-west-1', 'Fair'),
      queueProduct('cn-north-1', 'Standard', [{ price: '0.0000025', currency: 'CNY' }]),
      {
        ...queueProduct('', 'Standard', [free]),
        attributes: { location: 'Any', group: 'SQS-APIRequest-Tier1', queueType: 'Standard' },
      },
      { ...queueProduct('eu-west-1'), family: 'Data Transfer' },
    ];
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AWSQueueService', products }));
    expect(shortPoints(reading.points)).to.deep.equal([
      'eu-west-1 standard request 200000000000-: 0.24',
      'eu-west-1 standard request 0-100000000000: 0.4',
      'eu-west-1 standard request 100000000000-200000000000: 0.3',
      'eu-west-1 fifo request 0-100: 0.5',
      'eu-west-1 fifo request 0-1000000: 0',
    ]);
    expect(othersOf(reading)).to.have.members([
      'left-out: 1 × surcharge of fair queues',
      'left-out: 1 × free tier (location "Any")',
      'left-out: 1 × not a request price',
      'left-out: 1 × price in CNY',
    ]);
    expect(reading.points[0]).to.deep.include({
      effectiveDate: '2026-10-01',
      evidenceDate: '2026-11-01',
      where: 'file.json: $.terms.OnDemand.SKU0.SKU0.JRTCKXETXF.priceDimensions.SKU0.JRTCKXETXF.R0',
    });
  });

  it('has function prices of both architectures, named in the group or in archSupport', async () => {
    const prices = ['0.0000166667', '0.0000150000', '0.0000133334'];
    const products = [
      durationProduct('eu-west-1', { group: 'AWS-Lambda-Duration' }, prices),
      durationProduct('eu-west-2', { group: 'AWS-Lambda-Duration-ARM' }, prices),
      durationProduct('eu-west-3', { group: 'AWS-Lambda-Duration', archSupport: 'arm' }, prices),
      {
        ...durationProduct('eu-west-1', { group: 'AWS-Lambda-Requests' }, []),
        unit: 'Requests',
        rates: [{ price: '0.0000002000' }],
      },
      durationProduct('eu-west-1', { group: 'AWS-Lambda-Duration-Provisioned' }, prices),
      durationProduct('eu-west-1', { group: 'AWS-Lambda-Edge-Duration' }, prices),
    ];
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AWSLambda', products }));
    expect(shortPoints(reading.points)).to.deep.equal([
      'eu-west-1 x86_64 gb_second 15000000000-: 0.0000133334',
      'eu-west-1 x86_64 gb_second 0-6000000000: 0.0000166667',
      'eu-west-1 x86_64 gb_second 6000000000-15000000000: 0.000015',
      'eu-west-2 arm64 gb_second 18750000000-: 0.0000133334',
      'eu-west-2 arm64 gb_second 0-7500000000: 0.0000166667',
      'eu-west-2 arm64 gb_second 7500000000-18750000000: 0.000015',
      'eu-west-3 arm64 gb_second 18750000000-: 0.0000133334',
      'eu-west-3 arm64 gb_second 0-7500000000: 0.0000166667',
      'eu-west-3 arm64 gb_second 7500000000-18750000000: 0.000015',
      'eu-west-1 requests request: 0.2',
    ]);
    expect(othersOf(reading)).to.deep.equal(['left-out: 2 × not a request or duration price']);
  });

  it('has inference prices per 1K and per 1M tokens, standard, batch and cached', async () => {
    const nova = { model: 'Nova Micro', usagetype: 'EUW1-NovaMicro-input-tokens' };
    const claude = { servicename: 'Claude Sonnet 4.6 (Amazon Bedrock Edition)' };
    const units = (usagetype: string, price: string) => ({
      ...tokenProduct({ ...claude, usagetype }, 'Units', price),
      description: 'AWS Marketplace software usage|eu-west-1|Million Tokens',
    });
    const products = [
      tokenProduct({ ...nova, inferenceType: 'Input tokens' }, '1K tokens', '0.0000460000'),
      tokenProduct(
        { ...nova, inferenceType: 'Output tokens', usagetype: 'EUW1-NovaMicro-output-tokens' },
        '1M tokens',
        '0.1840000000',
      ),
      tokenProduct(
        { ...nova, inferenceType: 'Input tokens batch', usagetype: 'EUW1-NovaMicro-input-tokens-batch' },
        '1K tokens',
        '0.000023',
      ),
      units('EUW1-MP:EUW1_InputTokenCount-Units', '3.3000000000'),
      units('EUW1-MP:EUW1_CacheReadInputTokenCount-Units', '0.33'),
      units('EUW1-MP:EUW1_CacheWriteInputTokenCount-Units', '4.125'),
      units('EUW1-MP:EUW1_CacheWrite1hInputTokenCount-Units', '6.6'),
      units('EUW1-MP:EUW1_output_tokens_standard-Units', '16.5'),
      units('EUW1-MP:EUW1_InputTokenCount_Global-Units', '3'),
    ];
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AmazonBedrockFoundationModels', products }));
    expect(shortPoints(reading.points)).to.deep.equal([
      'eu-west-1 amazon.nova-micro-v1:0 input: 0.000046',
      'eu-west-1 amazon.nova-micro-v1:0 output: 0.000184',
      'eu-west-1 amazon.nova-micro-v1:0 batch_input: 0.000023',
      'eu-west-1 anthropic.claude-sonnet-4-6 input: 0.0033',
      'eu-west-1 anthropic.claude-sonnet-4-6 cache_read: 0.00033',
      'eu-west-1 anthropic.claude-sonnet-4-6 cache_write_5m: 0.004125',
      'eu-west-1 anthropic.claude-sonnet-4-6 cache_write_1h: 0.0066',
      'eu-west-1 anthropic.claude-sonnet-4-6 output: 0.0165',
      'global anthropic.claude-sonnet-4-6 input: 0.003',
    ]);
  });

  it('names the terms of use in many ways, of which none is taken for the standard price', async () => {
    const nova = { model: 'Nova 2.0 Lite', provider: 'Amazon', feature: 'On-demand Inference' };
    const input = { ...nova, inferenceType: 'Input tokens' };
    const claude = { servicename: 'Claude Opus 4.8 (Amazon Bedrock Edition)' };
    const usage = 'USE1-Nova2.0Lite';
    const forms = [
      { ...input, usagetype: `${usage}-input-tokens` },
      { ...input, usagetype: `${usage}-text-input-tokens-priority-cross-region-global` },
      { ...input, usagetype: `${usage}-input-tokens-cross-region-global-batch` },
      { ...input, usagetype: `${usage}-output-tokens`, inferenceType: 'Output tokens', feature: 'Batch Inference' },
      { ...input, usagetype: `${usage}-input-tokens`, feature: 'BatchInference' },
      { ...input, usagetype: `${usage}-input-tokens`, service_tier: 'flex' },
      { ...input, usagetype: `${usage}-input-tokens-custom-model`, feature: 'Model Customization' },
      { ...nova, usagetype: `${usage}-cache-read-input-token-count`, inferenceType: 'Prompt cache read input tokens' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_input_tokens_global_standard-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_input_tokens_long_ctx_global_standard-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_output_tokens_global_batch-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_cache_write_tokens_1h_standard-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_cache_write_tokens_30m_standard-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_cache_read_tokens_global_standard-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_MillionBatchInputTokens-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_OutputTokenCount_Global_Batch-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_InputTokenCount_LCtx-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_Reserved_1Month_TPM_Input-Units' },
      { ...claude, usagetype: 'EUW1-MP:EUW1_search_units-Units' },
      { model: 'R1', provider: 'DeepSeek', usagetype: 'EUW1-R1-input-tokens', inferenceType: 'Input tokens' },
    ];
    const products = forms.map((attributes) => tokenProduct(attributes, '1M tokens', '1'));
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AmazonBedrock', products }));
    const [model, opus] = ['amazon.nova-2-lite-v1:0', 'anthropic.claude-opus-4-8'];
    expect(shortPoints(reading.points)).to.deep.equal([
      `eu-west-1 ${model} input: 0.001`,
      `global ${model} batch_input: 0.001`,
      `eu-west-1 ${model} batch_output: 0.001`,
      `eu-west-1 ${model} batch_input: 0.001`,
      `eu-west-1 ${model} cache_read: 0.001`,
      `global ${opus} input: 0.001`,
      `global ${opus} batch_output: 0.001`,
      `eu-west-1 ${opus} cache_write_1h: 0.001`,
      `global ${opus} cache_read: 0.001`,
      `eu-west-1 ${opus} batch_input: 0.001`,
      `global ${opus} batch_output: 0.001`,
      'eu-west-1 deepseek.r1-v1:0 input: 0.001',
    ]);
    expect(othersOf(reading)).to.deep.equal([
      'left-out: 1 × price of another kind (priority)',
      'left-out: 1 × price of another kind (flex)',
      'left-out: 1 × price of another kind (custom)',
      'left-out: 1 × price of another kind (long ctx)',
      'left-out: 1 × price of another kind (30m)',
      'left-out: 1 × price of another kind (lctx)',
      'left-out: 2 × not a price of tokens',
    ]);
  });

  it('lists inference prices that it cannot map, and leaves out other terms of use', async () => {
    const products = [
      tokenProduct({ model: 'Nova Lite', inferenceType: 'Input tokens' }, '1K tokens', '0.00006'),
      tokenProduct({ model: 'Nova 9 Ultra', inferenceType: 'Input tokens' }, '1K tokens', '0.00006'),
      tokenProduct({ model: 'Nova Lite', inferenceType: 'Input tokens' }, 'Units', '0.00006'),
      tokenProduct({ model: 'Nova Lite', inferenceType: 'Tokens' }, '1K tokens', '0.00006'),
      tokenProduct({ model: 'Nova Lite', inferenceType: 'Input tokens flex' }, '1K tokens', '0.00003'),
      tokenProduct({ model: 'Nova Lite', inferenceType: 'Input image tokens' }, '1K tokens', '0.00003'),
      tokenProduct(
        { model: 'Nova Lite', inferenceType: 'Input tokens', regionCode: 'eu-south-9' },
        '1K tokens',
        '0.00006',
      ),
    ];
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AmazonBedrock', products }));
    expect(shortPoints(reading.points)).to.deep.equal(['eu-west-1 amazon.nova-lite-v1:0 input: 0.00006']);
    expect(othersOf(reading)).to.have.members([
      'unmapped: model "Nova 9 Ultra"',
      'unmapped: unit "Units" of amazon.nova-lite-v1:0',
      'unmapped: kind of amazon.nova-lite-v1:0: "Tokens"',
      'left-out: 1 × price of another kind (flex)',
      'left-out: 1 × price of another kind (image)',
      'unmapped: Region eu-south-9',
    ]);
  });
});
