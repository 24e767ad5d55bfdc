import { expect } from 'chai';
import { type PricedBucket, ScenarioPricer } from '../../../../shared/cost/scenario-cost.ts';
import { createHourLines } from '../../../../workers/reports/report-csv.ts';
import { buildHour, defaultPricing } from '../../../shared/cost/build-usage.ts';

const sentence = '12 entries had a usage that was not understood: their tokens are counted from the message.';

describe('a CSV of hours', () => {
  it('has remarks as sentences in the first row of an hour', () => {
    const buckets: PricedBucket[] = [];
    const pricer = new ScenarioPricer(defaultPricing, 'hour', (bucket) => buckets.push(bucket));
    pricer.add({ ...buildHour({ at: 0, logs: 20n }), usageUnread: 12n });
    pricer.add(buildHour({ at: 1, logs: 20n }));
    pricer.finish();
    const table = createHourLines({ region: 'eu-west-1', priceBook: '1', hasPipeline: false, hasOverrides: false });
    expect(table.header().toString()).to.match(/,remarks\r\n$/);
    const rows = table.hours(buckets).toString().trimEnd().split('\r\n');
    expect(rows.map((row) => row.endsWith(`,"${sentence}"`))).to.deep.equal([true, ...Array(5).fill(false)]);
  });
});
