import { expect } from 'chai';
import { cheapestDesign } from '../../../../shared/cost/pipeline/standard-designs.ts';

const design = (
  name: string,
  total: string | null,
  { incomplete = false, entries = 10, month }: { incomplete?: boolean; entries?: number; month?: string } = {},
) => ({
  name,
  cost: { total },
  month: month === undefined ? null : { total: month },
  totals: { incomplete },
  flow: { model_entries: entries },
});

describe('the cheapest of designs', () => {
  const unfit = [
    design('idle', '0.000100000000', { entries: 0 }),
    design('partly known', '0.000100000000', { incomplete: true }),
    design('unknown', null),
  ];

  it('the cheapest design is one whose model gets entries, and whose cost is known as a whole', () => {
    const fit = [
      design('first', '0.900000000000'),
      design('as cheap', '0.900000000000'),
      design('dear', '10.000000000000'),
    ];
    expect(cheapestDesign([...unfit, ...fit])).to.equal('first');
    expect(cheapestDesign([...unfit, ...fit, design('last', '0.500000000000')])).to.equal('last');
  });

  it('no design is the cheapest if each has an unknown cost', () => {
    expect(cheapestDesign(unfit.slice(1))).to.equal(null);
  });

  it('a design without entries for the model is the cheapest only where no other has any', () => {
    expect(cheapestDesign(unfit.slice(0, 1))).to.equal('idle');
    expect(cheapestDesign([...unfit.slice(0, 1), design('dear', '10.000000000000')])).to.equal('dear');
  });

  it('the cost of a month decides where all designs have one', () => {
    const monthly = [
      design('a', '0.100000000000', { month: '9.000000000000' }),
      design('b', '0.200000000000', { month: '8.000000000000' }),
    ];
    expect(cheapestDesign(monthly)).to.equal('b');
    expect(cheapestDesign([...monthly, design('c', '0.300000000000')])).to.equal('a');
  });
});
