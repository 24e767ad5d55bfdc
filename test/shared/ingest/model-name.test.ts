import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { PriceBookFile } from '../../../shared/cost/price-book-file.ts';
import { unknownModel } from '../../../shared/cost/unknown-name.ts';
import { createModelFinder, keptName } from '../../../shared/ingest/model-name.ts';

const file = JSON.parse(
  readFileSync(new URL('../../../shared/cost/price-book.json', import.meta.url), 'utf8'),
) as PriceBookFile;
const ids = new Set(file.inference.models.map(({ id }) => id));
const names = { hasModel: (id: string) => ids.has(id), modelIds: ids };
const find = createModelFinder(names);
const shown = (name: string) => {
  const { model, profile } = find([name]) ?? {};
  return model === undefined ? 'unknown' : [model, profile].filter(Boolean).join(' ');
};

const sonnet = 'anthropic.claude-sonnet-4-6';
const haiku = 'anthropic.claude-haiku-4-5-20251001-v1:0';
const account = '123456789012';

const meanings: Readonly<Record<string, string>> = {
  // Ids, in any case, with blanks, and with or without their ends.
  [sonnet]: sonnet,
  ' Anthropic.Claude-Sonnet-4-6 ': sonnet,
  [`${sonnet}-v1`]: sonnet,
  [`${sonnet}-v1:0`]: sonnet,
  [`${sonnet}-20260217-v1:0`]: sonnet,
  'anthropic.claude-haiku-4-5': haiku,
  'anthropic.claude-haiku-4-5-20251001': haiku,
  'anthropic.claude-haiku-4-5-v1:0': haiku,
  'amazon.nova-lite': 'amazon.nova-lite-v1:0',
  'amazon.nova-lite-v1': 'amazon.nova-lite-v1:0',
  'openai.gpt-oss-20b': 'openai.gpt-oss-20b-1:0',
  'openai.gpt-oss-20b-1': 'openai.gpt-oss-20b-1:0',
  'openai.gpt-oss-20b-1:0': 'openai.gpt-oss-20b-1:0',
  'nvidia.nemotron-super-3-120b': 'nvidia.nemotron-super-3-120b:0',
  'cohere.embed-v4': 'cohere.embed-v4:0',
  'deepseek.r1': 'deepseek.r1-v1:0',
  'deepseek.v3-v1:0': 'deepseek.v3-v1:0',
  'meta.llama3.1-8b-instruct-v1:0': 'meta.llama3-1-8b-instruct-v1:0',
  'anthropic.claude-3-5-sonnet-v2:0': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'anthropic.claude-3-5-sonnet-20240620': 'anthropic.claude-3-5-sonnet-20240620-v1:0',
  // Profiles of geographies.
  [`us.${sonnet}`]: `${sonnet} geo`,
  [`US.${sonnet}-V1:0`]: `${sonnet} geo`,
  [`eu.${sonnet}`]: `${sonnet} geo`,
  [`apac.${sonnet}`]: `${sonnet} geo`,
  [`jp.${sonnet}`]: `${sonnet} geo`,
  [`au.${sonnet}`]: `${sonnet} geo`,
  [`ca.${sonnet}`]: `${sonnet} geo`,
  [`sa.${sonnet}`]: `${sonnet} geo`,
  'us.deepseek.r1-v1:0': 'deepseek.r1-v1:0 geo',
  'us.openai.gpt-5.6-sol': 'openai.gpt-5.6-sol geo',
  [`global.${sonnet}`]: `${sonnet} global`,
  [`us-gov.${sonnet}`]: `${sonnet} aws-us-gov`,
  // Routes of libraries.
  [`bedrock/${sonnet}`]: sonnet,
  [`bedrock/us-east-1/${sonnet}`]: sonnet,
  [`bedrock/us-gov-west-1/${sonnet}`]: `${sonnet} aws-us-gov`,
  [`bedrock/converse/us.${sonnet}`]: `${sonnet} geo`,
  [`bedrock/invoke/${sonnet}-v1:0`]: sonnet,
  [`bedrock_converse/eu.${sonnet}`]: `${sonnet} geo`,
  [`bedrock:us.${sonnet}`]: `${sonnet} geo`,
  [`converse/global.${sonnet}`]: `${sonnet} global`,
  [`invoke/${sonnet}`]: sonnet,
  [`amazon-bedrock/${sonnet}`]: sonnet,
  [`bedrock/arn:aws:bedrock:us-east-1:${account}:inference-profile/us.${sonnet}`]: `${sonnet} geo`,
  // ARNs.
  [`arn:aws:bedrock:us-east-1::foundation-model/${sonnet}`]: `${sonnet} regional`,
  [`arn:aws:bedrock:::foundation-model/${sonnet}`]: `${sonnet} global`,
  [`arn:aws:bedrock:eu-west-1:${account}:inference-profile/eu.${sonnet}`]: `${sonnet} geo`,
  [`arn:aws:bedrock:eu-west-1:${account}:inference-profile/global.${sonnet}`]: `${sonnet} global`,
  [`arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/${sonnet}`]: `${sonnet} aws-us-gov`,
  [`arn:aws-us-gov:bedrock:us-gov-west-1:${account}:inference-profile/us-gov.${sonnet}`]: `${sonnet} aws-us-gov`,
  // The vendors' own names.
  'claude-haiku-4-5': haiku,
  'claude-haiku-4-5-20251001': haiku,
  'claude-haiku-4-5@20251001': haiku,
  'claude-sonnet-4.6': sonnet,
  'claude-3-7-sonnet-latest': 'anthropic.claude-3-7-sonnet-20250219-v1:0',
  'claude-opus-4': 'anthropic.claude-opus-4-20250514-v1:0',
  'claude-opus-5': 'anthropic.claude-opus-5',
  'claude-opus-5-5': 'anthropic.claude-opus-5-5',
  'claude-fable-5': 'anthropic.claude-fable-5-v1:0',
  'claude-fable-5-1': 'anthropic.claude-fable-5-1-v1:0',
  'gpt-5.4-2026-03-05': 'openai.gpt-5.4',
  'gpt-oss-120b': 'openai.gpt-oss-120b-1:0',
  'nova-2-lite': 'amazon.nova-2-lite-v1:0',
};

