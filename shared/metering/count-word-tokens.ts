// Counts the tokens of words in the encoding o200k_base. gpt-tokenizer has the list of tokens and the
// pattern of words; its own counter takes eight times as long for log lines.
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { findRank, type TokenRanks } from './token-ranks.ts';

/** Matches the words of a text. No token crosses the border of a word. */
const wordPattern = O200K_TOKEN_SPLIT_REGEX;

/** The rank of two tokens that do not merge, which is above all others. */
const noRank = 0x7fffffff;
/**
 * The time is quadratic in the length of a word, so a longer one is counted in pieces. Runs end after
 * 256 code units, so that only rare kinds of white space in turn make such a word.
 */
const maxWordBytes = 1024;

/** Creates a function that counts the tokens of a text of whole words. */
export function createWordCounter(ranks: TokenRanks): (text: string) => number {
  let bytes = Buffer.alloc(0);
  /** Where each token of the word begins, and the end of the word. */
  const starts = new Uint16Array(maxWordBytes + 1);
  /** The rank of the pair that begins with each token. */
  const pairRanks = new Int32Array(maxWordBytes);

  const rankOf = (from: number, to: number) => {
    const rank = to - from > ranks.maxBytes ? -1 : findRank(ranks, bytes, from, to);
    return rank === -1 ? noRank : rank;
  };

  /** Merges the pair of the lowest rank, the leftmost one of several, until no pair is a token. */
  function countPiece(from: number, to: number): number {
    if (rankOf(from, to) !== noRank) return 1;
    let count = to - from;
    const rankPair = (at: number) => {
      pairRanks[at] =
        at + 2 > count ? noRank : rankOf(from + (starts[at] as number), from + (starts[at + 2] as number));
    };
    for (let at = 0; at <= count; at += 1) starts[at] = at;
    for (let at = 0; at < count; at += 1) rankPair(at);
    for (;;) {
      let lowest = noRank;
      let merged = -1;
      for (let at = 0; at < count; at += 1) {
        const rank = pairRanks[at] as number;
        if (rank < lowest) [lowest, merged] = [rank, at];
      }
      if (merged === -1) return count;
      starts.copyWithin(merged + 1, merged + 2, count + 1);
      pairRanks.copyWithin(merged + 1, merged + 2, count);
      count -= 1;
      rankPair(merged);
      if (merged > 0) rankPair(merged - 1);
    }
  }

  return (text) => {
    let tokens = 0;
    for (const word of text.match(wordPattern) ?? []) {
      // A UTF-16 code unit takes up to three bytes in UTF-8.
      if (bytes.length < 3 * word.length) bytes = Buffer.alloc(3 * word.length);
      const length = bytes.write(word);
      for (let start = 0; start < length; start += maxWordBytes) {
        tokens += countPiece(start, Math.min(start + maxWordBytes, length));
      }
    }
    return tokens;
  };
}
