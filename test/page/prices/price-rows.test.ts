import { expect } from 'chai';
import type { PriceBook } from '../../../page/client/responses.ts';
import { filterRows, knownFilter, type PriceFilter, priceRows } from '../../../page/prices/price-rows.ts';

type Price = PriceBook['prices'][number];

const price = (service: Price['service'], item: string, region: string, more: Partial<Price> = {}): Price => ({
  service,
  item,
  region,
  kind: service === 'inference' ? 'input' : 'request',
  unit: service === 'inference' ? 'thousand tokens' : 'million requests',
  tiers: [{ from: '0', to: null, price: '1' }],
  complete: true,
  effective_from: null,
  as_of: '2026-10-01',
  sources: ['one'],
  status: 'ok',
  ...more,
});

const regions = [
  { code: 'us-east-1', name: 'US East (N. Virginia)', partition: 'aws' },
  { code: 'eu-west-1', name: 'Europe (Ireland)', partition: 'aws' },
  { code: 'us-gov-west-1', name: 'AWS GovCloud (US-West)', partition: 'aws-us-gov' },
];

const book = {
  regions,
  models: [
    { id: 'a.large', name: 'Large', provider: 'A', status: 'current' },
    { id: 'b.small', name: 'Small', provider: 'B', status: 'second_source' },
  ],
  prices: [
    price('inference', 'a.large', 'geo'),
    price('inference', 'a.large', 'geo', { kind: 'output' }),
    price('inference', 'a.large', 'geo', { kind: 'cache_read', as_of: '2026-11-01' }),
    price('inference', 'a.large', 'eu-west-1'),
    price('inference', 'a.large', 'global'),
    price('inference', 'b.small', 'geo', { status: 'estimated' }),
    price('queue', 'standard', 'us-east-1'),
    price('queue', 'fifo', 'us-east-1'),
    price('queue', 'standard', 'eu-west-1'),
  ],
} as unknown as PriceBook;

const shown = (filter: Partial<PriceFilter> = {}) =>
  filterRows(book, priceRows(book), { search: '', region: '', status: '', ...filter }).map(
    ({ name, place, prices, status }) => `${name} ${place} ${prices.map(({ kind }) => kind).join('+')} ${status}`,
  );

describe('the rows of a price book', () => {
  it('rows join the prices of a model in one place that have the same evidence', () => {
    expect(shown({ search: 'large', region: 'us-east-1' })).to.deep.equal([
      'Large geo input+output ok',
      'Large geo cache_read ok',
      'Large global input ok',
    ]);
  });

  it('the rows of a Region are those that apply there: its own before those of all commercial Regions', () => {
    expect(shown({ region: 'eu-west-1' })).to.deep.equal([
      'Standard eu-west-1 request ok',
      'FIFO eu-west-1  unverified',
      'Large eu-west-1 input ok',
      'Large global input ok',
      'Small geo input estimated',
    ]);
    expect(shown({ region: 'us-gov-west-1' })).to.deep.equal([
      'Standard us-gov-west-1  unverified',
      'FIFO us-gov-west-1  unverified',
    ]);
  });

  it('rows are found by the words of their names and ids, and by their evidence', () => {
    expect(shown({ search: ' B.SMALL  model ' })).to.deep.equal(['Small geo input estimated']);
    expect(shown({ status: 'estimated' })).to.deep.equal(['Small geo input estimated']);
    expect(shown({ status: 'unverified', search: 'queue fifo eu-west' })).to.deep.equal(['FIFO eu-west-1  unverified']);
    expect(shown({ search: 'medium' })).to.deep.equal([]);
  });

  it('rows are not filtered by a Region or an evidence that is no choice', () => {
    const known = { search: 'large', region: 'eu-west-1', status: 'ok' };
    expect(knownFilter(book, known)).to.deep.equal(known);
    expect(knownFilter(book, { ...known, region: 'xx', status: 'toString' })).to.deep.equal({
      search: 'large',
      region: '',
      status: '',
    });
  });
});
