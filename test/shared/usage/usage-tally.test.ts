import { expect } from 'chai';
import { fieldOfModel } from '../../../shared/usage/stored-hour.ts';
import { UsageTally } from '../../../shared/usage/usage-tally.ts';
import { buildEntryUsage } from '../cost/build-usage.ts';

describe('UsageTally', () => {
  it('sums the cached tokens of a model and a profile, in the hour and in its levels', () => {
    const tally = new UsageTally();
    const usage = { cacheReadTokens: 10, cacheWriteTokens: 20, cacheWrite1hTokens: 30, outputTokens: 5 };
    const model = 'anthropic.claude-sonnet-4-6 geo';
    for (const inputTokens of [1, 2]) {
      tally.add(buildEntryUsage({ ...usage, model, inputTokens, inputEstimated: false }));
    }
    const [hour] = tally.hours();
    const cached = { cacheReadTokens: 20, cacheWriteTokens: 40, cacheWrite1hTokens: 60 };
    const tokens = { inputTokens: 3, outputTokens: 10, ...cached };
    const field = fieldOfModel(model);
    expect(hour?.inference).to.deep.equal({ [field]: tokens });
    expect(hour?.levels?.['none']?.inference).to.deep.equal({ [field]: { entries: 2, ...tokens } });
  });

  it('counts calls of models without a price by their names, 20 of them, and not as the model of the scenario', () => {
    const tally = new UsageTally();
    const call = { unpriced: true, inputTokens: 1, cacheReadTokens: 2, outputTokens: 3 };
    for (let index = 0; index < 25; index += 1) tally.add(buildEntryUsage({ ...call, model: `model-${index}` }));
    const [hour] = tally.hours();
    expect(Object.keys(hour?.unpriced ?? {})).to.have.length(21);
    expect(hour?.unpriced?.['model-0']).to.deep.equal({ calls: 1, inputTokens: 3, outputTokens: 3 });
    expect(hour?.unpriced?.['other']).to.deep.equal({ calls: 5, inputTokens: 15, outputTokens: 15 });
    expect(hour?.inference).to.deep.equal({});
    expect(hour?.levels?.['none']).to.deep.include({ entries: 25, inference: {} });
  });

  it('counts entries without a time, and usages that are not understood', () => {
    const tally = new UsageTally();
    tally.add(buildEntryUsage({ timed: false, usageUnread: true }));
    tally.add(buildEntryUsage({ timed: true }));
    expect(tally.hours()).to.have.length(1);
    expect(tally.hours()[0]).to.include({ logs: 2, untimed: 1, usageUnread: 1 });
  });
});
