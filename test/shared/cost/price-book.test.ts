import { expect } from 'chai';
import { createPriceBook, loadPriceBook, readBookOfCode } from '../../../shared/cost/price-book.ts';
import { defaultAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { changedBook } from '../../support/changed-book.ts';
import refused from './refused-books.json' with { type: 'json' };

describe('the price book', () => {
  it('is valid, and has a version, a date, Regions and models', () => {
    const book = loadPriceBook();
    expect(createPriceBook(readBookOfCode()).version).to.equal(book.version);
    expect(book.version).to.match(new RegExp(`^${book.asOf}-[0-9a-f]{12}$`));
    expect(book.currency).to.equal('USD');
    expect(book.region('us-gov-west-1')).to.deep.include({ partition: 'aws-us-gov' });
    expect(book.regionCodes.has('us-east-1')).to.equal(true);
    expect(book.regionCodes.has('constructor')).to.equal(false);
    expect(book.modelIds.has(defaultAssumptions.inference.model)).to.equal(true);
    expect(book.modelIds.has('no-such-model')).to.equal(false);
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

  /** Sets a part of a file, or removes it. An item of a list is named by its position or its id. */
  function change(part: object, [first = '', ...rest]: readonly string[], value: unknown): void {
    const isNamed = (item: { id?: string }, at: number) => first === String(at) || first === item.id;
    const key = Array.isArray(part) ? String(part.findIndex(isNamed)) : first;
    if (rest.length > 0) change(Reflect.get(part, key), rest, value);
    else if (value === undefined) Reflect.deleteProperty(part, key);
    else Reflect.set(part, key, value);
  }

  const changes: Record<string, { path: string[]; value?: unknown; message: string }> = refused;
  for (const [what, { path, value, message }] of Object.entries(changes))
    it(`refuses ${what}, and names its place`, () => {
      const file = changedBook((book) => change(book, path, value));
      expect(() => createPriceBook(file)).to.throw(Error, message);
    });
});
