import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { versionOf } from '../../../../shared/cost/price-book-file.ts';
import { planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import { parseSourceName, readSource } from '../../../../shared/cost/refresh/read-source.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { durationProduct, type OfferProduct, offerFile, queueProduct, queueRates } from './offer-files.ts';
import { bookFile, novaInput, plan, queueTier, today } from './plan.ts';

describe('a poisoned source', () => {
  const folder = createTemporaryFolder();

  /** Writes files, reads them as `source`, and compares them with the book. */
  async function refusalsOf(source: string, files: Record<string, string>): Promise<string[]> {
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder.path, name), text);
    }
    const name = parseSourceName(source.replace('FOLDER', folder.path));
    const reading = await readSource(name, bookFile());
    const { refusals, next, changes } = planChanges(bookFile(), reading, { today });
    if (refusals.length > 0) expect([next, changes]).to.deep.equal([undefined, []]);
    return refusals.map(({ where, reason }) => `${where}: ${reason}`.replaceAll(`${folder.path}/`, ''));
  }

  const queueOffer = (...products: OfferProduct[]) => offerFile({ offerCode: 'AWSQueueService', products });
  const rateOf = (sku: string, rate: number) =>
    `$.terms.OnDemand.${sku}.${sku}.JRTCKXETXF.priceDimensions.${sku}.JRTCKXETXF.R${rate}`;

  it('a source with a price of zero is refused', async () => {
    const zero = queueProduct('us-east-1', 'Standard', queueRates('0.0000000000'));
    expect(await refusalsOf('aws:FOLDER', { 'sqs.json': queueOffer(zero) })).to.deep.equal([
      `sqs.json: ${rateOf('SKU0', 1)}: queue us-east-1 standard request: the price is zero, the book has 0.4`,
    ]);
  });

  it('a source with a price in another currency is refused', async () => {
    const euro = queueProduct('eu-west-1', 'Standard', [{ price: '0.0000004', currency: 'EUR' }]);
    const refusals = await refusalsOf('aws:FOLDER', { 'sqs.json': queueOffer(euro, queueProduct('us-east-1')) });
    expect(refusals).to.deep.equal([`sqs.json: ${rateOf('SKU0', 0)}: the price is in EUR, not in USD`]);
  });

  it('a source with tiers that overlap, leave a gap, end early or are other tiers is refused', () => {
    const reasons = (...points: Parameters<typeof plan>[0]) =>
      plan(points).refusals.map(({ where, reason }) => `${where}: ${reason}`);
    const last = queueTier(200, null, '0.24');
    expect(reasons(queueTier(0, 100, '0.4'), queueTier(90, 200, '0.3'), last)).to.deep.equal([
      'file.json: $.from90: the price 0.3 and the price 0.4 are for the same units',
    ]);
    expect(reasons(queueTier(0, 100, '0.4'), last)).to.deep.equal([
      'file.json: $.from200: no tier has the units from 100000000000 to 200000000000',
    ]);
    expect(reasons(queueTier(0, 100, '0.4'))).to.deep.equal([
      'file.json: $.from0: no tier has the units above 100000000000',
    ]);
    expect(reasons(queueTier(0, 50, '0.4'), queueTier(50, null, '0.3'))[0]).to.match(
      /the tiers end at 50000000000, no limit, those of the book at 100000000000/,
    );
    expect(reasons(novaInput(), novaInput({ amount: '0.00006' }))[0]).to.match(/for the same units$/);
  });

  it('a source with a Region of another partition is refused', async () => {
    const china = queueProduct('cn-north-1', 'Standard', [{ price: '0.0000004' }]);
    expect(await refusalsOf('aws:FOLDER', { 'sqs.json': queueOffer(china) })).to.deep.equal([
      `sqs.json: ${rateOf('SKU0', 0)}: Region cn-north-1 is of another partition (aws-cn)`,
    ]);
  });

  it('a truncated or malformed source is refused', async () => {
    const whole = queueOffer(queueProduct('us-east-1'));
    const truncated = { 'sqs.json': whole.slice(0, -20) };
    expect(await refusalsOf('aws:FOLDER', truncated)).to.deep.equal([
      'sqs.json: the file is truncated: its JSON does not end',
    ]);
    expect((await refusalsOf('aws:FOLDER', { 'sqs.json': whole.replace('"terms":', '"terms"') }))[0]).to.match(
      /^sqs\.json: the file is malformed: /,
    );
    expect((await refusalsOf('aws:FOLDER', { 'sqs.json': whole.replace('v1.0', 'v2.0') }))[0]).to.match(
      /^sqs\.json: \$\.formatVersion: /,
    );
    expect((await refusalsOf('book:FOLDER/book.json', { 'book.json': '{"version": "1"}' }))[0]).to.match(
      /^book\.json: the file is not a price book: /,
    );
  });

  it('a source that is older than the book is refused', async () => {
    const prices = ['0.0000166667', '0.000015', '0.0000133334'];
    const product = durationProduct('eu-west-1', { group: 'AWS-Lambda-Duration' }, prices);
    const products = [{ ...product, effective: '2023-01-01' }];
    const old = offerFile({ offerCode: 'AWSLambda', published: '2024-01-01', products });
    expect(await refusalsOf('aws:FOLDER', { 'lambda.json': old })).to.deep.equal([
      'lambda.json: the prices of 2024-01-01 are older than those of the book, of 2025-10-30',
    ]);
    const book = { ...bookFile(), as_of: '2026-01-01' };
    expect(await refusalsOf('book:FOLDER/book.json', { 'book.json': JSON.stringify(book) })).to.deep.equal([
      `book.json: $.as_of: version ${versionOf(book)} is older than ${versionOf(bookFile())}`,
    ]);
  });
});
