import { expect } from 'chai';
import { hourLines } from '../../../workers/reports/report-csv.ts';
import { buildHour, byDay, defaultPricing } from '../../shared/cost/build-usage.ts';

const sentence = '12 entries had a usage that was not understood: their tokens are counted from the message.';

describe('a CSV of hours', () => {
  it('has remarks as sentences in the first row of an hour', async () => {
    const hours = [{ ...buildHour({ at: 0, logs: 20n }), usageUnread: 12n }, buildHour({ at: 1, logs: 20n })];
    const parts: Buffer[] = [];
    for await (const part of hourLines(
      byDay(hours)(() => 'hours'),
      defaultPricing,
    ))
      parts.push(part);
    const [header, ...rows] = Buffer.concat(parts).toString().trimEnd().split('\r\n');
    expect(header).to.match(/,remarks$/);
    expect(rows.map((row) => row.endsWith(`,"${sentence}"`))).to.deep.equal([true, ...Array(5).fill(false)]);
  });
});
