// Decides which products of the vendor's price list are prices of the book.
import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind, PriceLineId } from '../price-line.ts';

/** The attributes of a product in an offer file. */
type Attributes = Readonly<Record<string, string | undefined>>;

/** Whether a product has a price of the book. */
type ProductClass =
  | { type: 'price'; line: PriceLineId }
  | { type: 'left-out'; reason: string }
  | { type: 'unmapped'; name: string };

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

/** Terms of use that the service does not price. */
const otherTerms =
  /flex|priority|provision|reserved|custom|fine ?tun|latency|image|video|audio|speech|guardrail|long (?:context|ctx)|lctx|fast|\b30 ?m\b/;

/**
 * Classifies an inference product by its model and by the words of its usage. Some products name
 * batch and other terms in the type of usage only, some in the feature or the service tier only.
 */
function findInferencePrice(attributes: Attributes, book: PriceBookFile): ProductClass {
  const { inferenceType = '', usagetype = '', feature = '', service_tier: tier = '' } = attributes;
  const usage = toWords([inferenceType, usagetype, feature, tier].join(' '));
  if (!/\btokens?\b/.test(usage)) return { type: 'left-out', reason: 'not a price of tokens' };
  const term = otherTerms.exec(usage)?.[0];
  if (term !== undefined) return { type: 'left-out', reason: `price of another kind (${term})` };
  const names = namesOf(attributes);
  const item = names.map((name) => findModelByName(book.inference.models, name)).find((id) => id !== undefined);
  if (item === undefined) return { type: 'unmapped', name: `model "${names[0] ?? usagetype}"` };
  const kind = kindOf(usage);
  if (kind === undefined) return { type: 'unmapped', name: `kind of ${item}: "${inferenceType || usagetype}"` };
  return { type: 'price', line: { service: 'inference', scope: /\bglobal\b/.test(usage) ? 'global' : '', item, kind } };
}

/** The names of a model: newer products have one without the provider, such as `R1`. */
function namesOf({ model = '', titanModel = '', servicename = '', provider = '' }: Attributes): string[] {
  const own = [model, titanModel, servicename].filter((name) => name !== '' && name !== 'Amazon Bedrock');
  return provider === '' ? own : [...own, ...own.map((name) => `${provider} ${name}`)];
}

/** Words: `USE1_CacheReadInputTokenCount-Units` is `use 1 cache read input token count units`. */
const toWords = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ');

function kindOf(usage: string): InferenceKind | undefined {
  const isBatch = /\bbatch\b/.test(usage);
  if (/\bcached?\b/.test(usage)) {
    if (isBatch) return undefined;
    if (/\bread\b/.test(usage)) return 'cache_read';
    if (!/\bwrite\b/.test(usage)) return undefined;
    return /\b1 ?(?:h|hr|hour)\b|\bone hour\b/.test(usage) ? 'cache_write_1h' : 'cache_write_5m';
  }
  const isInput = /\binput\b/.test(usage);
  if (isInput === /\boutput\b/.test(usage)) return undefined;
  const direction = isInput ? 'input' : 'output';
  return isBatch ? `batch_${direction}` : direction;
}

/** The id of the book's model with a name of the vendor's price list; undefined if none matches. */
function findModelByName(models: PriceBookFile['inference']['models'], name: string): string | undefined {
  const wanted = normalizeName(name);
  const matches = models.filter((model) => normalizeName(model.name) === wanted || model.id === name);
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Words of a name in one order: the vendor writes `Claude 4.5 Sonnet` and `Nova 2.0 Lite` too. */
function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\((?:amazon bedrock edition|amazon bedrock)\)/, '')
    .replace(/(\d)\.0\b/g, '$1')
    .replace(/[^a-z0-9.]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && word !== 'amazon' && word !== 'instruct')
    .sort()
    .join(' ');
}

const prefixes: readonly (readonly [string, string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso', 'aws-iso'],
  ['eu-isoe-', 'aws-iso'],
  ['eusc-', 'aws-eusc'],
];

/** The partition of a Region by its code. */
export const partitionOf = (region: string): string =>
  prefixes.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
