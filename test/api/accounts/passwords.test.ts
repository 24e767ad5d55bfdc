import { expect } from 'chai';
import { createPasswords } from '../../../api/accounts/passwords.ts';

const request = { network: '192.0.2.1', earlierAttempts: 0, isAbandoned: () => false };

describe('passwords', () => {
  it('passwords are hashed by bcrypt at cost 12, with a salt', async () => {
    const passwords = createPasswords();
    const [one, other] = await Promise.all([1, 2].map(() => passwords.hash('correct horse', request)));
    for (const hash of [one, other]) expect(hash).to.match(/^\$2b\$12\$/);
    expect(one).not.to.equal(other);
  });

  it('a password matches its own hash only, and never a missing one', async () => {
    const passwords = createPasswords(4);
    const hash = await passwords.hash('correct horse', request);
    expect(await passwords.matches('correct horse', hash, request)).to.equal(true);
    expect(await passwords.matches('wrong horse', hash, request)).to.equal(false);
    expect(await passwords.matches('correct horse', undefined, request)).to.equal(false);
  });
});
