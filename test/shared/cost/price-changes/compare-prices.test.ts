import { expect } from 'chai';
import { changesOf } from '../../../../shared/cost/price-changes/finding.ts';
import { readBook } from '../../../../shared/cost/price-sources/book.ts';
import { bookFile, pointsOf, readText } from '../price-sources/read-text.ts';
import { compare, novaInput, queueTier, shortFindings } from './compare.ts';

describe('a comparison with the price book', () => {
  it('shows what the vendor changes: old and new price, per cent, source and date', () => {
    const { findings, refusals } = compare('aws', [novaInput()]);
    expect(refusals).to.deep.equal([]);
    expect(shortFindings(findings)).to.include('change eu-west-1 input: 0.00004 -> 0.00005 (+25.00)');
    expect(findings[0]).to.deep.include({ date: '2026-10-01', where: 'file.json: $.price' });
  });

  it('takes the tiers of the vendor in any order, and adds tiers that the book does not have', () => {
    const known = [queueTier(200, null, '0.24'), queueTier(0, 100, '0.4'), queueTier(100, 200, '0.29')];
    expect(shortFindings(compare('aws', known).findings)).to.deep.equal([
      'same us-east-1 request: 0.4 -> 0.4 (+0.00)',
      'change us-east-1 request: 0.3 -> 0.29 (-3.33)',
      'same us-east-1 request: 0.24 -> 0.24 (+0.00)',
    ]);
    const elsewhere = known.map((point) => ({ ...point, scope: 'eu-west-1' }));
    expect(compare('aws', elsewhere).findings.map(({ type }) => type)).to.deep.equal(['same', 'addition', 'addition']);
  });

  it('takes a free tier out of paid tiers, whether the paid ones begin at zero or above it', () => {
    const free = queueTier(0, 0.001, '0');
    for (const begin of [0, 0.001]) {
      const { findings, refusals } = compare('aws', [
        free,
        queueTier(begin, 100, '0.4'),
        queueTier(100, 200, '0.3'),
        queueTier(200, null, '0.24'),
      ]);
      expect(refusals).to.deep.equal([]);
      expect(findings.map(({ type }) => type)).to.deep.equal(['same', 'same', 'same']);
    }
  });

  it('compares a Region with the price of all commercial Regions if it has none of its own', () => {
    const point = novaInput({ item: 'anthropic.claude-sonnet-4-6', amount: '0.0033' });
    const govCloud = { ...point, scope: 'us-gov-west-1' };
    const findings = compare('aws', [point, govCloud, { ...govCloud, kind: 'output' }]).findings;
    expect(findings.map(({ type }) => type)).to.deep.equal(['same', 'addition', 'addition']);
  });

  it('marks batch and cache prices as stale if the vendor changes the standard price without them', () => {
    const change = { item: 'anthropic.claude-opus-4-6-v1', scope: 'global', amount: '0.006' };
    const cached = novaInput({ ...change, kind: 'cache_read', amount: '0.0006' });
    const stale = compare('aws', [novaInput(change), cached]).findings.filter(({ type }) => type === 'stale');
    expect(stale.map(({ kind }) => kind)).to.deep.equal([
      'batch_input',
      'batch_output',
      'cache_write_5m',
      'cache_write_1h',
    ]);
  });

  it('announces a price that applies from a day after its evidence, and does not change the book', () => {
    const future = novaInput({ effectiveDate: '2027-01-01' });
    const unconfirmed = novaInput({ effectiveDate: '2026-11-10', evidenceDate: '2026-11-01' });
    for (const point of [future, unconfirmed]) {
      const comparison = compare('aws', [point]);
      expect(comparison.findings.map(({ type }) => type)).to.deep.equal(['announced']);
      expect(changesOf(comparison)).to.deep.equal([]);
    }
    const confirmed = novaInput({ effectiveDate: '2026-11-10', evidenceDate: '2026-11-11' });
    expect(changesOf(compare('aws', [confirmed])).map(({ type }) => type)).to.include('change');
  });

  it('finds no change between the book and a copy of itself', async () => {
    const points = pointsOf(await readText(readBook, JSON.stringify(bookFile())));
    const { findings, refusals } = compare('book', points);
    expect(refusals).to.deep.equal([]);
    expect(new Set(findings.map(({ type }) => type))).to.deep.equal(new Set(['same']));
    expect(findings.length).to.be.greaterThan(700);
  });

  it('shows what another book adds, changes and lacks', async () => {
    const other = bookFile();
    other.inference.models.pop();
    other.function.regions['eu-west-1']!.request_price_per_million = '0.21';
    const { findings } = compare('book', pointsOf(await readText(readBook, JSON.stringify(other))));
    expect(shortFindings(findings.filter(({ type }) => type !== 'same'))).to.deep.equal([
      'change eu-west-1 request: 0.2 -> 0.21 (+5.00)',
      'removal us-east-1 input: 0.00012 -> null (null)',
      'removal us-east-1 output: 0 -> null (null)',
    ]);
  });

  it('finds prices that another book lacks among the services only that are compared', async () => {
    const points = pointsOf(await readText(readBook, JSON.stringify(bookFile())));
    const ofQueue = points.filter(({ service }) => service === 'queue');
    const { findings } = compare('book', ofQueue, { only: ['queue'] });
    expect(new Set(findings.map(({ type }) => type))).to.deep.equal(new Set(['same']));
  });
});
