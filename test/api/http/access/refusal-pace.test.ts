import { expect } from 'chai';
import { createRefusalPace } from '../../../../api/http/access/refusal-pace.ts';
import { rateLimited, validationError } from '../../../../shared/errors.ts';

describe('the pace of refusals', () => {
  it('lets a refusal wait for those of its network, and hardly for those of others', async () => {
    const paceRefusal = createRefusalPace();
    const ended: string[] = [];
    const end = async (name: string) => {
      await paceRefusal(rateLimited(1), name.slice(0, 1));
      ended.push(name);
    };
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1'].map(end));
    expect(ended.filter((name) => name !== 'b1')).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    expect(ended.indexOf('b1')).to.be.below(ended.indexOf('a6'));
  });

  it('does not delay other errors', async () => {
    const paceRefusal = createRefusalPace();
    const refusals = Array.from({ length: 20 }, () => paceRefusal(rateLimited(1), 'a'));
    const first = await Promise.race([
      Promise.all(refusals).then(() => 'refusals'),
      paceRefusal(validationError([{ field: 'name', error: 'is missing' }]), 'a').then(() => 'error'),
    ]);
    expect(first).to.equal('error');
  });
});
