import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { parseSourceName, readSource } from '../../../../shared/cost/refresh/read-source.ts';
import { durationProduct, offerFile, queueProduct, tokenProduct } from './offer-files.ts';
import { bookFile, shortPoints } from './plan.ts';

describe('a source behind an address', () => {
  let server: Server;
  let files: Map<string, string>;
  let promisedBytes: number | undefined;

  beforeEach(async () => {
    files = new Map();
    promisedBytes = undefined;
    server = createServer(({ url = '' }, response) => {
      const text = files.get(url);
      if (promisedBytes !== undefined) response.setHeader('content-length', promisedBytes);
      response.statusCode = text === undefined ? 404 : 200;
      response.end(text, () => {
        if (promisedBytes !== undefined) response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => server.close());

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = (source: string) => readSource(parseSourceName(source), bookFile());

  /** Serves an offer with one product in each Region, and its index. */
  function serveOffer(offerCode: string, regions: Record<string, Parameters<typeof offerFile>[0]['products']>): void {
    const path = (region: string) => `/offers/v1.0/aws/${offerCode}/20261101000000/${region}/index.json`;
    const entries = Object.keys(regions).map((code) => [code, { regionCode: code, currentVersionUrl: path(code) }]);
    const index = {
      formatVersion: 'v1.0',
      publicationDate: '2026-11-01T00:00:00Z',
      regions: Object.fromEntries(entries),
    };
    files.set(`/offers/v1.0/aws/${offerCode}/current/region_index.json`, JSON.stringify(index));
    for (const [code, products] of Object.entries(regions)) files.set(path(code), offerFile({ offerCode, products }));
  }

  it('a source that mirrors the price list is read through its indexes, offer by offer and Region by Region', async () => {
    const flat = [{ price: '0.0000004' }];
    serveOffer('AWSQueueService', {
      'eu-west-1': [queueProduct('eu-west-1', 'Standard', flat)],
      'us-east-1': [queueProduct('us-east-1', 'Standard', flat)],
      'cn-north-1': [queueProduct('cn-north-1', 'Standard', flat)],
    });
    const prices = ['0.00001', '0.000009', '0.000008'];
    serveOffer('AWSLambda', { 'eu-west-1': [durationProduct('eu-west-1', { group: 'AWS-Lambda-Duration' }, prices)] });
    const tokens = { model: 'Nova Lite', inferenceType: 'Input tokens' };
    serveOffer('AmazonBedrock', { 'eu-west-1': [tokenProduct(tokens, '1M tokens', '0.06')] });
    serveOffer('AmazonBedrockFoundationModels', { 'eu-west-1': [] });
    const reading = await read(`aws:${address()}`);
    expect(reading.refusals).to.deep.equal([
      {
        where: `${address()}/offers/v1.0/aws/AmazonBedrockFoundationModels/20261101000000/eu-west-1/index.json`,
        reason: 'the file has no products',
      },
    ]);
    expect(shortPoints(reading.points).map((text) => text.split(':')[0])).to.deep.equal([
      'eu-west-1 standard request',
      'us-east-1 standard request',
      'eu-west-1 x86_64 gb_second 15000000000-',
      'eu-west-1 x86_64 gb_second 0-6000000000',
      'eu-west-1 x86_64 gb_second 6000000000-15000000000',
      'eu-west-1 amazon.nova-lite-v1',
    ]);
  });

  it('a source that does not have a file which an index promises is refused', async () => {
    serveOffer('AWSQueueService', { 'eu-west-1': [queueProduct('eu-west-1')] });
    const [refusal] = (await read(`aws:${address()}`)).refusals;
    expect(refusal?.where).to.equal(`${address()}/offers/v1.0/aws/AWSLambda/current/region_index.json`);
    expect(refusal?.reason).to.equal('the file cannot be read: the server responds with 404');
  });

  it('a source with a price of another Region than the index promises is refused', async () => {
    serveOffer('AWSQueueService', { 'us-east-1': [queueProduct('us-gov-west-1')] });
    const index = '/offers/v1.0/aws/AWSQueueService/current/region_index.json';
    const [refusal] = (await read(`aws:${address()}${index}`)).refusals;
    expect(refusal?.reason).to.equal('the file is for us-east-1, but the price is for us-gov-west-1');
  });

  it('only the offers of the services that are read are requested', async () => {
    serveOffer('AWSQueueService', { 'eu-west-1': [queueProduct('eu-west-1')] });
    const { points, refusals } = await readSource(parseSourceName(`aws:${address()}`), bookFile(), {
      only: ['queue'],
    });
    expect(refusals).to.deep.equal([]);
    expect(new Set(points.map(({ service }) => service))).to.deep.equal(new Set(['queue']));
  });

  it('a source whose index names another host is refused before anything is requested there', async () => {
    const regions = { 'eu-west-1': { regionCode: 'eu-west-1', currentVersionUrl: '//other.example/index.json' } };
    files.set('/region_index.json', JSON.stringify({ regions }));
    const [refusal] = (await read(`aws:${address()}/region_index.json`)).refusals;
    expect(refusal?.reason).to.equal('the entry does not name a Region and a path on the same host');
  });

  it('a source whose connection ends early is refused', async () => {
    const text = JSON.stringify(bookFile());
    files.set('/book.json', text);
    promisedBytes = text.length + 100;
    const [refusal] = (await read(`book:${address()}/book.json`)).refusals;
    expect(refusal?.where).to.equal(`${address()}/book.json`);
    expect(refusal?.reason).to.match(/^the file cannot be read: /);
  });
});
