import { expect } from 'chai';
import { planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import { readBook } from '../../../../shared/cost/refresh/read-source.ts';
import { bookFile, novaInput, plan, queueTier, readText, shortChanges, today } from './plan.ts';

describe('what a source changes in the price book', () => {
  it('shows what the vendor changes: old and new price, per cent, source and date', () => {
    const { changes, refusals } = plan([novaInput()]);
    expect(refusals).to.deep.equal([]);
    expect(shortChanges(changes)).to.deep.equal(['change eu-west-1 input: 0.00004 -> 0.00005 (+25.00)']);
    expect(changes[0]).to.deep.include({ date: '2026-10-01', where: 'file.json: $.price' });
  });

  it('takes the tiers of the vendor in any order, and adds tiers that the book does not have', () => {
    const known = [queueTier(200, null, '0.24'), queueTier(0, 100, '0.4'), queueTier(100, 200, '0.29')];
    const { changes, agree } = plan(known);
    expect(agree).to.equal(2);
    expect(shortChanges(changes)).to.deep.equal(['change us-east-1 request: 0.3 -> 0.29 (-3.33)']);
    const elsewhere = plan(known.map((point) => ({ ...point, scope: 'eu-west-1' })));
    expect(elsewhere.changes.map(({ type }) => type)).to.deep.equal(['addition', 'addition']);
  });

  it('takes a free tier out of paid tiers, whether the paid ones begin at zero or above it', () => {
    const free = queueTier(0, 0.001, '0');
    for (const begin of [0, 0.001]) {
      const { changes, agree, refusals } = plan([
        free,
        queueTier(begin, 100, '0.4'),
        queueTier(100, 200, '0.3'),
        queueTier(200, null, '0.24'),
      ]);
      expect(refusals).to.deep.equal([]);
      expect([changes, agree]).to.deep.equal([[], 3]);
    }
  });

  it('compares a Region with the price of all commercial Regions if it has none of its own', () => {
    const point = novaInput({ item: 'anthropic.claude-sonnet-4-6', amount: '0.0033' });
    const govCloud = { ...point, scope: 'us-gov-west-1' };
    const { changes, agree } = plan([point, govCloud, { ...govCloud, kind: 'output' }]);
    expect(agree).to.equal(1);
    expect(changes.map(({ type, scope }) => [type, scope])).to.deep.equal([
      ['addition', 'us-gov-west-1'],
      ['addition', 'us-gov-west-1'],
    ]);
    const higher = plan([{ ...point, amount: '0.004' }]);
    expect(shortChanges(higher.changes), 'its other prices stay').to.deep.equal([
      'change eu-west-1 input: 0.0033 -> 0.004 (+21.21)',
    ]);
  });

  it('announces a price that applies from a day after its evidence, and does not change the book', () => {
    const future = novaInput({ effectiveDate: '2027-01-01' });
    const unconfirmed = novaInput({ effectiveDate: '2026-11-10', evidenceDate: '2026-11-01' });
    for (const point of [future, unconfirmed]) {
      const { next, changes, unused } = plan([point]);
      expect([next, changes]).to.deep.equal([bookFile(), []]);
      expect(unused[0]?.reason).to.match(/^inference eu-west-1 amazon.nova-micro-v1:0 input: 0.00005 applies from 202/);
    }
    const confirmed = novaInput({ effectiveDate: '2026-11-10', evidenceDate: '2026-11-11' });
    expect(plan([confirmed]).changes.map(({ type }) => type)).to.deep.equal(['change']);
  });

  it('finds no change between the book and a copy of itself', async () => {
    const { changes, refusals, agree } = await planOfBook(JSON.stringify(bookFile()));
    expect([refusals, changes]).to.deep.equal([[], []]);
    expect(agree).to.be.greaterThan(700);
  });

  it('shows what another book adds, changes and lacks', async () => {
    const other = bookFile();
    other.inference.models.pop();
    other.function.regions['eu-west-1']!.request_price_per_million = '0.21';
    const { changes } = await planOfBook(JSON.stringify(other));
    expect(shortChanges(changes)).to.deep.equal([
      'change eu-west-1 request: 0.2 -> 0.21 (+5.00)',
      'removal us-east-1 input: 0.00012 -> null (null)',
      'removal us-east-1 output: 0 -> null (null)',
    ]);
  });

  it('finds prices that another book lacks among the services only that are compared', async () => {
    const other = bookFile();
    other.inference.models.pop();
    const { changes } = await planOfBook(JSON.stringify(other), ['queue']);
    expect(changes).to.deep.equal([]);
  });
});

const planOfBook = async (text: string, only?: Parameters<typeof planChanges>[2]['only']) =>
  planChanges(bookFile(), await readText(readBook, text), { today, only });
