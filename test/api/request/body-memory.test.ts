import { expect } from 'chai';
import { createBodyMemory } from '../../../api/request/body-memory.ts';

describe('the memory for bodies', () => {
  it('is shared by all requests, and free again after each', () => {
    const memory = createBodyMemory(100);
    const [one, other] = [memory.open(), memory.open()];
    one.grow(60);
    other.grow(40);
    expect(() => one.grow(1)).to.throw('Too many request bodies');
    other.release();
    one.grow(40);
    one.release();
    one.release();
    const third = memory.open();
    third.grow(100);
    expect(() => memory.open().grow(1)).to.throw('Too many request bodies');
  });
});
