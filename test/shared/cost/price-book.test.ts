import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { unitPrice } from '../../../shared/cost/money.ts';
import { createPriceBook, loadPriceBook, readBookOfCode } from '../../../shared/cost/price-book.ts';
import type { PriceBookFile } from '../../../shared/cost/price-book-file.ts';
import { defaultAssumptions } from '../../../shared/scenarios/assumptions.ts';

describe('the price book', () => {
  it('has a version, a date, Regions and models', () => {
    const book = loadPriceBook();
    expect(book.version).to.match(/^2026-10-01-[0-9a-f]{12}$/);
    expect([book.asOf, book.currency]).to.deep.equal(['2026-10-01', 'USD']);
    expect(book.regions).to.have.length(36);
    expect(book.region('us-gov-west-1')).to.deep.include({ partition: 'aws-us-gov' });
    expect(book.models).to.have.length(77);
    expect(book.hasRegion('us-east-1')).to.equal(true);
    expect(book.hasRegion('constructor')).to.equal(false);
    expect(book.hasModel(defaultAssumptions.inference.model)).to.equal(true);
    expect(book.hasModel('no-such-model')).to.equal(false);
  });

  it('has the context window of every model whose source names it', () => {
    const { models } = loadPriceBook();
    const unknown = models.filter(({ contextWindow }) => contextWindow === undefined).map(({ id }) => id);
    expect(unknown).to.deep.equal(['amazon.titan-text-express-v1', 'amazon.titan-text-lite-v1']);
    expectRefusal((file) => {
      file.inference.models[0]!.long_context_above = 1_000_000;
    }, '"inference.models.0.long_context_above" must be less than context_window');
  });

  it('has the prices of calls of GPT-5.6 above 272,000 input tokens', () => {
    const gpt = loadPriceBook().model('openai.gpt-5.6-sol');
    expect([gpt?.contextWindow, gpt?.longContextAbove]).to.deep.equal([1_050_000, 272_000]);
    expect([...(gpt?.scopes ?? [])]).to.deep.equal(['geo', 'global']);
    const prices = {
      input: '0.0044',
      output: '0.022',
      cache_read: '0.00044',
      cache_write_5m: '0.0055',
      long_input: '0.0088',
      long_output: '0.033',
      long_cache_read: '0.00088',
      long_cache_write_5m: '0.011',
    };
    for (const [kind, price] of Object.entries(prices)) {
      const line = { service: 'inference', scope: 'geo', item: gpt!.id, kind: kind as keyof typeof prices } as const;
      expect(loadPriceBook().tiers(line), kind).to.deep.equal([{ to: null, price: unitPrice(price, 1_000n) }]);
    }
    expectRefusal((file) => {
      delete file.inference.models.find(({ id }) => id === gpt?.id)?.long_context_above;
    }, 'prices.geo.long_input_per_1k" needs long_context_above');
    expectRefusal((file) => {
      delete file.inference.models.find(({ id }) => id === gpt?.id)?.prices['geo']?.long_output_per_1k;
    }, 'prices.geo" needs long prices of input and output');
  });

  /** The models with a price of this kind in any scope. */
  const modelsWith = (kind: 'cache_write_5m' | 'cache_write_1h') => {
    const { models, tiers } = loadPriceBook();
    return models.filter(({ id: item, scopes }) =>
      [...scopes].some((scope) => tiers({ service: 'inference', scope, item, kind }).length > 0),
    );
  };

  it('has the shortest cached prompt of the models whose source names it', () => {
    const unknown = modelsWith('cache_write_5m').filter(({ cacheMinTokens }) => cacheMinTokens === undefined);
    expect(unknown.map(({ id }) => id)).to.deep.equal(['anthropic.claude-3-sonnet-20240229-v1:0']);
  });

  it('has sources of all that is entered by hand', () => {
    for (const model of readBookOfCode().inference.models) {
      const { cache_min_tokens: least, cache_seconds: seconds, context_window: window } = model;
      expect(model.cache_min_sources === undefined, model.id).to.equal((least ?? seconds) === undefined);
      expect([model.limits_sources, model.limits_as_of].includes(undefined)).to.equal(window === undefined);
    }
  });

  it('has the price of a cached prompt that lives an hour, of the models whose source names it', () => {
    const { models } = loadPriceBook();
    const hours = modelsWith('cache_write_1h');
    expect(hours.map(({ name }) => name)).to.deep.equal([
      'Claude Fable 5.1',
      'Claude Fable 5',
      'Claude Opus 5.5',
      'Claude Opus 5',
      'Claude Opus 4.8',
      'Claude Opus 4.7',
      'Claude Opus 4.6',
      'Claude Opus 4.5',
      'Claude Sonnet 5',
      'Claude Sonnet 4.6',
      'Claude Sonnet 4.5',
      'Claude Haiku 4.5',
    ]);
    const longer = models.filter(({ cacheSeconds }) => cacheSeconds !== undefined);
    expect(longer.map(({ name, cacheSeconds }) => [name, cacheSeconds])).to.deep.equal([
      ['GPT-5.6 Sol', 1_800],
      ['GPT-5.6 Terra', 1_800],
      ['GPT-5.6 Luna', 1_800],
    ]);
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
    expect(limits('ca-central-1', 'standard')).to.deep.equal([]);
  });

  it('refuses a price that is not a decimal string, and names its place', () => {
    expectRefusal((file) => {
      file.queue.regions['us-east-1']!.standard!.tiers[0]!.price_per_million = 0.4 as never;
    }, '"queue.regions.us-east-1.standard" must be a decimal string');
    expectRefusal((file) => {
      file.inference.models[3]!.prices['geo']!.input_per_1k = '0,0055';
    }, '"inference.models.3.prices.geo.input_per_1k" must be a decimal string');
    expectRefusal((file) => {
      file.function.regions['eu-west-1']!.arm64_prices_per_gb_second[2] = '1e-5';
    }, '"function.regions.eu-west-1.arm64_prices_per_gb_second" must be a decimal string');
  });

  it('refuses unknown Regions, sources and fields', () => {
    expectRefusal((file) => {
      file.queue.regions['us-eats-1'] = file.queue.regions['us-east-1']!;
    }, 'us-eats-1');
    expectRefusal((file) => {
      file.inference.models[0]!.sources = ['hearsay'];
    }, '"inference.models.0.sources.0"');
    expectRefusal((file) => {
      Object.assign(file.function, { price: '1' });
    }, '"function.price" is not allowed');
  });

  it('refuses queue tiers that do not ascend or are wrongly marked as complete', () => {
    expectRefusal((file) => {
      file.queue.regions['us-east-1']!.standard!.tiers.reverse();
    }, 'queue tiers must ascend');
    expectRefusal((file) => {
      file.queue.regions['eu-west-1']!.standard!.tiers_complete = true;
    }, 'queue tiers must ascend');
  });
});

function expectRefusal(change: (file: PriceBookFile) => void, message: string): void {
  const url = new URL('../../../shared/cost/price-book.json', import.meta.url);
  const file: PriceBookFile = JSON.parse(readFileSync(url, 'utf8'));
  change(file);
  expect(() => createPriceBook(file)).to.throw(Error, message);
}
