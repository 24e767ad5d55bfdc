import { expect } from 'chai';
import { withAssumedOutput } from '../../../shared/cost/terms.ts';
import { emptyUsage } from '../../../shared/usage/usage.ts';

const row = { inputTokens: 1n, estimatedEntries: 0n };
const assumptions = { inference: { output_tokens_per_entry: 7 } };

describe('the output tokens that a scenario assumes', () => {
  it('assumed tokens are added for entries that reported none, and for no others', () => {
    const inference = [
      { ...row, model: 'a', outputTokens: 5n },
      { ...row, model: 'b', outputTokens: 5n, entriesWithoutOutput: 3n },
    ];
    const usage = { ...emptyUsage(), logs: 9n, inference };
    const before = structuredClone(usage);
    expect(withAssumedOutput(usage, assumptions)).to.deep.equal({
      ...usage,
      inference: [
        { ...row, model: 'a', outputTokens: 5n },
        { ...row, model: 'b', outputTokens: 26n },
      ],
    });
    expect(usage).to.deep.equal(before);
    expect(withAssumedOutput(usage, null).inference[1]?.outputTokens).to.equal(305n);
  });

  it('usage in which every entry has reported its own tokens is unchanged', () => {
    const usage = { ...emptyUsage(), inference: [{ ...row, model: 'a', outputTokens: 5n }] };
    expect(withAssumedOutput(usage, assumptions)).to.equal(usage);
  });
});
