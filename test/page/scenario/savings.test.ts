import { expect } from 'chai';
import type { DesignCost } from '../../../page/client/responses.ts';
import {
  cheapestOfAll,
  largestSaving,
  type StandardDesign,
  savingSentence,
} from '../../../page/scenario/design/savings.ts';

/** A design of this cost, in USD with 12 decimals. */
function design(
  name: string,
  total: string | null,
  month: string | null = null,
  incomplete = false,
  modelEntries = 10,
): StandardDesign {
  const costs = (usd: string | null) => ({ queue: usd, function: usd, inference: usd, total: usd });
  return {
    name,
    cost: costs(total),
    month: month === null ? null : costs(month),
    totals: { incomplete },
    flow: { model_entries: modelEntries },
  } as unknown as StandardDesign;
}

const sentence = (own: DesignCost, designs: StandardDesign[]) =>
  savingSentence(largestSaving(own, designs), 'this design');

describe('the largest saving of a design', () => {
  it('the largest saving is that of the cheapest design, by the cost of a month', () => {
    const designs = [
      design('a', '0.900000000000', '40.000000000000'),
      design('b', '0.990000000000', '13.000000000000'),
      design('c', '0.100000000000', '120.000000000000'),
    ];
    const own = design('own', '1.000000000000', '100.000000000000');
    expect(sentence(own, designs)).to.equal(
      '“b” instead of this design saves 87 %: $13.00 instead of $100.00 a month.',
    );
  });

  it('the largest saving is that of the entries where no month is known', () => {
    expect(sentence(design('own', '0.004000000000'), [design('a', '0.001000000000')])).to.equal(
      '“a” instead of this design saves 75 %: $0.0010 instead of $0.0040.',
    );
  });

  it('a saving is never shown as 0 or 100 per cent of a cost unless it is', () => {
    const own = design('own', '1.000000000000');
    const share = (cost: string) => largestSaving(own, [design('a', cost)])?.share;
    expect(share('0.996000000000')).to.equal('0.40 %');
    expect(share('0.001000000000')).to.equal('99.90 %');
    expect(share('0.000000000000')).to.equal('100 %');
    expect(share('0.000000000001')).to.equal('99.99 %');
  });

  it('no saving is shown for designs whose cost is as large, or known in part', () => {
    const designs = [
      design('a', '1.000000000000'),
      design('b', null),
      design('c', '0.100000000000', null, true),
      design('d', '0.100000000000', '5.000000000000'),
    ];
    expect(sentence(design('own', '1.000000000000'), designs)).to.equal(
      'No standard design costs less than this design.',
    );
    expect(largestSaving(design('own', '1.000000000000', null, true), designs)).to.equal(null);
  });

  it('no saving is shown for a design whose model gets no line', () => {
    const idle = design('errors only', '0.000100000000', null, false, 0);
    expect(largestSaving(design('own', '1.000000000000'), [idle])).to.equal(null);
    expect(largestSaving(design('own', '1.000000000000'), [idle, design('a', '0.900000000000')])?.name).to.equal('a');
  });
});

describe('the cheapest of designs', () => {
  it('the cheapest design can be that of the scenario while another one is tried', () => {
    const designs = { present: design('present', '0.300000000000'), items: [design('a', '0.500000000000')] } as never;
    const tried = { ...design('own', '0.400000000000'), difference: null } as never;
    expect(cheapestOfAll(designs, tried)).to.equal('The scenario as it is');
    const { difference: _difference, ...shown } = { ...design('own', '0.300000000000'), difference: null };
    expect(cheapestOfAll(designs, shown)).to.equal('This design');
  });

  it('the cheapest design is named in the words of the page', () => {
    const other = design('50 lines a call', '0.500000000000');
    expect(sentence(design('own', '1.000000000000'), [other])).to.match(/^“50 entries a call” instead of/);
  });
});
