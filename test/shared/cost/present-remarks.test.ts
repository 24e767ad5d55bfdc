import { expect } from 'chai';
import { presentRemarks, remarkSentences } from '../../../shared/cost/present-cost.ts';

const calls = (model: string, count: number) => ({ model, calls: count, input_tokens: 5, output_tokens: 6 });

describe('remarks on entries', () => {
  const rows: [remarks: Parameters<typeof remarkSentences>[0], sentences: string[]][] = [
    [{}, []],
    [{ untimed: 0, usage_unread: 0, unpriced: [] }, []],
    [
      { usage_unread: 12 },
      ['12 entries had a usage that was not understood: their tokens are counted from the message.'],
    ],
    [{ usage_unread: 1 }, ['1 entry had a usage that was not understood: its tokens are counted from the message.']],
    [{ untimed: 1234 }, ['1,234 entries have no time of their own and count at their arrival.']],
    [{ untimed: 1 }, ['1 entry has no time of its own and counts at its arrival.']],
    [{ unpriced: [calls('gpt-4o', 1)] }, ['1 call is of a model without a price, which the cost leaves out: gpt-4o.']],
    [
      { unpriced: [calls('a', 4), calls('b', 3), calls('c', 2), calls('d', 1), calls('e', 1)] },
      ['11 calls are of models without a price, which the cost leaves out: a, b, c and 2 others.'],
    ],
  ];
  for (const [remarks, sentences] of rows) {
    it(`says ${JSON.stringify(sentences)}`, () => expect(remarkSentences(remarks)).to.deep.equal(sentences));
  }

  it('presents counters as numbers, most calls first', () => {
    const unpriced = {
      x: { calls: 1n, inputTokens: 2n, outputTokens: 3n },
      y: { calls: 4n, inputTokens: 5n, outputTokens: 6n },
    };
    expect(presentRemarks({ untimed: 7n, unpriced })).to.deep.equal({
      untimed: 7,
      usage_unread: 0,
      unpriced: [
        { model: 'y', calls: 4, input_tokens: 5, output_tokens: 6 },
        { model: 'x', calls: 1, input_tokens: 2, output_tokens: 3 },
      ],
    });
  });
});
