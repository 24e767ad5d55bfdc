import { expect } from 'chai';
import { expiryChoices, expiryOf, isExpired } from '../../page/account/expiries.ts';

const now = Date.parse('2026-05-01T10:00:00.000Z');

describe('expiry of API keys', () => {
  it('the expiry is the chosen time after the creation, or never', () => {
    const expiries = expiryChoices.map(({ value }) => expiryOf(value, now));
    expect(expiries).to.deep.equal([
      null,
      '2026-05-02T10:00:00.000Z',
      '2026-05-31T10:00:00.000Z',
      '2027-05-01T10:00:00.000Z',
    ]);
  });

  it('a key has expired from the instant of its expiry on', () => {
    expect(isExpired(null, now)).to.equal(false);
    expect(isExpired('2026-05-01T10:00:00.001Z', now)).to.equal(false);
    expect(isExpired('2026-05-01T10:00:00.000Z', now)).to.equal(true);
  });
});
