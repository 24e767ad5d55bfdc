import { expect } from 'chai';
import { cheapestDesign } from '../../../../shared/cost/pipeline/cheapest-design.ts';

const design = (name: string, total: string | null, { incomplete = false, entries = 10 } = {}) => ({
  name,
  cost: { total },
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

  it('no design is the cheapest if each does nothing or has an unknown cost', () => {
    expect(cheapestDesign(unfit)).to.equal(null);
  });
});
