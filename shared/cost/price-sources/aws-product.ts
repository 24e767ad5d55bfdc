// Decides which products of the vendor's price list are prices of the book.
import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';
import { findInferencePrice } from './aws-inference-product.ts';
import type { Attributes, ProductClass } from './aws-product-class.ts';

const leftOut = (reason: string): ProductClass => ({ type: 'left-out', reason });

/** The service whose prices an offer has; undefined for any other offer. */
export function serviceOf(offerCode: string): PriceLineId['service'] | undefined {
  if (offerCode === 'AWSQueueService') return 'queue';
  if (offerCode === 'AWSLambda') return 'function';
  return /^AmazonBedrock(?:FoundationModels|Service)?$/.test(offerCode) ? 'inference' : undefined;
}

/** Classifies a product of an offer of `service`. */
export function classifyProduct(
  service: PriceLineId['service'],
  family: string,
  attributes: Attributes,
  book: PriceBookFile,
): ProductClass {
  const found = classifiers[service](family, attributes, book);
  if (found.type === 'left-out') return found;
  const { location, locationType, regionCode } = attributes;
  if (location === 'Any') return leftOut('free tier (location "Any")');
  if (locationType !== undefined && locationType !== 'AWS Region') return leftOut(`location type "${locationType}"`);
  if (found.type === 'unmapped') return found;
  if (regionCode === undefined || regionCode === '') return { type: 'unmapped', name: `location "${location ?? ''}"` };
  return { type: 'price', line: { ...found.line, scope: found.line.scope || regionCode } };
}

type Classifier = (family: string, attributes: Attributes, book: PriceBookFile) => ProductClass;

const price = (service: 'queue' | 'function', item: string, kind: PriceLineId['kind']): ProductClass => ({
  type: 'price',
  line: { service, scope: '', item, kind },
});

const classifiers: Readonly<Record<PriceLineId['service'], Classifier>> = {
  queue(family, { group, queueType = '' }) {
    if (family !== 'API Request' || group?.startsWith('SQS-APIRequest') !== true) return leftOut('not a request price');
    if (queueType === 'Standard') return price('queue', 'standard', 'request');
    if (queueType.startsWith('FIFO')) return price('queue', 'fifo', 'request');
    if (queueType.startsWith('Fair')) return leftOut('surcharge of fair queues');
    return { type: 'unmapped', name: `queue type "${queueType}"` };
  },

  // Older files name the architecture in archSupport, newer ones in the group.
  function(family, { group = '', archSupport = '' }) {
    const parts = /^AWS-Lambda-(?<what>Requests|Duration)(?<arm>-ARM)?$/.exec(group)?.groups;
    if (family !== 'Serverless' || parts === undefined) return leftOut('not a request or duration price');
    if (parts['what'] === 'Requests') return price('function', 'requests', 'request');
    const isArm = parts['arm'] !== undefined || /^arm/i.test(archSupport);
    return price('function', isArm ? 'arm64' : 'x86_64', 'gb_second');
  },

  inference: (_family, attributes, book) => findInferencePrice(attributes, book),
};
