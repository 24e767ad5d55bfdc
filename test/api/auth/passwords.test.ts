import { expect } from 'chai';
import { createPasswords } from '../../../api/auth/passwords.ts';
import { AppError } from '../../../shared/errors.ts';

const statusOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && outcome.reason instanceof AppError ? outcome.reason.status : 200;

describe('passwords', () => {
  it('are hashed at most twice concurrently per network; further ones are refused before hashing', async () => {
    const passwords = createPasswords();
    const attempts = await Promise.allSettled(
      Array.from({ length: 6 }, () => passwords.matches('correct horse', undefined, '192.0.2.1')),
    );
    expect(attempts.map(statusOf)).to.have.members([200, 200, 429, 429, 429, 429]);
    expect(await passwords.matches('correct horse', undefined, '192.0.2.1')).to.equal(false);
  });

  it('are hashed by bcrypt at cost 12, with a salt', async () => {
    const passwords = createPasswords();
    const [one, other] = await Promise.all([1, 2].map(() => passwords.hash('correct horse', '192.0.2.1')));
    for (const hash of [one, other]) expect(hash).to.match(/^\$2b\$12\$/);
    expect(one).not.to.equal(other);
  });

  it('of one network are hashed while another network has two in progress', async () => {
    const passwords = createPasswords();
    const first = [1, 2, 3].map(() => passwords.matches('correct horse', undefined, '192.0.2.1'));
    const second = [1, 2].map(() => passwords.matches('correct horse', undefined, '192.0.2.2'));
    expect((await Promise.allSettled(second)).map(statusOf)).to.deep.equal([200, 200]);
    expect((await Promise.allSettled(first)).map(statusOf)).to.deep.equal([200, 200, 429]);
  });
});
