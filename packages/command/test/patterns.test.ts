import { expect } from 'chai';
import { roundTogether } from '../src/divide-cost.ts';
import { PatternTree } from '../src/patterns.ts';

describe('line patterns', () => {
  it('patterns are lines without what changes in them', () => {
    const tree = new PatternTree(100);
    for (const user of ['ann', 'bob', 'eve']) {
      for (const line of [
        `May 01 10:00:0${user.length} web[12] session opened for user ${user} by (uid=0)`,
        `2026-05-01 10:00:00,123 INFO block blk_-90 of 10.0.0.1:80 has 0x1F bytes, id 7f3a9c, from node ${user} today`,
      ]) {
        tree.findLine(line).entries += 1;
      }
    }
    expect(tree.patterns().map(({ words, sums }) => [words.join(' '), sums.entries])).to.deep.equal([
      ['<*> <*> <*> web[<*>] session opened for user <*> by (uid=<*>)', 3],
      ['<*> <*> INFO block blk_<*> of <*> has <*> bytes, id <*>, from node <*> today', 3],
    ]);
  });

  it('patterns are so many at most, and lose no entry', () => {
    const tree = new PatternTree(10);
    for (let at = 0; at < 500; at += 1)
      tree.findLine(`${String.fromCharCode(97 + (at % 26)).repeat(at % 7)} often`).entries += 1;
    const counts = tree.patterns().map(({ sums }) => sums.entries);
    expect(counts.length).to.be.at.most(10);
    expect(counts.reduce((sum, count) => sum + count, tree.rest.entries)).to.equal(500);
  });

  it('amounts of patterns add up to the rounded whole', () => {
    const unit = 10n ** 16n;
    expect(roundTogether([unit / 3n, unit / 3n, unit / 3n + 1n])).to.deep.equal([
      '0.000000000000',
      '0.000000000001',
      '0.000000000000',
    ]);
  });
});
