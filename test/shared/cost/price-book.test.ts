import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createPriceBook, loadPriceBook, readBookOfCode } from '../../../shared/cost/price-book.ts';
import type { PriceBookFile } from '../../../shared/cost/price-book-file.ts';
import { defaultAssumptions } from '../../../shared/scenarios/assumptions.ts';

describe('the price book', () => {
  it('is valid, and has a version, a date, Regions and models', () => {
    const book = loadPriceBook();
    expect(createPriceBook(readBookOfCode()).version).to.equal(book.version);
    expect(book.version).to.match(new RegExp(`^${book.asOf}-[0-9a-f]{12}$`));
    expect(book.currency).to.equal('USD');
    expect(book.region('us-gov-west-1')).to.deep.include({ partition: 'aws-us-gov' });
    expect(book.hasRegion('us-east-1')).to.equal(true);
    expect(book.hasRegion('constructor')).to.equal(false);
    expect(book.hasModel(defaultAssumptions.inference.model)).to.equal(true);
    expect(book.hasModel('no-such-model')).to.equal(false);
  });

  it('has the limits of GPT-5.6, whose calls above 272,000 input tokens have long prices', () => {
    const gpt = loadPriceBook().model('openai.gpt-5.6-sol');
    expect([gpt?.context_window, gpt?.long_context_above]).to.deep.equal([1_050_000, 272_000]);
    expect(Object.keys(gpt?.prices ?? {})).to.deep.equal(['geo', 'global']);
  });

  it('has sources of all that is entered by hand', () => {
    for (const model of readBookOfCode().inference.models) {
      const { cache_min_tokens: least, cache_seconds: seconds, context_window: window } = model;
      expect(model.cache_min_sources === undefined, model.id).to.equal((least ?? seconds) === undefined);
      expect([model.limits_sources, model.limits_as_of].includes(undefined)).to.equal(window === undefined);
    }
  });

  it('has function prices in all Regions', () => {
    const { regions, tiers } = loadPriceBook();
    for (const { code: scope } of regions) {
      for (const item of ['x86_64', 'arm64']) {
        expect(tiers({ service: 'function', scope, item, kind: 'gb_second' }), scope).to.have.length(3);
      }
    }
  });

  it('has three queue tiers of both types in us-east-1, and only sourced ones elsewhere', () => {
    const limits = (scope: string, item: string) =>
      loadPriceBook()
        .tiers({ service: 'queue', scope, item, kind: 'request' })
        .map(({ to }) => to);
    expect(limits('us-east-1', 'fifo')).to.deep.equal([100_000_000_000n, 200_000_000_000n, null]);
    expect(limits('ap-northeast-1', 'standard')).to.deep.equal([]);
    expect(limits('ap-northeast-1', 'fifo')).to.have.length(1);
  });

  const gpt = ({ inference }: PriceBookFile) => inference.models.find(({ id }) => id === 'openai.gpt-5.6-sol')!;
  const refused: readonly [what: string, change: (file: PriceBookFile) => unknown, message: string][] = [
    [
      'a number as price',
      (file) => Object.assign(file.queue.regions['us-east-1']!.standard!.tiers[0]!, { price_per_million: 0.4 }),
      '"queue.regions.us-east-1.standard" must be a decimal string',
    ],
    [
      'a decimal comma',
      (file) => Object.assign(file.inference.models[3]!.prices['geo']!, { input_per_1k: '0,0055' }),
      '"inference.models.3.prices.geo.input_per_1k" must be a decimal string',
    ],
    [
      'an exponent',
      (file) => file.function.regions['eu-west-1']!.arm64_prices_per_gb_second.splice(2, 1, '1e-5'),
      '"function.regions.eu-west-1.arm64_prices_per_gb_second" must be a decimal string',
    ],
    [
      'an unknown Region',
      (file) => Object.assign(file.queue.regions, { 'us-eats-1': file.queue.regions['us-east-1'] }),
      'us-eats-1',
    ],
    [
      'an unknown source',
      (file) => Object.assign(file.inference.models[0]!, { sources: ['hearsay'] }),
      '"inference.models.0.sources.0"',
    ],
    ['an unknown field', (file) => Object.assign(file.function, { price: '1' }), '"function.price" is not allowed'],
    [
      'queue tiers that descend',
      (file) => file.queue.regions['us-east-1']!.standard!.tiers.reverse(),
      'queue tiers must ascend',
    ],
    [
      'queue tiers that are wrongly marked as complete',
      (file) => Object.assign(file.queue.regions['eu-west-1']!.standard!, { tiers_complete: true }),
      'queue tiers must ascend',
    ],
    [
      'a limit beyond the context window',
      (file) => Object.assign(file.inference.models[0]!, { long_context_above: 1_000_000 }),
      '"inference.models.0.long_context_above" must be less than context_window',
    ],
    [
      'long prices without a limit',
      (file) => delete gpt(file).long_context_above,
      'prices.geo.long_input_per_1k" needs long_context_above',
    ],
    [
      'a long price of input alone',
      (file) => delete gpt(file).prices['geo']?.long_output_per_1k,
      'prices.geo" needs long prices of input and output',
    ],
  ];
  for (const [what, change, message] of refused)
    it(`refuses ${what}, and names its place`, () => {
      const url = new URL('../../../shared/cost/price-book.json', import.meta.url);
      const file: PriceBookFile = JSON.parse(readFileSync(url, 'utf8'));
      change(file);
      expect(() => createPriceBook(file)).to.throw(Error, message);
    });
});
