// Finds and reads the offer files of the vendor's price list, for `read-source.ts`. A file names
// products, then prices: memory holds the products whose prices are taken, and one entry of a file.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shiftDecimal } from '../money.ts';
import type { PriceBookFile } from '../price-book-file.ts';
import { bookUnit, type Fields, fieldsOf, type InferenceKind, type PriceLineId, type Service } from '../price-line.ts';
import {
  isAddress,
  openFile,
  type PricePoint,
  pathIn,
  type ReadContext,
  readJson,
  repeatedKey,
  SourceError,
  type SourceFile,
  type SourceReading,
  textOf,
} from './source-file.ts';

const offers = ['AWSQueueService', 'AWSLambda', 'AmazonBedrock', 'AmazonBedrockFoundationModels'];

/** Finds the offer files: those of a folder, or those that the indexes below an address name. */
export async function* findAwsFiles(location: string, context: ReadContext): AsyncGenerator<SourceFile> {
  const { onProgress } = context;
  if (!isAddress(location)) {
    for (const path of await listFolder(location)) yield openFile(path, onProgress);
  } else if (location.endsWith('region_index.json')) {
    yield* followIndex(location, context);
  } else if (new URL(location).pathname.endsWith('.json')) {
    yield openFile(location, onProgress);
  } else {
    for (const offer of offers.filter((name) => context.only.includes(serviceOf(name) as Service))) {
      const path = `offers/v1.0/aws/${offer}/current/region_index.json`;
      yield* followIndex(`${location.replace(/\/*$/, '/')}${path}`, context);
    }
  }
}

/** The offer files of a folder, whatever their names, or the file itself. */
async function listFolder(folder: string): Promise<string[]> {
  const found = await stat(folder).catch((error: Error) => {
    throw new SourceError(folder, `the folder cannot be read: ${error.message}`, { cause: error });
  });
  if (found.isFile()) return [folder];
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new SourceError(folder, 'the folder has no offer files');
  return names.filter((name) => !name.endsWith('region_index.json')).map((name) => join(folder, name));
}

/**
 * The files of the book's Regions. An index promises a file for each Region: if one is missing, half
 * of a run would be applied.
 */
async function* followIndex(index: string, { book, onProgress }: ReadContext): AsyncGenerator<SourceFile> {
  const regions = new Map<string, string>();
  for await (const { path, value } of readJson(openFile(index, onProgress), ['$.regions.*'])) {
    const { regionCode, currentVersionUrl } = fieldsOf(value);
    const code = textOf(regionCode) ?? '';
    const target = textOf(currentVersionUrl) ?? '';
    if (code !== path.at(-1) || !/^\/(?!\/)[\w./-]+$/.test(target) || target.includes('..')) {
      throw new SourceError(pathIn(index, ...path), 'the entry does not name a Region and a path on the same host');
    }
    if (book.regions.some((region) => region.code === code)) regions.set(code, target);
  }
  if (regions.size === 0) throw new SourceError(index, 'the index has no Region of the price book');
  for (const [expectedRegion, target] of regions) {
    yield { ...openFile(new URL(target, index).href, onProgress), expectedRegion };
  }
}

const paths = ['$.formatVersion', '$.offerCode', '$.publicationDate', '$.products.*', '$.terms.OnDemand.*'];

