import { expect } from 'chai';
import { readAwsOffer } from '../../../../shared/cost/refresh/aws-offer.ts';
import { durationProduct, offerFile, queueProduct, tokenProduct } from './offer-files.ts';
import { othersOf, readText, shortPoints } from './plan.ts';
import products from './token-products.json' with { type: 'json' };

/** Products of tokens, and what the reader makes of each. */
const tokenProducts: readonly TokenProduct[] = products;

interface TokenProduct {
  attributes: Record<string, string>;
  unit: string;
  price: string;
  description?: string;
  /** The price, or why it is not used. */
  read: string;
}

describe('an offer file of the vendor', () => {
  it('has queue prices of both types in any order of tiers, and counts what is left out', async () => {
    const free = { price: '0.0000000000', end: '1000000' };
    const fifo = queueProduct('eu-west-1', 'FIFO (first-in, first-out)', [{ price: '0.0000005000', end: '100' }, free]);
    const products = [
      queueProduct('eu-west-1'),
      fifo,
      queueProduct('eu-west-1', 'Fair'),
      queueProduct('cn-north-1', 'Standard', [{ price: '0.0000025', currency: 'CNY' }]),
      {
        ...queueProduct('', 'Standard', [free]),
        attributes: { location: 'Any', group: 'SQS-APIRequest-Tier1', queueType: 'Standard' },
      },
      { ...queueProduct('eu-west-1'), family: 'Data Transfer' },
    ];
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AWSQueueService', products }));
    expect(shortPoints(reading.points)).to.deep.equal([
      'eu-west-1 standard request 200000000000-: 0.24',
      'eu-west-1 standard request 0-100000000000: 0.4',
      'eu-west-1 standard request 100000000000-200000000000: 0.3',
      'eu-west-1 fifo request 0-100: 0.5',
      'eu-west-1 fifo request 0-1000000: 0',
    ]);
    expect(othersOf(reading)).to.have.members([
      'left-out: 1 × surcharge of fair queues',
      'left-out: 1 × free tier (location "Any")',
      'left-out: 1 × not a request price',
      'left-out: 1 × price in CNY',
    ]);
    expect(reading.points[0]).to.deep.include({
      effectiveDate: '2026-10-01',
      evidenceDate: '2026-11-01',
      where: 'file.json: $.terms.OnDemand.SKU0.SKU0.JRTCKXETXF.priceDimensions.SKU0.JRTCKXETXF.R0',
    });
  });

  it('has function prices of both architectures, named in the group or in archSupport', async () => {
    const prices = ['0.0000166667', '0.0000150000', '0.0000133334'];
    const products = [
      durationProduct('eu-west-1', { group: 'AWS-Lambda-Duration' }, prices),
      durationProduct('eu-west-2', { group: 'AWS-Lambda-Duration-ARM' }, prices),
      durationProduct('eu-west-3', { group: 'AWS-Lambda-Duration', archSupport: 'arm' }, prices),
      {
        ...durationProduct('eu-west-1', { group: 'AWS-Lambda-Requests' }, []),
        unit: 'Requests',
        rates: [{ price: '0.0000002000' }],
      },
      durationProduct('eu-west-1', { group: 'AWS-Lambda-Duration-Provisioned' }, prices),
      durationProduct('eu-west-1', { group: 'AWS-Lambda-Edge-Duration' }, prices),
    ];
    const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AWSLambda', products }));
    expect(shortPoints(reading.points)).to.deep.equal([
      'eu-west-1 x86_64 gb_second 15000000000-: 0.0000133334',
      'eu-west-1 x86_64 gb_second 0-6000000000: 0.0000166667',
      'eu-west-1 x86_64 gb_second 6000000000-15000000000: 0.000015',
      'eu-west-2 arm64 gb_second 18750000000-: 0.0000133334',
      'eu-west-2 arm64 gb_second 0-7500000000: 0.0000166667',
      'eu-west-2 arm64 gb_second 7500000000-18750000000: 0.000015',
      'eu-west-3 arm64 gb_second 18750000000-: 0.0000133334',
      'eu-west-3 arm64 gb_second 0-7500000000: 0.0000166667',
      'eu-west-3 arm64 gb_second 7500000000-18750000000: 0.000015',
      'eu-west-1 requests request: 0.2',
    ]);
    expect(othersOf(reading)).to.deep.equal(['left-out: 2 × not a request or duration price']);
  });

  for (const { attributes, unit, price, description = '', read } of tokenProducts)
    it(`has one product of tokens, of ${JSON.stringify(attributes)}: ${read}`, async () => {
      const products = [{ ...tokenProduct(attributes, unit, price), description }];
      const reading = await readText(readAwsOffer, offerFile({ offerCode: 'AmazonBedrock', products }));
      expect([...shortPoints(reading.points), ...othersOf(reading)]).to.deep.equal([read]);
    });
});
