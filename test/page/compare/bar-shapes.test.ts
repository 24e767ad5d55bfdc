import { expect } from 'chai';
import { piecesOf, scaleOf } from '../../../page/compare/bar-shapes.ts';

const cost = { queue: '0.25', function: '0.75', inference: '3.00', total: '4.00' };
const cheap = { queue: '0.000001', function: '0', inference: null, total: '0.000001' };

describe('the bars of costs', () => {
  it('all bars have one scale: the largest amount', () => {
    expect(scaleOf([cheap, cost])).to.equal(4);
    expect(scaleOf([])).to.equal(0);
  });

  it('a total is shown as its services, one after the other', () => {
    expect(piecesOf(cost, 'total', 8)).to.deep.equal([
      { service: 'queue', start: 0, length: 3.125 },
      { service: 'function', start: 3.125, length: 9.375 },
      { service: 'inference', start: 12.5, length: 37.5 },
    ]);
    expect(piecesOf(cost, 'function', 4)).to.deep.equal([{ service: 'function', start: 0, length: 18.75 }]);
  });

  it('small amounts are shown as a line, and zero and unknown ones not at all', () => {
    expect(piecesOf(cheap, 'queue', 4)).to.deep.equal([{ service: 'queue', start: 0, length: 0.3 }]);
    expect(piecesOf(cheap, 'total', 4)).to.have.length(1);
    expect(piecesOf(cheap, 'function', 4)).to.deep.equal([]);
    expect(piecesOf(cheap, 'inference', 4)).to.deep.equal([]);
    expect(piecesOf({ ...cheap, queue: '0' }, 'total', 0)).to.deep.equal([]);
  });
});
