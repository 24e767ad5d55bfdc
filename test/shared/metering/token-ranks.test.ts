import { expect } from 'chai';
import tokensByRank from 'gpt-tokenizer/bpeRanks/o200k_base';
import { findRank, readTokenRanks } from '../../../shared/metering/token-ranks.ts';

describe('the ranks of tokens', () => {
  const ranks = readTokenRanks();

  it('ranks are those of the library', () => {
    const different = tokensByRank.findIndex((token, rank) => {
      const bytes = Buffer.from(token as string);
      return findRank(ranks, bytes, 0, bytes.length) !== rank;
    });
    expect(different).to.equal(-1);
    expect(ranks.ends.length).to.equal(tokensByRank.length);
  });

  it('finds a token within other bytes, and no rank of bytes that are not a token', () => {
    const bytes = Buffer.from('xx server\u0000\u0001\u0002');
    expect(findRank(ranks, bytes, 2, 9)).to.equal(tokensByRank.indexOf(' server'));
    expect(findRank(ranks, bytes, 0, bytes.length)).to.equal(-1);
    expect(findRank(ranks, bytes, 3, 3)).to.equal(-1);
  });

  it('ranks are in memory that threads share', () => {
    for (const array of [ranks.bytes, ranks.ends, ranks.slots])
      expect(array.buffer).to.be.instanceOf(SharedArrayBuffer);
  });
});
