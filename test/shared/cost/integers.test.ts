import { expect } from 'chai';
import { ceilDiv, percentOf, scaleCounters } from '../../../shared/cost/integers.ts';

describe('arithmetic of counters', () => {
  it('quotients, percentages and scaled counters are rounded up, also above 2^53', () => {
    const large = 2n ** 60n;
    expect([ceilDiv(6n, 3n), ceilDiv(7n, 3n), ceilDiv(3n * large + 1n, 3n)]).to.deep.equal([2n, 3n, large + 1n]);
    expect([percentOf(0, 7n), percentOf(1, 101n), percentOf(100, large)]).to.deep.equal([0n, 2n, large]);
    const counters = { entries: 3, of: { tokens: large } };
    expect(scaleCounters(counters, { times: 1n, over: 2n })).to.deep.equal({ entries: 2n, of: { tokens: large / 2n } });
    expect(counters).to.deep.equal({ entries: 3, of: { tokens: large } });
  });
});