const unknown: readonly string[] = [
  '',
  'gpt-4o',
  'r1',
  'claude',
  'claude-3-5-sonnet',
  'claude-opus-4-5-20251102',
  'amazon.titan-embed-text',
  'amazon.nova-lite-v2:0',
  'amazon.nova-pro-v1:0:300k',
  `${sonnet}-v2:0`,
  `us-east-1.${sonnet}`,
  `a.b.${sonnet}`,
  `anthropic/claude-sonnet-4-6`,
  `bedrock/us-east-1/1-month-commitment/${sonnet}`,
  `arn:aws:bedrock:us-east-1:${account}:application-inference-profile/${sonnet}`,
  `arn:aws:bedrock:us-east-1:${account}:provisioned-model/${sonnet}`,
  `arn:aws:bedrock:us-east-1:${account}:inference-profile/${sonnet}`,
  `arn:aws:bedrock:us-east-1:${account}:custom-model/${sonnet}.8b/abcdef`,
  `arn:aws:sagemaker:us-east-1:${account}:foundation-model/${sonnet}`,
  'gemini-2.5-pro',
  'constructor',
];

describe('names of models', () => {
  it('resolves names to a model of the price book and a profile', () => {
    for (const [name, meaning] of Object.entries(meanings)) expect(shown(name), name).to.equal(meaning);
  });

  it('resolves no name that means no model, or more than one', () => {
    for (const name of unknown) expect(shown(name), name).to.equal('unknown');
  });

  it('resolves every id of the price book, with and without its vendor', () => {
    for (const id of ids) {
      expect(shown(id)).to.equal(id);
      expect(shown(`us.${id}`)).to.equal(`${id} geo`);
      expect(shown(id.slice(id.indexOf('.') + 1)), id).to.be.oneOf([id, 'unknown']);
    }
  });

  it('takes the profile of another name of the same model', () => {
    expect(find(['claude-sonnet-4-6', 'gpt-5.5', `us.${sonnet}`])).to.deep.equal({ model: sonnet, profile: 'geo' });
    expect(find([`global.${sonnet}`, `us.${sonnet}`])).to.deep.equal({ model: sonnet, profile: 'global' });
    expect(find(['claude-sonnet-4-6', 'us.amazon.nova-lite-v1:0'])).to.deep.equal({ model: sonnet });
    expect(find(['gpt-4o', `us.${sonnet}`])).to.equal(undefined);
    expect(find([])).to.equal(undefined);
  });

  it('finds models that the price book has later', () => {
    const known = new Set(['vendor.model-one-v1:0']);
    const findLater = createModelFinder({ hasModel: (id) => known.has(id), modelIds: known });
    expect(findLater(['model-two'])).to.equal(undefined);
    known.add('vendor.model-two-v1:0');
    expect(findLater(['model-two'])).to.deep.equal({ model: 'vendor.model-two-v1:0' });
  });

  it('keeps 128 characters of an unknown name, and names up to three nearest ids', () => {
    expect(keptName(` ${'x'.repeat(200)}`)).to.equal('x'.repeat(128));
    expect(keptName(`${'x'.repeat(127)}😀`)).to.equal(`${'x'.repeat(127)}\ufffd`);
    expect(keptName('\ud800')).to.equal('\ufffd');
    expect(unknownModel('claude-3-5-sonet', names)).to.match(/did you mean .*claude-3-5-sonnet.*, .* or .*\?/);
  });
});
