// A process that reads a generated offer file of as many MB as its argument, and prints its memory.
import { readAwsOffer } from '../../../../shared/cost/refresh/aws-offer.ts';
import { readBytes } from './read-text.ts';

const count = (Number(process.argv[2]) * 1024 * 1024) / 500;
let bytes = 0;
/** Sampled: the peak of the system includes the memory of the process that forked this one. */
let peak = 0;

/** One product of a hundred has a price of the book. */
const productOf = (sku: string, index: number) => {
  const group = index % 100 === 0 ? 'AWS-Lambda-Requests' : 'AWS-Lambda-Edge-Requests';
  const region = { location: 'EU (Ireland)', locationType: 'AWS Region', regionCode: 'eu-west-1' };
  return { sku, productFamily: 'Serverless', attributes: { servicecode: 'AWSLambda', ...region, group } };
};

const termOf = (sku: string) => {
  const units = { unit: 'Requests', beginRange: '0', endRange: 'Inf', description: 'x'.repeat(100) };
  const priceDimensions = { [`${sku}.T.R`]: { ...units, pricePerUnit: { USD: '0.0000002000' } } };
  return { [`${sku}.T`]: { effectiveDate: '2026-10-01', priceDimensions } };
};

function* largeOffer(): Generator<string> {
  yield '{"formatVersion":"v1.0","offerCode":"AWSLambda","publicationDate":"2026-11-01T00:00:00Z","products":{';
  for (let index = 0; index < count; index++) yield entry(index, productOf);
  yield '},"terms":{"OnDemand":{';
  for (let index = 0; index < count; index++) yield entry(index, termOf);
  yield '}}}';
}

const entry = (index: number, valueOf: (sku: string, index: number) => object) =>
  `${index === 0 ? '' : ','}"SKU${index}":${JSON.stringify(valueOf(`SKU${index}`, index))}`;

async function* chunks(): AsyncGenerator<Uint8Array> {
  let chunk = '';
  for (const text of largeOffer()) {
    chunk += text;
    if (chunk.length < 65_536) continue;
    bytes += chunk.length;
    peak = Math.max(peak, process.memoryUsage.rss());
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

const { points } = await readBytes(readAwsOffer, chunks(), 'large.json');
const [megabytes, memoryMb] = [bytes, peak].map((total) => Math.round(total / 1024 / 1024));
process.stdout.write(JSON.stringify({ megabytes, prices: points.length, memoryMb }));
