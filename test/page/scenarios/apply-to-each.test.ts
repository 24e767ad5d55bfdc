import { expect } from 'chai';
import { applyToEach } from '../../../page/scenarios/apply-to-each.ts';
import { copyNameOf } from '../../../page/scenarios/copy-name.ts';

describe('the same for several scenarios', () => {
  it('goes on after a failure, and names what has failed and why', async () => {
    const scenarios = new Map([
      ['1', 'first'],
      ['2', 'second'],
      ['3', 'third'],
    ]);
    const error = new Error('The scenario is draft.');
    const counts: number[] = [];
    const outcome = await applyToEach(
      scenarios,
      async (id) => {
        if (id === '2') throw error;
      },
      (count) => counts.push(count),
      new AbortController().signal,
    );
    expect(outcome).to.deep.equal({ done: ['1', '3'], failed: [{ id: '2', name: 'second', error }] });
    expect(counts).to.deep.equal([1, 2, 3]);
  });

  it('ends before the next scenario once it is cancelled, and has the outcome up to there', async () => {
    const scenarios = new Map(['1', '2', '3', '4'].map((id) => [id, `scenario ${id}`]));
    const error = new Error('The scenario is draft.');
    const controller = new AbortController();
    const outcome = await applyToEach(
      scenarios,
      async (id) => {
        if (id === '1') throw error;
        controller.abort();
      },
      () => {},
      controller.signal,
    );
    expect(outcome).to.deep.equal({ done: ['2'], failed: [{ id: '1', name: 'scenario 1', error }] });
  });
});

describe('the name of a copy', () => {
  it('the name of a copy says that it is one, and which', () => {
    expect(copyNameOf('Peak season')).to.equal('Peak season (copy)');
    expect(copyNameOf('Peak season (copy)')).to.equal('Peak season (copy 2)');
    expect(copyNameOf('Peak season (copy 9)')).to.equal('Peak season (copy 10)');
  });

  it('is not longer than a name can be, and cuts no character in two', () => {
    const name = copyNameOf('😀'.repeat(100));
    expect(Array.from(name)).to.have.length(100);
    expect(name).to.match(/^(?:😀){93} \(copy\)$/u);
  });
});
