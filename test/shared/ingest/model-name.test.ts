import { expect } from 'chai';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import { unknownModel } from '../../../shared/cost/unknown-name.ts';
import { createModelFinder, keptName } from '../../../shared/ingest/model-name.ts';
import cases from './model-names.json' with { type: 'json' };

const book = loadPriceBook();
const find = createModelFinder(book);
const shown = (name: string) => {
  const { model, profile } = find([name]) ?? {};
  return model === undefined ? 'unknown' : [model, profile].filter(Boolean).join(' ');
};

const sonnet = 'anthropic.claude-sonnet-4-6';

describe('names of models', () => {
  for (const [kind, meanings] of Object.entries(cases.meanings)) {
    it(`resolves ${kind} to a model of the price book and a profile`, () => {
      for (const [name, meaning] of Object.entries(meanings)) expect(shown(name), name).to.equal(meaning);
    });
  }

  it('resolves no name that means no model, or more than one', () => {
    for (const name of cases.unknown) expect(shown(name), name).to.equal('unknown');
  });

  it('resolves every id of the price book, with and without its vendor', () => {
    for (const id of book.modelIds) {
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
    const findLater = createModelFinder({ modelIds: known });
    expect(findLater(['model-two'])).to.equal(undefined);
    known.add('vendor.model-two-v1:0');
    expect(findLater(['model-two'])).to.deep.equal({ model: 'vendor.model-two-v1:0' });
  });

  it('keeps 128 characters of an unknown name, and names up to three nearest ids', () => {
    expect(keptName(` ${'x'.repeat(200)}`)).to.equal('x'.repeat(128));
    expect(keptName(`${'x'.repeat(127)}😀`)).to.equal(`${'x'.repeat(127)}\ufffd`);
    expect(keptName('\ud800')).to.equal('\ufffd');
    expect(unknownModel('claude-3-5-sonet', book)).to.match(/did you mean .*claude-3-5-sonnet.*, .* or .*\?/);
  });
});
