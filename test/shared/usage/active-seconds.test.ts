import { expect } from 'chai';
import fc from 'fast-check';
import { addSeconds, readSeconds, storeSeconds } from '../../../shared/usage/stored-hour.ts';
import { secondsOf } from '../cost/build-usage.ts';

const second = fc.integer({ min: 0, max: 3_599 });

describe('the stored form of active seconds', () => {
  it('is read as it was written: a list of at most 50 seconds, or 450 bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(second, { maxLength: 120, size: 'max' }), (active) => {
        const seconds = secondsOf(...active);
        const stored = storeSeconds(seconds);
        if (active.length > 50) expect(stored).to.be.instanceOf(Uint8Array).with.length(450);
        else expect(stored).to.deep.equal([...active].sort((a, b) => a - b));
        expect(readSeconds(stored)).to.deep.equal(seconds);
      }),
    );
    const all = secondsOf(...Array.from({ length: 3_600 }, (_, index) => index));
    expect(readSeconds(storeSeconds(all))).to.deep.equal(all);
  });

  it('has second 0 as the lowest bit of the first byte', () => {
    const stored = storeSeconds(secondsOf(...Array.from({ length: 60 }, (_, index) => index)));
    expect(Array.from(stored.slice(0, 9))).to.deep.equal([255, 255, 255, 255, 255, 255, 255, 15, 0]);
  });

  it('active seconds are merged by a union', () => {
    const seconds = secondsOf(0, 7, 3_599);
    addSeconds(seconds, secondsOf(7, 8));
    expect(seconds).to.deep.equal(secondsOf(0, 7, 8, 3_599));
  });
});
