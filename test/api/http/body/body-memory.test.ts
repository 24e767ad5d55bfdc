import { expect } from 'chai';
import { type BodyReservation, createBodyMemory } from '../../../../api/http/body/body-memory.ts';

const refused = 'Too many request bodies';
const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Grows a body by pieces until it is refused. @returns the bytes it got. */
function fill(body: BodyReservation, piece: number): number {
  for (let bytes = 0; ; bytes += piece) {
    try {
      body.grow(piece);
    } catch {
      return bytes;
    }
  }
}

describe('the memory for bodies', () => {
  it('is shared by all requests, and free again after each', () => {
    const memory = createBodyMemory(8 * mebibyte);
    const [one, other, third] = [memory.open('a'), memory.open('b'), memory.open('c')];
    one.grow(2 * mebibyte);
    other.grow(1.5 * mebibyte);
    expect(() => third.grow(1.5 * mebibyte)).to.throw(refused);
    other.release();
    other.release();
    third.grow(1.5 * mebibyte);
    one.release();
    third.release();
    memory.open('d').grow(2.9 * mebibyte);
  });

  it('is not used by one network alone', () => {
    const memory = createBodyMemory(8 * mebibyte);
    const [one, other] = [memory.open('a'), memory.open('a')];
    one.grow(1.4 * mebibyte);
    other.grow(1.4 * mebibyte);
    expect(() => one.grow(0.5 * mebibyte)).to.throw(refused);
    memory.open('b').grow(1.4 * mebibyte);
    other.release();
    one.grow(0.1 * mebibyte);
  });

  it('has a part for small bodies, which a hundred networks with large ones leave free', () => {
    const memory = createBodyMemory(128 * mebibyte);
    for (let network = 0; network < 100; network += 1) fill(memory.open(`attacker ${network}`), 32 * kibibyte);
    for (let login = 0; login < 100; login += 1) memory.open(`honest ${login}`).grow(10 * kibibyte);
    expect(() => memory.open('honest 1').grow(mebibyte)).to.throw(refused);
  });

  it('counts more than the bytes of a piece, so that pieces of one byte are bounded too', () => {
    const pieces = fill(createBodyMemory(8 * mebibyte).open('a'), 1);
    expect(pieces).to.be.within(1000, 8 * kibibyte * 2);
  });
});
