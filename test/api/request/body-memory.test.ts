import { expect } from 'chai';
import { createBodyMemory } from '../../../api/request/body-memory.ts';

const refused = 'Too many request bodies';

describe('the memory for bodies', () => {
  it('is shared by all requests, and free again after each', () => {
    const memory = createBodyMemory(100);
    const [one, other, third] = [memory.open('a'), memory.open('b'), memory.open('c')];
    one.grow(50);
    other.grow(40);
    expect(() => third.grow(11)).to.throw(refused);
    other.release();
    other.release();
    third.grow(50);
    expect(() => other.grow(1)).to.throw(refused);
    one.release();
    third.release();
    memory.open('d').grow(50);
  });

  it('is not used by one network alone', () => {
    const memory = createBodyMemory(100);
    const [one, other] = [memory.open('a'), memory.open('a')];
    one.grow(30);
    other.grow(20);
    expect(() => one.grow(1)).to.throw(refused);
    memory.open('b').grow(50);
    other.release();
    one.grow(20);
    expect(() => one.grow(1)).to.throw(refused);
  });
});