/** Reads an offer, unless it is of a service that is not read. */
export async function readAwsOffer(file: SourceFile, reading: SourceReading, context: ReadContext): Promise<void> {
  const head: Fields = {};
  /** The products that have a price of the book. */
  const lines = new Map<string, PriceLineId>();
  const priced = new Set<string>();
  let header: ReturnType<typeof toHeader> | undefined;
  for await (const { path, value } of readJson(file, paths)) {
    const [part = '', ...keys] = path;
    if (keys.length === 0) {
      head[part] = value;
      continue;
    }
    header ??= toHeader(file, head);
    const { service, published } = header;
    if (!context.only.includes(service)) return;
    if (part === 'products') {
      const { productFamily, attributes } = fieldsOf(value);
      const product = fieldsOf(attributes) as Record<string, string>;
      const found = classifyProduct(service, textOf(productFamily) ?? '', product, context.book);
      const sku = keys[0] ?? '';
      if (lines.has(sku)) throw repeatedKey(pathIn(file.name, ...path));
      if ('line' in found) lines.set(sku, found.line);
      else if ('unmapped' in found) reading.listUnmapped(found.unmapped, pathIn(file.name, ...path));
      else reading.leaveOut(found.leftOut);
      continue;
    }
    const sku = keys[1] ?? '';
    const line = lines.get(sku);
    if (line === undefined) continue;
    if (priced.has(sku)) throw repeatedKey(pathIn(file.name, ...path));
    priced.add(sku);
    for (const [termCode, term] of Object.entries(fieldsOf(value))) {
      const { effectiveDate, priceDimensions } = fieldsOf(term);
      for (const [rateCode, dimension] of Object.entries(fieldsOf(priceDimensions))) {
        const where = pathIn(file.name, ...path, termCode, 'priceDimensions', rateCode);
        const dates = { effectiveDate: dayOf(effectiveDate), evidenceDate: published };
        readPrice(fieldsOf(dimension), { ...line, ...dates, where }, file, reading, context);
      }
    }
  }
  if (header === undefined) throw new SourceError(file.name, 'the file has no products');
  if (priced.size === 0 && lines.size > 0) throw new SourceError(file.name, `the file has no ${header.service} prices`);
  for (const sku of lines.keys()) if (!priced.has(sku)) reading.leaveOut('no on-demand price');
}

function toHeader(file: SourceFile, { formatVersion, offerCode, publicationDate }: Fields) {
  const service = serviceOf(String(offerCode));
  if (formatVersion !== 'v1.0' || service === undefined) {
    throw new SourceError(
      pathIn(file.name, service === undefined ? 'offerCode' : 'formatVersion'),
      `offer ${String(offerCode)} in format ${String(formatVersion)} is not an offer of format v1.0 for the queue, function or inference service`,
    );
  }
  const published = dayOf(publicationDate);
  if (published === null)
    throw new SourceError(pathIn(file.name, 'publicationDate'), 'the date is missing or malformed');
  return { service, published };
}

const dayOf = (value: unknown): string | null => /^\d{4}-\d\d-\d\d(?=T|$)/.exec(textOf(value) ?? '')?.[0] ?? null;

/**
 * Adds a price to what is read, or the reason why it is not used. An amount that cannot be read
 * says nothing about the others of the file; the other faults refuse it.
 */
