import { expect } from 'chai';
import { isLongForm } from '../../../../support/long-form.ts';
import { type Comparison, compareShapes, countClose, differenceOf, fixedWindows } from './compare-usage.ts';

/** The least share of close cases. Other seeds have other arrivals, so their share differs. */
const leastShares = {
  documented: { invocations: 0.8, calls: 0.78, receives: 0.8 },
  others: { invocations: 0.7, calls: 0.7, receives: 0.6 },
};
/** The same without extreme shapes, where windows last their time, as in the formulas. */
const leastShareOfModel = { documented: 64 / 72, others: 0.7 };

describe('the derived usage of pipelines', () => {
  for (const seed of isLongForm ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1]) {
    const kind = seed === 1 ? 'documented' : 'others';
    let comparisons: Comparison[];
    let ofModel: Comparison[];

    before(() => {
      comparisons = compareShapes(seed);
      ofModel = compareShapes(seed, { mappings: fixedWindows }).filter(({ shape }) => !shape.isExtreme);
    });

    for (const field of ['invocations', 'calls', 'receives'] as const) {
      it(`has ${field} within 3 % or one of simulated ones in most cases, and never a third off, with seed ${seed}`, () => {
        const close = countClose(comparisons, field) / comparisons.length;
        expect(close, 'the share of close cases').to.be.least(leastShares[kind][field]);
        for (const one of comparisons) {
          const { shape, mapping } = one;
          const title = `${shape.name}, ${mapping.windowSeconds} s, ${mapping.batchSize}`;
          expect(differenceOf(one, field), title).to.be.within(-0.26, 0.33);
        }
      });

      it(`has close ${field} in nearly all cases, where windows last their time, with seed ${seed}`, () => {
        const close = countClose(ofModel, field) / ofModel.length;
        expect(close, 'the share of close cases').to.be.least(leastShareOfModel[kind]);
      });
    }
  }
});
