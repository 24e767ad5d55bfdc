import { expect } from 'chai';
import { createJoiner } from '../../../api/ingest/accept-entries.ts';

interface Part {
  name: string;
  weight: number;
}

describe('requests that are accepted together', () => {
  const part = (name: string, weight = 1): Part => ({ name, weight });
  /** Groups end when the test says so. */
  function joiner() {
    const groups: { names: string; end: (error?: Error) => void }[] = [];
    const join = createJoiner<Part, string>(
      (group) =>
        new Promise((resolve, reject) => {
          const names = group.map(({ name }) => name);
          const end = (error?: Error) => (error ? reject(error) : resolve(names.map((name) => `${name}!`)));
          groups.push({ names: names.join(''), end });
        }),
      4,
    );
    const endNext = async (at: number, error?: Error) => {
      groups[at]?.end(error);
      await new Promise(setImmediate);
    };
    return { join, groups, endNext };
  }

  it('a lone request waits for nothing, and those that arrive while it is accepted are the next group', async () => {
    const { join, groups, endNext } = joiner();
    const responses = ['a', 'b', 'c'].map((name) => join('key', part(name)));
    const other = join('another key', part('x'));
    expect(groups.map(({ names }) => names)).to.deep.equal(['a', 'x']);
    await endNext(0);
    expect(groups.map(({ names }) => names)).to.deep.equal(['a', 'x', 'bc']);
    await endNext(2);
    await endNext(1);
    expect(await Promise.all([...responses, other])).to.deep.equal(['a!', 'b!', 'c!', 'x!']);
    void join('key', part('d'));
    expect(groups.at(-1)?.names).to.equal('d');
  });

  it('a group of several requests has at most so much weight, in the order of arrival', async () => {
    const { join, groups, endNext } = joiner();
    const parts = [
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => part(name)),
      part('g', 3),
      part('h', 4),
      part('i', 9),
    ];
    const responses = parts.map((one) => join('key', one));
    for (let at = 0; at < groups.length; at += 1) await endNext(at);
    expect(groups.map(({ names }) => names)).to.deep.equal(['a', 'bcde', 'fg', 'h', 'i']);
    expect(await Promise.all(responses)).to.deep.equal(parts.map(({ name }) => `${name}!`));
  });

  it('an error is that of all requests of the group, and of no other', async () => {
    const { join, endNext } = joiner();
    const responses = Promise.allSettled(['a', 'b', 'c'].map((name) => join('key', part(name))));
    await endNext(0);
    await endNext(1, new Error('unreachable'));
    expect((await responses).map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
    const later = join('key', part('d'));
    await endNext(2);
    expect(await later).to.equal('d!');
  });
});