function readPrice(
  { unit, description, pricePerUnit, beginRange, endRange }: Fields,
  line: Omit<PricePoint, 'amount' | 'from' | 'to'>,
  { expectedRegion }: SourceFile,
  reading: SourceReading,
  { book }: ReadContext,
): void {
  const { where } = line;
  const refuse = (reason: string) => void reading.refusals.push({ reason, where });
  const prices = fieldsOf(pricePerUnit);
  const usd = prices['USD'];
  const [currency = 'USD'] = Object.keys(prices);
  const partition = partitionOf(line.scope);
  if (usd === undefined && partition === 'aws-cn') return reading.leaveOut(`price in ${currency}`);
  if (usd === undefined && currency !== 'USD') return refuse(`the price is in ${currency}, not in USD`);
  const isRegion = line.scope !== 'global';
  if (isRegion && expectedRegion !== undefined && expectedRegion !== line.scope) {
    return refuse(`the file is for ${expectedRegion}, but the price is for ${line.scope}`);
  }
  if (isRegion && !book.regions.some(({ code }) => code === line.scope)) {
    const isKnown = book.regions.some((region) => region.partition === partition);
    if (isKnown) return reading.listUnmapped(`Region ${line.scope}`, where);
    return refuse(`Region ${line.scope} is of another partition (${partition})`);
  }
  const units = unitPower(line, textOf(unit) ?? '', textOf(description) ?? '');
  if (units === undefined) return reading.listUnmapped(`unit "${String(unit)}" of ${line.item}`, where);
  const { power, maxDecimals } = bookUnit(line);
  try {
    const amount = shiftDecimal(textOf(usd) ?? String(usd), power - units, maxDecimals);
    const [from, to] = [toLimit(beginRange), toLimit(endRange)];
    if (from !== undefined && to !== undefined) reading.points.push({ ...line, amount, from: from ?? 0n, to });
    else {
      const wrong = from === undefined ? beginRange : endRange;
      refuse(`"${(textOf(wrong) ?? JSON.stringify(wrong)).slice(0, 40)}" is not the limit of a tier`);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reading.unusable.push({ line, reason: error.message, where });
  }
}

/** A limit of a tier; null for `Inf` or a product without tiers, undefined for anything else. */
function toLimit(range: unknown = 'Inf'): bigint | null | undefined {
  if (range === 'Inf') return null;
  return /^\d{1,20}$/.test(textOf(range) ?? '') ? BigInt(range as string) : undefined;
}

/** The power of ten of the units that a price is for; undefined if the file does not tell. */
function unitPower({ service }: PriceLineId, unit: string, description: string): number | undefined {
  // "Units" of a marketplace product are what its description counts.
  const text = service === 'inference' && /^units?$/i.test(unit) ? description : unit;
  if (/\b1M\b|million|1,?000,?000/i.test(text)) return 6;
  if (/\b1K\b|thousand|1,?000/i.test(text)) return 3;
  if (service === 'inference') return /^tokens?$/i.test(text) ? 0 : undefined;
  return /^(?:requests?|(?:lambda-)?gb-seconds?|seconds?)$/i.test(text) ? 0 : undefined;
}

/** The attributes of a product in an offer file. */
type Attributes = Readonly<Record<string, string | undefined>>;

/** The price of the book that a product has, or the reason why it has none, or its unknown name. */
type ProductClass = { line: PriceLineId } | { leftOut: string } | { unmapped: string };

/** The service whose prices an offer has; undefined for any other offer. */
function serviceOf(offerCode: string): Service | undefined {
  if (offerCode === 'AWSQueueService') return 'queue';
  if (offerCode === 'AWSLambda') return 'function';
  return /^AmazonBedrock(?:FoundationModels|Service)?$/.test(offerCode) ? 'inference' : undefined;
}

/** Classifies a product of an offer of `service`. */
function classifyProduct(service: Service, family: string, attributes: Attributes, book: PriceBookFile): ProductClass {
  const found = classifiers[service](family, attributes, book);
  if ('leftOut' in found) return found;
  const { location, locationType = 'AWS Region', regionCode } = attributes;
  if (location === 'Any') return { leftOut: 'free tier (location "Any")' };
  if (locationType !== 'AWS Region') return { leftOut: `location type "${locationType}"` };
  if ('unmapped' in found) return found;
  if (!regionCode) return { unmapped: `location "${location ?? ''}"` };
  return { line: { ...found.line, scope: found.line.scope || regionCode } };
}

type Classifier = (family: string, attributes: Attributes, book: PriceBookFile) => ProductClass;

const price = (service: 'queue' | 'function', item: string, kind: PriceLineId['kind']): ProductClass => ({
  line: { service, scope: '', item, kind },
});

const classifiers: Readonly<Record<Service, Classifier>> = {
  queue(family, { group, queueType = '' }) {
    if (family !== 'API Request' || group?.startsWith('SQS-APIRequest') !== true)
      return { leftOut: 'not a request price' };
    if (queueType === 'Standard') return price('queue', 'standard', 'request');
    if (queueType.startsWith('FIFO')) return price('queue', 'fifo', 'request');
    if (queueType.startsWith('Fair')) return { leftOut: 'surcharge of fair queues' };
    return { unmapped: `queue type "${queueType}"` };
  },

  // Older files name the architecture in archSupport, newer ones in the group.
  function(family, { group = '', archSupport = '' }) {
    const parts = /^AWS-Lambda-(?<what>Requests|Duration)(?<arm>-ARM)?$/.exec(group)?.groups;
    if (family !== 'Serverless' || parts === undefined) return { leftOut: 'not a request or duration price' };
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
  if (!/\btokens?\b/.test(usage)) return { leftOut: 'not a price of tokens' };
  const term = otherTerms.exec(usage)?.[0];
  if (term !== undefined) return { leftOut: `price of another kind (${term})` };
  const names = namesOf(attributes);
  const item = names.map((name) => findModelByName(book.inference.models, name)).find((id) => id !== undefined);
  if (item === undefined) return { unmapped: `model "${names[0] ?? usagetype}"` };
  const kind = kindOf(usage);
  if (kind === undefined) return { unmapped: `kind of ${item}: "${inferenceType || usagetype}"` };
  return { line: { service: 'inference', scope: /\bglobal\b/.test(usage) ? 'global' : '', item, kind } };
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
