// A process that reads a generated offer file of as many MB as its argument, and prints its memory.
import { readAwsOffer } from '../../../../shared/cost/refresh/aws-offer.ts';
import { readBytes } from './read-text.ts';

const bytesOfFile = Number(process.argv[2]) * 1024 * 1024;
const encoder = new TextEncoder();

/** Products, then prices. One product of a hundred has a price of the book. */
async function* largeOffer(): AsyncGenerator<Uint8Array> {
  yield encoder.encode(
    '{"formatVersion":"v1.0","offerCode":"AWSLambda","publicationDate":"2026-11-01T00:00:00Z","products":{',
  );
  const count = yield* entries(bytesOfFile / 2, product);
  yield encoder.encode('},"terms":{"OnDemand":{');
  yield* entries(bytesOfFile / 2, term, count);
  yield encoder.encode('}}}');
}

/** Yields entries in chunks of 64 KiB. @returns their number. */
async function* entries(
  bytes: number,
  toText: (index: number) => string,
  least = 0,
): AsyncGenerator<Uint8Array, number> {
  let chunk = '';
  let index = 0;
  for (let written = 0; written < bytes || index < least; index++) {
    const text = `${index === 0 ? '' : ','}${toText(index)}`;
    written += text.length;
    chunk += text;
    if (chunk.length < 65_536) continue;
    yield encoder.encode(chunk);
    chunk = '';
  }
  yield encoder.encode(chunk);
  return index;
}

const product = (index: number): string => {
  const group = index % 100 === 0 ? 'AWS-Lambda-Requests' : 'AWS-Lambda-Edge-Requests';
  const attributes = {
    servicecode: 'AWSLambda',
    location: 'EU (Ireland)',
    locationType: 'AWS Region',
    regionCode: 'eu-west-1',
    group,
  };
  return `"SKU${index}":${JSON.stringify({ sku: `SKU${index}`, productFamily: 'Serverless', attributes })}`;
};

const term = (index: number): string => {
  const rate = {
    unit: 'Requests',
    beginRange: '0',
    endRange: 'Inf',
    description: 'x'.repeat(100),
    pricePerUnit: { USD: '0.0000002000' },
  };
  return `"SKU${index}":${JSON.stringify({ [`SKU${index}.T`]: { effectiveDate: '2026-10-01T00:00:00Z', priceDimensions: { [`SKU${index}.T.R`]: rate } } })}`;
};

let bytes = 0;
/** Sampled: the peak of the system includes the memory of the process that forked this one. */
let peak = 0;
async function* counted(): AsyncGenerator<Uint8Array> {
  for await (const chunk of largeOffer()) {
    bytes += chunk.length;
    peak = Math.max(peak, process.memoryUsage.rss());
    yield chunk;
  }
}

const { points } = await readBytes(readAwsOffer, counted(), 'large.json');
const memoryMb = Math.round(peak / 1024 / 1024);
process.stdout.write(JSON.stringify({ megabytes: Math.round(bytes / 1024 / 1024), prices: points.length, memoryMb }));
